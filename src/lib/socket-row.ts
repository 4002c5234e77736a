export type Endpoint = { address: string; port: number }

/** A socket as the kernel lists it. */
export type SocketRow = {
  uid: number
  /** 0 if no program holds it: it was closed or is not accepted yet; the kernel then reports root as its owner */
  inode: number
}

/**
 * Finds the socket between two ends, or the one that listens at `own` if `other` is the unspecified address with port
 * 0.
 */
export type FindSocket = (own: Endpoint, other: Endpoint) => SocketRow | null

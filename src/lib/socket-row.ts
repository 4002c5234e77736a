// A socket as the kernel lists it, and the question for the one between two ends.
// How the kernel is asked is socket-diag.ts and socket-table.ts.

export type Endpoint = { address: string; port: number }

/** A socket as the kernel lists it. */
export type SocketRow = {
  uid: number
  /** 0 where no program holds it: it was closed, or is not accepted yet, and then the kernel gives it to root */
  inode: number
}

/** Finds the one socket between the two ends, or one that listens at `own` where `other` is nowhere (port 0). */
export type FindSocket = (own: Endpoint, other: Endpoint) => SocketRow | null

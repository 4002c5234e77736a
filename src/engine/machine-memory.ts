import { totalmem } from 'node:os'

/** The rest is for the system, the server and the file cache. */
const SHARE = 0.8

/** A share of the total memory, in bytes: free memory varies too much. Respects the limit of a container. */
export const memoryForModel = (): number =>
  SHARE * Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

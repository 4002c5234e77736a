import { totalmem } from 'node:os'

/** The rest is for the system, the server and the file cache. */
const SHARE = 0.8

/** In bytes, a share of the total: the free memory of this moment predicts nothing. A container's limit counts. */
export const memoryForModel = (): number =>
  SHARE * Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

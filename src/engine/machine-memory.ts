// How much memory this machine has for a model, as far as it can be known beforehand.
// Takes none.

import { totalmem } from 'node:os'

/** The rest is the system's, the server's, and that of the files that are read. */
const SHARE = 0.8

/** Bytes, of all there are: how many are free now says nothing of the next minute. A container's limit counts. */
export const memoryForModel = (): number =>
  SHARE * Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

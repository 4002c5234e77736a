// fast-check with a fixed seed, so that failures are reproducible; PROPERTY_SEED=7 tries another. A quick run tries
// each property only briefly. Turn every failure found into a test of its own.

import fc from 'fast-check'
import { isQuick } from './quick.ts'

/** per property in a quick run */
const MOMENT_MS = 50

fc.configureGlobal({
  seed: Number(process.env.PROPERTY_SEED ?? 1),
  ...(isQuick && { interruptAfterTimeLimit: MOMENT_MS }),
})

export default fc

// fast-check with one seed for all, so that every run tries the same and a failure can be repeated.
// PROPERTY_SEED=7 tries something else; what it finds becomes a test of its own. A quick run tries for a moment.

import fc from 'fast-check'
import { isQuick } from './quick.ts'

/** of each property in a quick run */
const MOMENT_MS = 50

fc.configureGlobal({
  seed: Number(process.env.PROPERTY_SEED ?? 1),
  ...(isQuick && { interruptAfterTimeLimit: MOMENT_MS }),
})

export default fc

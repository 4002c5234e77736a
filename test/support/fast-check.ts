// fast-check with a fixed seed, so that failures are reproducible; PROPERTY_SEED=7 tries another. A quick run tries
// each property only a few times. Turn every failure found into a test of its own.

import fc from 'fast-check'
import { isQuick } from './quick.ts'

/** Not a limit in time: that would leave the last try running beside the next test. */
const QUICK_RUNS = 10

fc.configureGlobal({
  seed: Number(process.env.PROPERTY_SEED ?? 1),
  ...(isQuick && { numRuns: QUICK_RUNS }),
})

/** For a property that needs more or fewer tries than fast-check's 100. */
export const numRuns = (full: number): number => (isQuick ? Math.min(full, QUICK_RUNS) : full)

export default fc

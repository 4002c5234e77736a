// Tests that take longer than the rest of their file: hours of speech, endless texts, many crashes. A quick run
// (`npm test`) leaves them out; `npm run check` runs them.

import { describe, test } from 'bun:test'
import { isQuick } from './quick.ts'

/** Registers nothing, so that a run has no line about a test that it leaves out on purpose. */
const leftOut: unknown = Object.assign(() => {}, { each: () => leftOut, skipIf: () => leftOut })

/** Registers the test only if it is wanted. */
export const testIf = (isWanted: boolean) => (isWanted ? test : (leftOut as typeof test))

export const testAtLength = testIf(!isQuick)
export const describeAtLength = isQuick ? (leftOut as typeof describe) : describe

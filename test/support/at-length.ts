// Tests that take longer than the rest of their file: hours of speech, endless texts, many crashes. A quick run
// (`npm test`) leaves them out; `npm run check` runs them.

import { describe, test } from 'bun:test'
import { isQuick } from './quick.ts'

/** Registers nothing, so that a quick run has no line about a test that it does not run. */
const leftOut: unknown = Object.assign(() => {}, { each: () => leftOut, skipIf: () => leftOut })

export const testAtLength = isQuick ? (leftOut as typeof test) : test
export const describeAtLength = isQuick ? (leftOut as typeof describe) : describe

// Tests of hours of speech, endless texts and the like, which take longer than the rest of their file. `npm run
// test:unit` skips them, `npm test` runs them.

import { describe, test } from 'bun:test'
import { isQuick } from './quick.ts'

export const testAtLength = test.skipIf(isQuick)
export const describeAtLength = describe.skipIf(isQuick)

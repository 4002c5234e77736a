// For tests of hours of speech, endless texts and the like, which cost more than all others of their file.
// `npm run test:unit` leaves them out, `npm test` does not.

import { describe, test } from 'bun:test'
import { isQuick } from './quick.ts'

export const testAtLength = test.skipIf(isQuick)
export const describeAtLength = describe.skipIf(isQuick)

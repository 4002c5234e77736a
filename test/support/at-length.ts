// Tests that take longer than the rest of their file: hours of speech, endless texts, many crashes. A quick run
// (`npm test`) leaves them out; `npm run check` finds them by the end of their names.

import { describe, test } from 'bun:test'
import { isQuick } from './quick.ts'

export const AT_LENGTH = '(long)'

/** Registers nothing, so that a run has no line about a test that it leaves out on purpose. */
const leftOut: unknown = Object.assign(() => {}, { each: () => leftOut, skipIf: () => leftOut })

/** Registers the test only if it is wanted. */
export const testIf = (isWanted: boolean) => (isWanted ? test : (leftOut as typeof test))

type Register = (name: string, ...rest: unknown[]) => unknown

const named =
  (register: unknown): Register =>
  (name, ...rest) =>
    (register as Register)(`${name} ${AT_LENGTH}`, ...rest)

/** `test` or `describe` with the ending after each name. */
const atLength = <T extends typeof test | typeof describe>(register: T): T =>
  Object.assign(named(register), {
    each: (cases: []) => named((register as typeof test).each(cases)),
    skipIf: (isSkipped: boolean) => named((register as typeof test).skipIf(isSkipped)),
  }) as unknown as T

export const testAtLength = isQuick ? (leftOut as typeof test) : atLength(test)
export const describeAtLength = isQuick ? (leftOut as typeof describe) : atLength(describe)

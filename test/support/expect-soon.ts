// What a page shows is looked at until it is as expected: it draws a little after it was told.
// What must hold at this very moment, such as that nothing came, is `expect`'s.

import { until } from './until.ts'

/** Equal as `toEqual` has it; throws with both at the deadline. */
export async function expectSoon<T>(look: () => Promise<T>, expected: NoInfer<T>): Promise<void> {
  let seen: T
  const isAsExpected = async () => {
    seen = await look()
    return Bun.deepEquals(seen, expected)
  }
  await until(isAsExpected, {
    what: () => `${Bun.inspect(seen)} to be ${Bun.inspect(expected)}`,
  })
}

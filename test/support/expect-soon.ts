// An `expect` that retries, because a page renders shortly after an event. Use plain `expect` for what must hold
// immediately, such as that nothing happened.

import { until } from './until.ts'

/** Compares as `toEqual` does; throws with both values at the deadline. */
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

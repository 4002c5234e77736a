import { expect } from 'bun:test'

const PATIENCE_MS = 10_000

/** Fails as `expect` does unless what is looked at comes to be as expected: a page draws a little after it was told. */
export async function expectSoon<T>(look: () => Promise<T>, expected: NoInfer<T>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  let value = await look()
  while (!Bun.deepEquals(value, expected) && performance.now() < deadline) {
    await Bun.sleep(20)
    value = await look()
  }
  expect<unknown>(value).toEqual(expected)
}

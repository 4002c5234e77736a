// Waits for a condition with a deadline, instead of for a time.
// The pause between looks is only a courtesy to the processor.

type Patience = { timeoutMs: number; what?: string | (() => string) }

/** Resolves with the first value of `look` that is not false, null or undefined; throws at the deadline. */
export async function until<T>(
  look: () => T | Promise<T>,
  { timeoutMs, what = 'the condition' }: Patience,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const value = await look()
    if (value !== false && value !== null && value !== undefined) return value as NonNullable<T>
    if (performance.now() > deadline)
      throw new Error(`waited ${timeoutMs} ms for ${typeof what === 'function' ? what() : what}`)
    await Bun.sleep(20)
  }
}

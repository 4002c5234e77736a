// Waits for a condition with a deadline, instead of for a time.
// The pause between looks is only a courtesy to the processor: a twentieth of what was waited, so that nothing takes much
// longer for it, and a long wait takes little from what it waits for.

const PAUSE_SHARE = 0.05
const SHORTEST_MS = 10
const LONGEST_MS = 50
/** A machine that does much else at once is slow, and a deadline that is not reached costs nothing. */
const PATIENCE_MS = 60_000

type Patience = { timeoutMs?: number; what?: string | (() => string) }

/** Resolves with the first value of `look` that is not false, null or undefined; throws at the deadline. */
export async function until<T>(
  look: () => T | Promise<T>,
  { timeoutMs = PATIENCE_MS, what = 'the condition' }: Patience = {},
): Promise<NonNullable<T>> {
  const beganAt = performance.now()
  for (;;) {
    const value = await look()
    if (value !== false && value !== null && value !== undefined) return value as NonNullable<T>
    const waitedMs = performance.now() - beganAt
    if (waitedMs > timeoutMs)
      throw new Error(`waited ${timeoutMs} ms for ${typeof what === 'function' ? what() : what}`)
    await Bun.sleep(Math.min(Math.max(waitedMs * PAUSE_SHARE, SHORTEST_MS), LONGEST_MS))
  }
}

// Waits for a condition with a deadline. The polling interval is a twentieth of the time waited so far: it adds at most
// 5 %, and a long wait takes little CPU time from the code it waits for.

const PAUSE_SHARE = 0.05
const SHORTEST_MS = 10
const LONGEST_MS = 50
/** For a busy machine; a deadline that is not reached costs nothing. */
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

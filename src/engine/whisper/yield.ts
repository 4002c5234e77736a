// Lets messages through during long computations.

/** Yields to the event loop once, so that work that never awaits I/O receives its messages. */
export const yieldToMessages = () => new Promise<void>((resolve) => setImmediate(resolve))

/** The longest time that messages wait. */
const HOLD_MS = 50

export type Yield = () => Promise<void>

/** @returns a function to call once per token; it throws the signal's reason when aborted */
export const createYield = (signal: AbortSignal): Yield => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since >= HOLD_MS) {
      await yieldToMessages()
      since = performance.now()
    }
    signal.throwIfAborted()
  }
}

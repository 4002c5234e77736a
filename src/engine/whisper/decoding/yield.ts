// Yields to the event loop during long computations, and stops them when they are aborted.

import { yieldToMessages } from '../yield-to-messages.ts'

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

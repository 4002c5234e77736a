// Yields to the event loop during long computations, and stops them when they are aborted.

import { messagesIn } from '../messages-in.ts'

/** The longest time that messages wait. */
const HOLD_MS = 50

export type Breath = () => Promise<void>

/** @returns a function to call once per token; it throws the signal's reason when aborted */
export const createBreath = (signal: AbortSignal): Breath => {
  let since = performance.now()
  return async () => {
    if (performance.now() - since >= HOLD_MS) {
      await messagesIn()
      since = performance.now()
    }
    signal.throwIfAborted()
  }
}

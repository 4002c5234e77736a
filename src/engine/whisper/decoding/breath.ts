// Lets others have the event loop now and then during work that never waits, and ends it when it is aborted.
// Whoever needs the abort as a value catches it.

import { messagesIn } from '../messages-in.ts'

/** Messages wait no longer than this. */
const HOLD_MS = 50

export type Breath = () => Promise<void>

/** @returns called once per token; throws the signal's reason when it was aborted */
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

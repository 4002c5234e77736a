// What ends the parts that were started, in the opposite order.
// What they are and when they end is their owner's.

import type { Log } from './log.ts'

export type Undo = (() => unknown)[]

/** Every step is taken, whatever happens to the one before. */
export async function undoAll(undo: Undo, log: Log): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    try {
      await step()
    } catch (error) {
      log.error({ reason: String(error) }, 'a part did not stop as it should')
    }
  }
}

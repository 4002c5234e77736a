// Stops the started parts in reverse order.

import type { Log } from './log.ts'

export type Undo = (() => unknown)[]

/** Runs every step, even if an earlier one fails. */
export async function undoAll(undo: Undo, log: Log): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    try {
      await step()
    } catch (error) {
      log.error({ reason: String(error) }, 'a part failed to stop cleanly; continuing with the others')
    }
  }
}

// Stops the started parts in reverse order.

import type { Log } from './log.ts'

export type CleanupStack = (() => unknown)[]

/** Runs every step, even if an earlier one fails. */
export async function runCleanup(stack: CleanupStack, log: Log): Promise<void> {
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    try {
      await step()
    } catch (error) {
      log.error({ reason: String(error) }, 'a part failed to stop cleanly; continuing with the others')
    }
  }
}

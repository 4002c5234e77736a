// Does a piece of work whenever somebody says that there may be some, one at a time, and now and then by itself.
// Knows nothing of the work.

import type { Log } from '../lib/log.ts'

export type WakeLoop = {
  start(): void
  /** there may be something to do; what is under way looks once more afterwards */
  wake(): void
  /** begins nothing more, and waits for what is under way */
  stop(): Promise<void>
}

/** Looks without being told this often: for what waits for something that nobody tells. */
const LOOK_INTERVAL_MS = 5000

export function createWakeLoop(
  work: () => Promise<void>,
  { log, what }: { log: Log; what: string },
): WakeLoop {
  let timer: Timer | undefined
  let running: Promise<void> | null = null
  let more = false
  let started = false

  const run = async (): Promise<void> => {
    while (more && started) {
      more = false
      try {
        await work()
      } catch (error) {
        // Tried again at the next look: the database may be away.
        log.error(
          { what, reason: error instanceof Error ? error.message : String(error) },
          'work that was woken broke',
        )
      }
    }
    running = null
  }
  const wake = (): void => {
    more = true
    if (started) running ??= run()
  }
  return {
    start() {
      started = true
      timer = setInterval(wake, LOOK_INTERVAL_MS)
      wake()
    },
    wake,
    async stop() {
      started = false
      clearInterval(timer)
      await running
    },
  }
}

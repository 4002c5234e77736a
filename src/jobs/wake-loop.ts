// Does a piece of work whenever somebody says that there may be some, one at a time, and again while some is left.
// Knows nothing of the work.

import type { Log } from '../lib/log.ts'

export type WakeLoop = {
  start(): void
  /** there may be something to do; what is under way looks once more afterwards */
  wake(): void
  /** begins nothing more, and waits for what is under way */
  stop(): Promise<void>
}

/** Looks again after so long while work is left: it may wait for something that nothing announces. */
const LOOK_AGAIN_MS = 5000

export function createWakeLoop(
  /** whether some is left */
  work: () => Promise<boolean>,
  { log, what }: { log: Log; what: string },
): WakeLoop {
  let timer: Timer | undefined
  let running: Promise<void> | null = null
  let more = false
  let started = false

  const run = async (): Promise<void> => {
    clearTimeout(timer)
    let isLeft = false
    while (more && started) {
      more = false
      try {
        isLeft = await work()
      } catch (error) {
        // The database may be away.
        isLeft = true
        log.error(
          { what, reason: error instanceof Error ? error.message : String(error) },
          'work that was woken broke',
        )
      }
    }
    running = null
    if (isLeft && started) timer = setTimeout(wake, LOOK_AGAIN_MS)
  }
  const wake = (): void => {
    more = true
    if (started) running ??= run()
  }
  return {
    start() {
      started = true
      wake()
    },
    wake,
    async stop() {
      started = false
      clearTimeout(timer)
      await running
    },
  }
}

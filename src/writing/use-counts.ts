// Gathers what was used and writes the counts now and then, so that no transcription waits for it.
// Lost are at most the counts of the last seconds before a crash.

import type { Log } from '../lib/log.ts'

const DELAY_MS = 5000

export type UseCounts = {
  /** these have a new count */
  note(ids: Iterable<string>): void
  /** writes what is left */
  flush(): Promise<void>
}

type UseCountDeps = { write: (ids: string[]) => Promise<void>; log: Log; delayMs?: number }

export function createUseCounts({ write, log, delayMs = DELAY_MS }: UseCountDeps): UseCounts {
  let waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | null = null
  let writing: Promise<void> = Promise.resolve()

  async function writeAll(): Promise<void> {
    const ids = [...waiting]
    waiting = new Set()
    if (ids.length === 0) return
    await write(ids).catch((error: unknown) =>
      log.warn({ entries: ids.length, reason: String(error) }, 'use could not be counted'),
    )
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    writing = writing.then(writeAll)
    return writing
  }

  return {
    note(ids) {
      for (const id of ids) waiting.add(id)
      if (waiting.size === 0 || timer !== null) return
      timer = setTimeout(() => void flush(), delayMs)
      timer.unref()
    },
    flush,
  }
}

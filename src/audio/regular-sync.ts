// Makes a file that is still growing durable: its name at once, and its bytes every few seconds, beside the writing.
// Neither writes nor closes the file.

import type { FileHandle } from 'node:fs/promises'
import { syncFolder } from '../lib/durable.ts'

export type RegularSync = {
  /** resolves when the file's name is durable */
  named: Promise<void>
  /** more was written; throws what an earlier sync threw */
  wrote(): void
  /** resolves when no sync runs any more; throws what one threw */
  stop(): Promise<void>
}

/** A power cut takes no more than this of a recording. */
const EVERY_MS = 2000

export function syncRegularly(file: FileHandle, folder: string): RegularSync {
  let isBehind = false
  let isFirst = true
  let running: Promise<void> | null = null
  let failure: { thrown: unknown } | null = null

  const sync = () => {
    if (!isBehind || running !== null) return
    isBehind = false
    running = file
      .sync()
      .catch((thrown: unknown) => {
        failure ??= { thrown }
      })
      .finally(() => {
        running = null
      })
  }
  const throwFailure = () => {
    if (failure !== null) throw failure.thrown
  }
  const timer = setInterval(sync, EVERY_MS)
  const named = syncFolder(folder)
  // Its caller may be done before it asks.
  named.catch(() => {})
  return {
    named,
    wrote() {
      throwFailure()
      isBehind = true
      // The beginning tells what the rest is.
      if (isFirst) sync()
      isFirst = false
    },
    async stop() {
      clearInterval(timer)
      await running
      throwFailure()
    },
  }
}

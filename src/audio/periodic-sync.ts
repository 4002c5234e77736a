// Makes a growing file durable while it is written: its name at once, its content every few seconds.

import type { FileHandle } from 'node:fs/promises'
import { syncFolder } from '../lib/durable.ts'

export type PeriodicSync = {
  /** resolves when the file's name is durable */
  named: Promise<void>
  /** call after each write; throws the error of an earlier sync */
  wrote(): void
  /** resolves when no sync is running; throws the error of a failed one */
  stop(): Promise<void>
}

/** A power cut loses at most this much of a recording. */
const EVERY_MS = 2000

export function syncPeriodically(file: FileHandle, folder: string): PeriodicSync {
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
  // Avoids an unhandled rejection if the caller stops before it awaits `named`.
  named.catch(() => {})
  return {
    named,
    wrote() {
      throwFailure()
      isBehind = true
      // The beginning is synced at once, because it identifies the format.
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

// Ended downloads, in memory: outcomes for a few seconds, failures until a client clears them.

import type { DownloadState } from './download-state.ts'

/** How long an outcome stays available to a client that asks late. */
const REMEMBERED_MS = 10_000
/** Bounds memory: clients can request any number of names that fail. */
const MOST_FAILED = 50

export function createEndedDownloads() {
  /** by file, newest last */
  const ended = new Map<string, { state: DownloadState; endedAtMs: number }>()
  const isRecent = ({ endedAtMs }: { endedAtMs: number }) => performance.now() - endedAtMs < REMEMBERED_MS

  const failed = (): DownloadState[] =>
    [...ended.values()].map(({ state }) => state).filter(({ status }) => status === 'error')

  return {
    add(state: DownloadState): void {
      ended.delete(state.file)
      ended.set(state.file, { state, endedAtMs: performance.now() })
      for (const [file, one] of ended) if (one.state.status !== 'error' && !isRecent(one)) ended.delete(file)
      for (const { file } of failed().slice(0, -MOST_FAILED)) ended.delete(file)
    },

    /** The outcome, if recent. */
    find(file: string): DownloadState | null {
      const one = ended.get(file)
      return one && isRecent(one) ? one.state : null
    },

    failed,

    /** Called when the download restarts or is cancelled. */
    forget: (file: string): void => void ended.delete(file),

    /** @returns the number of cleared failures */
    clearFailed(): number {
      const cleared = failed()
      for (const { file } of cleared) ended.delete(file)
      return cleared.length
    },
  }
}

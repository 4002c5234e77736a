// What is remembered of downloads that have ended: for a moment how each went, and of those that failed, why, until
// somebody has seen it. In memory alone: what lies half done is part-file.ts.

import type { DownloadState } from './download-state.ts'

/** An outcome is worth telling to one who comes late for so long. */
const REMEMBERED_MS = 10_000
/** Any name of the hub can be asked for, and fail. */
const MOST_FAILED = 50

export function createEndedDownloads() {
  /** by file, the newest last */
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

    /** How it went, to one who comes a moment late. */
    find(file: string): DownloadState | null {
      const one = ended.get(file)
      return one && isRecent(one) ? one.state : null
    },

    failed,

    /** It is begun again, or nobody wants it any more. */
    forget: (file: string): void => void ended.delete(file),

    /** @returns how many failures are told no more */
    clearFailed(): number {
      const cleared = failed()
      for (const { file } of cleared) ended.delete(file)
      return cleared.length
    },
  }
}

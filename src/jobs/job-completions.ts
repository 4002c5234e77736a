// Lets somebody wait until a job of this process has ended, and passes on what is known of it only as long.
// How the job itself ended stands in its row; what it left of its capture is passed on.

import type { Capture } from '../captures/capture.ts'
import type { Warning } from '../lib/warning.ts'

/** `capture` is as the job left it; null where it is gone, or nothing is known of the job. */
export type Ending = {
  capture: Capture | null
  /** what was asked for and could not be done */
  warnings: Warning[]
}

export type JobCompletions = {
  /** Said before a job is committed: it will end here. Every job that can be waited for was announced so. */
  expect(jobId: string): void
  /** Nothing happens to a job that is not expected. */
  note(jobId: string, warnings: readonly Warning[]): void
  /** Text of the one who asked, which is never written anywhere; it is gone when the job or the process ends. */
  giveClipboard(jobId: string, text: string): void
  clipboardOf(jobId: string): string | null
  tell(jobId: string, capture: Capture | null): void
  /**
   * Null when the time is over or the signal fires before the job ends. One that is not expected has ended before, which
   * nobody is told who does not wait: the same is asked and answered however soon it ends.
   */
  wait(jobId: string, patience: WaitOptions): Promise<Ending | null>
}

type Expected = {
  waiting: Set<(ending: Ending) => void>
  warnings: Warning[]
  clipboard: string | null
}

export type WaitOptions = { timeoutMs: number; signal?: AbortSignal | undefined }

export function createJobCompletions(): JobCompletions {
  const expected = new Map<string, Expected>()
  return {
    expect(jobId) {
      // One that is queued later has been expected since the start.
      if (!expected.has(jobId)) expected.set(jobId, { waiting: new Set(), warnings: [], clipboard: null })
    },
    note(jobId, warnings) {
      const job = expected.get(jobId)
      // An attempt that is made again says it again.
      if (job) job.warnings = [...warnings]
    },
    giveClipboard(jobId, text) {
      const job = expected.get(jobId)
      if (job) job.clipboard = text
    },
    clipboardOf: (jobId) => expected.get(jobId)?.clipboard ?? null,
    tell(jobId, capture) {
      const job = expected.get(jobId)
      expected.delete(jobId)
      for (const wake of job?.waiting ?? []) wake({ capture, warnings: job?.warnings ?? [] })
    },
    async wait(jobId, { timeoutMs, signal }) {
      if (timeoutMs === 0) return null
      const waiting = expected.get(jobId)?.waiting
      if (waiting === undefined) return { capture: null, warnings: [] }
      const { promise, resolve } = Promise.withResolvers<Ending | null>()
      const giveUp = () => resolve(null)
      waiting.add(resolve)
      const timer = setTimeout(giveUp, timeoutMs)
      if (signal?.aborted) giveUp()
      signal?.addEventListener('abort', giveUp, { once: true })
      const ending = await promise
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
      waiting.delete(resolve)
      return ending
    },
  }
}

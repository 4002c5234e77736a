// Waits for the end of a job of this process, and holds what is known of a job only until then.

import type { Capture } from '../captures/capture.ts'
import type { Warning } from '../lib/warning.ts'

/** `capture` is the state after the job; null if it is gone, or nothing is known of the job. */
export type Ending = {
  capture: Capture | null
  /** requested options that could not be applied */
  warnings: Warning[]
}

export type JobCompletions = {
  /** Call it before a job is committed. Only registered jobs can be waited for. */
  expect(jobId: string): void
  /** Ignored for an unregistered job. */
  note(jobId: string, warnings: readonly Warning[]): void
  /** Text of the client, never stored; dropped when the job or the process ends. */
  giveClipboard(jobId: string, text: string): void
  clipboardOf(jobId: string): string | null
  tell(jobId: string, capture: Capture | null): void
  /**
   * Null if the timeout passes or the signal fires before the job ends. An unregistered job has already finished; it
   * still gets a result, so that the response does not depend on timing.
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
      // A job that is queued again is already registered.
      if (!expected.has(jobId)) expected.set(jobId, { waiting: new Set(), warnings: [], clipboard: null })
    },
    note(jobId, warnings) {
      const job = expected.get(jobId)
      // A retry reports all of its warnings again.
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

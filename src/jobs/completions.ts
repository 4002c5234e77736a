// Reports to waiting requests when a job has ended, on this server or on another.

import type { Ending } from '../captures/capture.ts'

export type JobCompletions = {
  /** Call it before a job is committed. Only registered jobs can be waited for. */
  expect(jobId: string): void
  /** Text of the client, never stored; dropped when the job or the process ends. */
  giveClipboard(jobId: string, text: string): void
  clipboardOf(jobId: string): string | null
  settle(jobId: string, ending: Ending): void
  /**
   * Null if the timeout passes or the signal fires before the job ends. An unregistered job has already finished; it
   * still gets a result, so that the response does not depend on timing.
   */
  wait(jobId: string, patience: WaitOptions): Promise<Ending | null>
  /** the jobs that a request waits for */
  awaited(): string[]
}

type Expected = { waiting: Set<(ending: Ending) => void>; clipboard: string | null }

export type WaitOptions = { timeoutMs: number; signal?: AbortSignal | undefined }

/** Nothing is known here of a job that another server ended. */
export const ENDED_ELSEWHERE: Ending = { capture: null, warnings: [] }

export function createJobCompletions(): JobCompletions {
  const expected = new Map<string, Expected>()
  return {
    expect(jobId) {
      // A job that is queued again is already registered.
      if (!expected.has(jobId)) expected.set(jobId, { waiting: new Set(), clipboard: null })
    },
    giveClipboard(jobId, text) {
      const job = expected.get(jobId)
      if (job) job.clipboard = text
    },
    clipboardOf: (jobId) => expected.get(jobId)?.clipboard ?? null,
    settle(jobId, ending) {
      const job = expected.get(jobId)
      expected.delete(jobId)
      for (const wake of job?.waiting ?? []) wake(ending)
    },
    async wait(jobId, { timeoutMs, signal }) {
      if (timeoutMs === 0) return null
      const waiting = expected.get(jobId)?.waiting
      if (waiting === undefined) return ENDED_ELSEWHERE
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
    awaited: () => [...expected].filter(([, { waiting }]) => waiting.size > 0).map(([jobId]) => jobId),
  }
}

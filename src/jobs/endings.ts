// Lets somebody wait until a job of this process has ended.
// How the job itself ended stands in its row; what it left of its capture is passed on.

import type { Capture } from '../captures/capture.ts'

/** `capture` is as the job left it; null where it is gone, or nothing is known of the job. */
export type Ending = { capture: Capture | null }

export type Endings = {
  /** Said before a job is committed: it will end here. Every job that can be waited for was announced so. */
  expect(jobId: string): void
  tell(jobId: string, ending: Ending): void
  /** Null when the time is over or the signal fires before the job ends. One that is not expected has ended before. */
  wait(jobId: string, patience: Patience): Promise<Ending | null>
}

export type Patience = { timeoutMs: number; signal?: AbortSignal | undefined }

export function createEndings(): Endings {
  /** by job: who waits for it */
  const expected = new Map<string, Set<(ending: Ending) => void>>()
  return {
    expect: (jobId) => void expected.set(jobId, new Set()),
    tell(jobId, ending) {
      const waiting = expected.get(jobId) ?? []
      expected.delete(jobId)
      for (const wake of waiting) wake(ending)
    },
    async wait(jobId, { timeoutMs, signal }) {
      const waiting = expected.get(jobId)
      if (waiting === undefined) return { capture: null }
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

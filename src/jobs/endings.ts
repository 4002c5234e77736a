// Lets somebody wait until a job of this process has ended.
// Knows nothing of how it ended: that stands in its row.

export type Endings = {
  /** Said before a job is committed: it will end here. Every job that can be waited for was announced so. */
  expect(jobId: string): void
  tell(jobId: string): void
  /** Waits until it ends, the time is over or the signal fires, and says whether it has ended; an unknown one has. */
  wait(jobId: string, patience: Patience): Promise<boolean>
}

export type Patience = { timeoutMs: number; signal?: AbortSignal | undefined }

export function createEndings(): Endings {
  /** by job: who waits for it */
  const expected = new Map<string, Set<() => void>>()
  return {
    expect: (jobId) => void expected.set(jobId, new Set()),
    tell(jobId) {
      const waiting = expected.get(jobId) ?? []
      expected.delete(jobId)
      for (const wake of waiting) wake()
    },
    async wait(jobId, { timeoutMs, signal }) {
      const waiting = expected.get(jobId)
      if (waiting === undefined) return true
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.add(resolve)
      const timer = setTimeout(resolve, timeoutMs)
      if (signal?.aborted) resolve()
      signal?.addEventListener('abort', () => resolve(), { once: true })
      await promise
      clearTimeout(timer)
      waiting.delete(resolve)
      return !expected.has(jobId)
    },
  }
}

// Lets somebody wait until a job of this process has ended.
// Knows nothing of how it ended: that stands in its row.

export type Endings = {
  tell(jobId: string): void
  /** Resolves when the job ends, when the time is over, or when the signal fires; `cleanup` forgets the wait. */
  next(jobId: string, patience: { timeoutMs: number; signal?: AbortSignal | undefined }): Wait
}

type Wait = { over: Promise<void>; cleanup: () => void }

export function createEndings(): Endings {
  const waiting = new Map<string, Set<() => void>>()
  return {
    tell(jobId) {
      for (const wake of waiting.get(jobId) ?? []) wake()
    },
    next(jobId, { timeoutMs, signal }) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const all = waiting.get(jobId) ?? new Set()
      waiting.set(jobId, all.add(resolve))
      const timer = setTimeout(resolve, timeoutMs)
      if (signal?.aborted) resolve()
      signal?.addEventListener('abort', () => resolve(), { once: true })
      const cleanup = () => {
        clearTimeout(timer)
        all.delete(resolve)
        if (all.size === 0) waiting.delete(jobId)
      }
      return { over: promise, cleanup }
    },
  }
}

// Lets any number of jobs run at once, but a suspect only alone.
// Which jobs are suspects is for resume.ts.

export type Alone = {
  /** From now on until it is over the other jobs wait, and it waits for those that run. */
  suspect(jobId: string): void
  isSuspect(jobId: string): boolean
  over(jobId: string): void
  /** Runs `work` when the job may run; null where the signal fires before. */
  inTurn<T>(jobId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T | null>
}

export function createAlone(): Alone {
  const suspects = new Set<string>()
  let running = 0
  let change = Promise.withResolvers<void>()

  const announce = (): void => {
    change.resolve()
    change = Promise.withResolvers()
  }

  const mayRun = (jobId: string): boolean => (suspects.has(jobId) ? running === 0 : suspects.size === 0)

  return {
    suspect: (jobId) => void suspects.add(jobId),
    isSuspect: (jobId) => suspects.has(jobId),
    over(jobId) {
      if (suspects.delete(jobId)) announce()
    },
    async inTurn(jobId, signal, work) {
      signal.addEventListener('abort', announce, { once: true })
      while (!mayRun(jobId) && !signal.aborted) await change.promise
      signal.removeEventListener('abort', announce)
      if (signal.aborted) return null
      running++
      try {
        return await work()
      } finally {
        running--
        announce()
      }
    },
  }
}

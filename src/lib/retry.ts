// Retries work with growing pauses until it succeeds or the server stops, for work that must not be lost while
// something it needs is unavailable.

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

type RetryOptions = {
  /** aborting it ends the attempts: none starts afterwards */
  until: AbortSignal
  /** called after every failure */
  onFailure: (error: unknown) => void
  /** the work has just failed: pause before the first attempt as well */
  isRetry?: boolean
}

/** Null if the signal ended the attempts. The first attempt always runs, unless `isRetry` is set. */
export async function retry<T>(
  work: () => Promise<T>,
  { until, onFailure, isRetry = false }: RetryOptions,
): Promise<T | null> {
  for (let failures = isRetry ? 1 : 0; ; failures++) {
    if (failures > 0) {
      await pause(Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS), until)
      if (until.aborted) return null
    }
    try {
      return await work()
    } catch (error) {
      onFailure(error)
    }
  }
}

/** Resolves early when the signal aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const end = () => resolve()
  signal?.addEventListener('abort', end, { once: true })
  await promise
  clearTimeout(timer)
  signal?.removeEventListener('abort', end)
}

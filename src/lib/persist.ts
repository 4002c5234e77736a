// Tries something again until it succeeds, with pauses that grow, for as long as the server runs.
// For work that must not be forgotten because what it needs is away; not for work that can be refused.

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

type Persistence = {
  /** ends the attempts: none begins after it fires */
  until: AbortSignal
  /** told of every failure */
  onFailure: (error: unknown) => void
  /** the work has just failed: pauses before the first attempt as well */
  isRetry?: boolean
}

/** Null if the signal ended the attempts; the first one is made in any case, unless it is a retry. */
export async function persist<T>(
  work: () => Promise<T>,
  { until, onFailure, isRetry = false }: Persistence,
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

/** Ends early when the signal fires, at once when it has. */
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

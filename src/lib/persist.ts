// Tries something again until it succeeds, with pauses that grow, for as long as the server runs.
// For work that must not be forgotten because what it needs is away; not for work that can be refused.

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

type Persistence = {
  /** ends the trying, at the next pause or during it */
  until: AbortSignal
  /** told of every failure */
  onFailure: (error: unknown) => void
}

/** Null when it was given up because the signal fired; it is tried once in any case. */
export async function persist<T>(
  work: () => Promise<T>,
  { until, onFailure }: Persistence,
): Promise<T | null> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      onFailure(error)
      if (until.aborted) return null
      await pause(pauseMs, until)
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

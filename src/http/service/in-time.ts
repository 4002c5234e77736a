// Waits a moment for what may not come, because the database is away.
// For answers about how the server is: whoever asks must not wait with it.

const DEADLINE_MS = 1000

/** Null where it failed or took too long. */
export async function inTime<T>(looking: Promise<T>): Promise<T | null> {
  const { promise: tooLate, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), DEADLINE_MS)
  try {
    return await Promise.race([looking.catch(() => null), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

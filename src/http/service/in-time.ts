// Limits the wait for the database, so that health and metrics respond quickly while it is unavailable.

const DEADLINE_MS = 1000

/** Null if it failed or took too long. */
export async function inTime<T>(looking: Promise<T>): Promise<T | null> {
  const { promise: tooLate, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), DEADLINE_MS)
  try {
    return await Promise.race([looking.catch(() => null), tooLate])
  } finally {
    clearTimeout(timer)
  }
}

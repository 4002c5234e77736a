// What a failed query looks like outside this folder: a code and a sentence.
// The drivers' own errors carry the query's values, which are people's words and must not reach a log.

export class DatabaseError extends Error {
  override name = 'DatabaseError'
  /** the five letters of SQLSTATE, or null */
  readonly code: string | null

  constructor(message: string, code: string | null) {
    super(message)
    this.code = code
  }
}

/** Runs database work and lets no value of a query out with a failure. Other errors pass as they are. */
export async function withoutValues<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw cleaned(error)
  }
}

function cleaned(error: unknown): unknown {
  const inner = isQueryError(error) ? error.cause : error
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : null
  if (inner instanceof Error && (isQueryError(error) || code !== null))
    return new DatabaseError(inner.message, code)
  return isQueryError(error) ? new DatabaseError('the query failed', null) : error
}

/** Drizzle's wrapper, whose message lists the query and its values. */
const isQueryError = (error: unknown): error is Error =>
  error instanceof Error && error.message.startsWith('Failed query')

const UNIQUE_VIOLATION = '23505'

export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === UNIQUE_VIOLATION

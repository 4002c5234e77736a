// What a failed query looks like outside this folder: a code and a sentence.
// The drivers' own errors carry the query's values, which are people's words and must not reach a log.

import { DatabaseUnavailableError } from '../src/lib/database-errors.ts'

/** Postgres's own code; the embedded database is rebuilt after it, as after any other damage. */
export const DATA_CORRUPTED = 'XX001'

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
  const inner = causeOf(error)
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : null
  if (inner instanceof Error && code !== null && isAway(code))
    return new DatabaseUnavailableError(inner.message)
  if (inner instanceof Error && (isQueryError(error) || code !== null))
    return new DatabaseError(inner.message, code)
  return isQueryError(error) ? new DatabaseError('the query failed', null) : error
}

/** What the driver said, without what Drizzle puts around it. */
export const causeOf = (error: unknown): unknown => (isQueryError(error) ? error.cause : error)

/** Drizzle's wrapper, whose message lists the query and its values. */
const isQueryError = (error: unknown): error is Error =>
  error instanceof Error && error.message.startsWith('Failed query')

/** As postgres-js and the sockets beneath it say it. */
const LOST_CONNECTION = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Postgres's classes for broken connections and for a server that starts, stops or has no place left. */
const SERVER_AWAY = /^(08...|57P0[123]|53300)$/

const isAway = (code: string): boolean => LOST_CONNECTION.has(code) || SERVER_AWAY.test(code)

/**
 * postgres-js writes to a connection that is gone, where nobody who called it could catch it (its issues 1066 and 1208):
 * a transaction goes on to its next statement, or to its rollback. By then it has failed for its caller. The connection
 * can never be used again, but external.ts takes new ones where one is lost.
 */
export const isWriteToLostConnection = (error: unknown): boolean =>
  error instanceof TypeError &&
  /\bnextWrite\b.*[\\/]postgres[\\/]src[\\/]connection\.js/.test(error.stack ?? '')

// The form of a failed query outside this folder: a code and a sentence.
// The drivers' own errors contain the query's values, which are users' words and must not reach a log.

import { DatabaseUnavailableError } from '../src/lib/database-errors.ts'

/** Postgres's own code; the embedded database is rebuilt after it, as after any other damage. */
export const DATA_CORRUPTED = 'XX001'

export class DatabaseError extends Error {
  override name = 'DatabaseError'
  /** the five characters of SQLSTATE, or null */
  readonly code: string | null

  constructor(message: string, code: string | null) {
    super(message)
    this.code = code
  }
}

/** Runs database work and removes the query's values from its errors. Other errors pass unchanged. */
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

/** The driver's error inside Drizzle's wrapper. */
export const causeOf = (error: unknown): unknown => (isQueryError(error) ? error.cause : error)

/** Drizzle's wrapper, whose message lists the query and its values. */
const isQueryError = (error: unknown): error is Error =>
  error instanceof Error && error.message.startsWith('Failed query')

/** The codes of postgres-js and of the sockets it uses. */
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

/** Postgres's error classes for broken connections and for a server that starts, stops or has no connection left. */
const SERVER_AWAY = /^(08...|57P0[123]|53300)$/

const isAway = (code: string): boolean => LOST_CONNECTION.has(code) || SERVER_AWAY.test(code)

/**
 * postgres-js writes to a connection that is gone, outside of any promise that its caller could catch (its issues 1066
 * and 1208): a transaction runs its next statement, or its rollback. By then it has failed for its caller. The
 * connection is unusable, but external.ts opens new ones when one is lost.
 */
export const isWriteToLostConnection = (error: unknown): boolean =>
  error instanceof TypeError &&
  /\bnextWrite\b.*[\\/]postgres[\\/]src[\\/]connection\.js/.test(error.stack ?? '')

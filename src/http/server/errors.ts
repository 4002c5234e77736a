// Problems for exceptions: bugs, operating system errors and database errors. Expected failures are values instead.

import {
  DatabaseDamagedError,
  DatabaseDiskError,
  DatabaseUnavailableError,
} from '../../lib/database-errors.ts'
import { isDiskFull } from '../../lib/disk-space.ts'
import type { Log } from '../../lib/log.ts'
import { type OsErrorKind, osErrorKind } from '../../lib/os-errors.ts'
import { systemReason } from '../../lib/system-reason.ts'
import type { Problem } from '../contract/problem.ts'

/** Logs an exception and returns the problem for the client, without internal details. */
export function internalError(error: unknown, log: Log): Problem {
  if (isDiskFull(error)) {
    log.error({ code: error.code }, 'the disk is full')
    return {
      code: 'disk_full',
      detail: 'The disk is full, so nothing was changed. Free some space and try again.',
    }
  }
  if (error instanceof DatabaseUnavailableError) {
    log.error({ reason: error.message }, 'the database is unavailable')
    return databaseProblem(error)
  }
  const trouble = osErrorKind(error)
  if (trouble !== null) {
    const reason = systemReason(error) ?? String(error)
    log.error({ reason }, 'a request failed because of an operating system error')
    return TROUBLES[trouble](systemReason(error))
  }
  const errorId = crypto.randomUUID()
  const cause = error instanceof Error ? { name: error.name, message: error.message, stack: error.stack } : {}
  log.error({ error_id: errorId, error: cause }, 'unexpected error while answering a request')
  return {
    code: 'internal_error',
    detail: `The server failed to answer. Its log has more under ${errorId}.`,
    errorId,
  }
}

/** Also returned before work starts that could run out of file handles halfway. */
export const NO_HANDLES: Problem = {
  code: 'no_handles_left',
  detail:
    'The server has almost reached the limit for open files and connections (ulimit -n), so it accepts no more work for now; try again in a moment.',
  headers: { 'retry-after': '5' },
}

const TROUBLES: Record<OsErrorKind, (reason: string | null) => Problem> = {
  files: (reason) => ({
    code: 'storage_unavailable',
    detail: `The server's files cannot be read or written${reason === null ? '' : `: ${reason}`}. Fix this and try again.`,
    headers: { 'retry-after': '30' },
  }),
  handles: () => NO_HANDLES,
  size: () => ({
    code: 'file_too_large',
    detail:
      'The file is larger than the system allows (ulimit -f, or a disk formatted with FAT32), so it was not stored.',
  }),
}

export function databaseProblem(reason: DatabaseUnavailableError): Problem {
  if (reason instanceof DatabaseDamagedError) return DATABASE_DAMAGED
  return reason instanceof DatabaseDiskError ? DATABASE_REOPENED : DATABASE_UNAVAILABLE
}

const DATABASE_REOPENED: Problem = {
  code: 'database_unavailable',
  detail:
    'The disk failed a write, so the database is being reopened. Nothing of this request was stored; send it again in a moment.',
  headers: { 'retry-after': '5' },
}

const DATABASE_UNAVAILABLE: Problem = {
  code: 'database_unavailable',
  detail: 'The database does not answer. Recordings are still stored; try again in a moment.',
  headers: { 'retry-after': '5' },
}

const DATABASE_DAMAGED: Problem = {
  code: 'database_damaged',
  detail:
    'The database is damaged and is being rebuilt from the files, without loss of data; try again in a moment.',
  headers: { 'retry-after': '5' },
}

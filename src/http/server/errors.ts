// What is said of an exception that nobody expected, and of a machine or a database that refuses.
// The failures that routes expect are values and never come by here.

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

/** Logs an exception that nobody expected, and what may be said of it. */
export function internalError(error: unknown, log: Log): Problem {
  if (isDiskFull(error)) {
    log.error({ code: error.code }, 'the disk is full')
    return { code: 'disk_full', detail: 'The disk is full, so nothing was changed. Make room and try again.' }
  }
  if (error instanceof DatabaseUnavailableError) {
    log.error({ reason: error.message }, 'the database is unavailable')
    return databaseProblem(error)
  }
  const trouble = osErrorKind(error)
  if (trouble !== null) {
    const reason = systemReason(error) ?? String(error)
    log.error({ reason }, 'the machine refuses what a request needs')
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

/** Also said before anything is begun that might run out of them in the middle. */
export const NO_HANDLES: Problem = {
  code: 'no_handles_left',
  detail:
    'The server has almost as many files and connections open as the system lets it (ulimit -n), so it takes no more work just now; try again in a moment.',
  headers: { 'retry-after': '5' },
}

const TROUBLES: Record<OsErrorKind, (reason: string | null) => Problem> = {
  files: (reason) => ({
    code: 'storage_unavailable',
    detail: `The server's files cannot be read or written just now${reason === null ? '' : `: ${reason}`}. Try again when that is mended.`,
    headers: { 'retry-after': '30' },
  }),
  handles: () => NO_HANDLES,
  size: () => ({
    code: 'file_too_large',
    detail:
      'The system that the server runs on lets no file be so large (ulimit -f, or a disk formatted with FAT32), so nothing of it was kept.',
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
  detail: 'The database does not answer. Recordings are kept meanwhile; try again in a moment.',
  headers: { 'retry-after': '5' },
}

const DATABASE_DAMAGED: Problem = {
  code: 'database_damaged',
  detail:
    'The database was found damaged and is being made anew from the files, which lose nothing by it; try again in a moment.',
  headers: { 'retry-after': '5' },
}

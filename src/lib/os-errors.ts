// OS errors that are not our bug: unreadable or read-only files, no free file handles, and a file over the size limit.
// disk-space.ts handles a full disk.

import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

export type OsErrorKind = 'files' | 'handles' | 'size'

/** Error codes of the operating system, and Postgres's for the same. */
const KIND_OF_CODE: Record<string, OsErrorKind> = {
  EROFS: 'files',
  EACCES: 'files',
  EPERM: 'files',
  EIO: 'files',
  ENXIO: 'files',
  ENODEV: 'files',
  ESTALE: 'files',
  '42501': 'files',
  EMFILE: 'handles',
  ENFILE: 'handles',
  '53000': 'handles',
  EFBIG: 'size',
}

export const osErrorKind = (error: unknown): OsErrorKind | null =>
  error instanceof Error && 'code' in error ? (KIND_OF_CODE[String(error.code)] ?? null) : null

/** Enough for an upload with its record, some database files and the pipes of a new child process. */
const SPARE_HANDLES = 32

/**
 * Whether enough handles are free for one more piece of work. It opens that many, because no system reports how many a
 * process and the machine have left. This takes some hundredths of a millisecond.
 */
export function hasSpareHandles(): boolean {
  const tried: number[] = []
  try {
    while (tried.length < SPARE_HANDLES) tried.push(openSync(devNull, 'r'))
    return true
  } catch (error) {
    if (osErrorKind(error) === 'handles') return false
    throw error
  } finally {
    for (const handle of tried) closeSync(handle)
  }
}

/** Whether an error means "no such file or folder". */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** As `.catch(nullIfMissing)`: null if there is no such file or folder; rethrows other errors. */
export function nullIfMissing(error: unknown): null {
  if (isMissing(error)) return null
  throw error
}

/** "permission denied (EACCES)"; null for an error that is not the system's and therefore a bug. */
export function systemReason(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  // SQLite locks the data folder, so its codes count. ERR_… codes are the runtime's, for a wrong call.
  if (!/^(?:E(?!RR_)|SQLITE_)[A-Z0-9_]+$/.test(error.code)) return null
  const words = error.message.replace(`${error.code}: `, '').split(/, | '/)[0]?.trim() ?? ''
  return words === '' || words.includes('/') ? error.code : `${words} (${error.code})`
}

/** " (ECONNREFUSED)", to append to the message of a failed network request; empty without a code. */
export function networkReason(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? ` (${code})` : ''
}

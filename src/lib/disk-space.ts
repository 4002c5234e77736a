import { statfsSync } from 'node:fs'

/** The space that this user may still fill and the total, in bytes. */
export async function diskSpace(folder: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** Codes for a full disk from the file system, a quota, Postgres and SQLite. */
const DISK_FULL = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100', 'SQLITE_FULL'])

/** Whether a full disk caused the error. Any write can fail this way. */
export const isDiskFull = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && DISK_FULL.has(error.code)

/** Space for an empty database, plus what must be free before the server accepts recordings. */
const START_MB = 300

/**
 * The one-line message that ends a start on a full disk: how much space to free, and the setting that selects another
 * folder.
 */
export async function diskFullMessage(folder: string, setting: string): Promise<string> {
  const space = await diskSpace(folder).catch(() => null)
  const free = space === null ? '' : ` (${Math.floor(space.freeBytes / 1_000_000)} MB are free)`
  return `The disk that holds ${folder} is full${free}. Free at least ${START_MB} MB, or set ${setting} to a folder on another disk. Nothing was changed.`
}

// How much room is left on the disk that holds a folder, and which errors say that there is none.
// What is too little is for the caller to say.

import { statfsSync } from 'node:fs'

/** What this user may still fill, and the whole, in bytes. */
export async function diskSpace(folder: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** The file system's, a quota's, Postgres's and SQLite's own words for it. */
const DISK_FULL = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100', 'SQLITE_FULL'])

/** Whether an error came of a full disk; any write can meet one. */
export const isDiskFull = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && DISK_FULL.has(error.code)

/** For an empty database, and what has to be free for recordings to be taken. */
const START_MB = 300

/** Ends a start in one line: where there is no room, how much it takes, and the setting that names another folder. */
export async function noRoomToStart(folder: string, setting: string): Promise<string> {
  const space = await diskSpace(folder).catch(() => null)
  const free = space === null ? '' : ` (${Math.floor(space.freeBytes / 1_000_000)} MB are free)`
  return `The disk that holds ${folder} is full${free}. Make room there, ${START_MB} MB at least, or let ${setting} name a folder on another disk; nothing was changed.`
}

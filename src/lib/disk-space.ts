// How much room is left on the disk that holds a folder, and which errors say that there is none.
// What is too little is for the caller to say.

import { statfsSync } from 'node:fs'

/** What this user may still fill, and the whole, in bytes. */
export async function diskSpace(folder: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = statfsSync(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** The file system's, a quota's and Postgres's own words for it. */
const DISK_FULL = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100'])

/** Whether an error came of a full disk; any write can meet one. */
export const isDiskFull = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && DISK_FULL.has(error.code)

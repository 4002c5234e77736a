// Free space of a disk, and a file that reserves some of it for what must be stored on a full disk.

import { randomBytes } from 'node:crypto'
import { statfsSync } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

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

const NAME = 'ballast'
const BLOCK_BYTES = 1024 ** 2
/** Enough for a segment of the database's write-ahead log (16 MB) and a few records. */
const RESERVE_BLOCKS = 32
/** With less free space than this, the reserve itself would fill the disk. */
const MIN_FREE_BYTES = 512 * 1024 ** 2

/** Creates the reserve if it is missing and the disk has room. A disk that is too full for it is not an error. */
export async function createDiskReserve(folder: string): Promise<void> {
  const path = join(folder, NAME)
  const existing = await stat(path).catch(() => null)
  if (existing?.size === RESERVE_BLOCKS * BLOCK_BYTES) return
  if ((await diskSpace(folder)).freeBytes < MIN_FREE_BYTES) return
  try {
    await using file = await open(path, 'w', 0o600)
    // Random bytes, because zeros take no space on a file system that compresses.
    const block = randomBytes(BLOCK_BYTES)
    for (let count = 0; count < RESERVE_BLOCKS; count++) await file.writeFile(block)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    await rm(path, { force: true })
  }
}

/**
 * A segment of the database's write-ahead log (16 MB) and the files written with it. With less, a commit may stop the
 * database.
 */
const SCARCE_BYTES = 24 * 1024 ** 2

const removeReserve = (folder: string): Promise<void> => rm(join(folder, NAME), { force: true })

/**
 * Runs the work with enough space for the database. Deletes the reserve first if little space is left. If the work
 * fails because the disk is full, deletes the reserve and runs the work once more.
 */
export async function withDiskReserve<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const space = await diskSpace(folder).catch(() => null)
  if (space !== null && space.freeBytes < SCARCE_BYTES) await removeReserve(folder)
  try {
    return await work()
  } catch (error) {
    if (!isDiskFull(error)) throw error
    await removeReserve(folder)
    return work()
  }
}

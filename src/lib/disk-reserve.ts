// A reserve file that is deleted when the disk is full, so that work which frees space can still be written. Callers
// may use it to delete, to cancel, and to store a recording of which no client has a copy; for no other new work.

import { randomBytes } from 'node:crypto'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { diskSpace, isDiskFull } from './disk-space.ts'

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

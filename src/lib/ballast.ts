// A file that only takes up room, thrown away when the disk is full, so that what makes room can still be written.
// Deciding what may use it is for the callers: deleting, cancelling, and storing a recording of which no client has a
// copy; no other new work.

import { randomBytes } from 'node:crypto'
import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { diskSpace, isDiskFull } from './disk-space.ts'

const NAME = 'ballast'
const BLOCK_BYTES = 1024 ** 2
/** Enough for a segment of the database's journal (16 MB) and a few records. */
const BALLAST_BLOCKS = 32
/** With less than this it would itself be what fills the disk. */
const MIN_FREE_BYTES = 512 * 1024 ** 2

/** Lays it where it is missing and there is room. A disk that does not take it is no failure. */
export async function layBallast(folder: string): Promise<void> {
  const path = join(folder, NAME)
  const existing = await stat(path).catch(() => null)
  if (existing?.size === BALLAST_BLOCKS * BLOCK_BYTES) return
  if ((await diskSpace(folder)).freeBytes < MIN_FREE_BYTES) return
  try {
    await using file = await open(path, 'w', 0o600)
    // Random, since zeros take no room on a file system that compresses.
    const block = randomBytes(BLOCK_BYTES)
    for (let count = 0; count < BALLAST_BLOCKS; count++) await file.writeFile(block)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    await rm(path, { force: true })
  }
}

/** A segment of the database's journal (16 MB), and what is written beside it: with less, a commit may end the database. */
const SCARCE_BYTES = 24 * 1024 ** 2

const dropBallast = (folder: string): Promise<void> => rm(join(folder, NAME), { force: true })

/**
 * Does the work with enough room for the database: throws the ballast away where too little is left, or where the work
 * finds the disk full, and then does it once more.
 */
export async function withBallast<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const space = await diskSpace(folder).catch(() => null)
  if (space !== null && space.freeBytes < SCARCE_BYTES) await dropBallast(folder)
  try {
    return await work()
  } catch (error) {
    if (!isDiskFull(error)) throw error
    await dropBallast(folder)
    return work()
  }
}

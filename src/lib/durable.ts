// Files that survive a power cut: written beside, synced, renamed, and the folder synced too.
// Knows nothing of what is in them; errors of the file system pass as they are.
//
// Only a sync waits for the disk. Opening, renaming and the like take microseconds, a tenth of what it takes to hand
// them to another thread, and a capture has some thirty of them: they are done at once.

import {
  closeSync,
  existsSync,
  fchmodSync,
  fsync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { chmod, mkdir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { inSlices, type Sliced } from './slices.ts'

const sync = promisify(fsync)

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
const OTHERS = 0o077
/** What everybody may write to, but only remove their own from. */
const STICKY = 0o1000

/** Ends every file that was being written when the process died; recovery removes what ends so. */
export const UNFINISHED_SUFFIX = '.part'

/**
 * Makes a folder and those above it, readable by this user alone whatever the umask says,
 * and its name durable. Does nothing where it exists.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const firstMade = await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
  if (firstMade === undefined) return
  // A name is durable when the folder that holds it is: from the new leaf up to the first that existed.
  for (let made = folder; made.length >= firstMade.length; made = dirname(made))
    await syncFolder(dirname(made))
}

/**
 * Shuts everybody else out of a folder of ours that exists already. One that is shared by its nature, as /tmp is, or
 * that belongs to somebody else, or whose file system knows no modes, stays as it is.
 */
export async function makePrivate(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder)
  const isOurs = process.getuid === undefined || uid === process.getuid()
  if (isOurs && (mode & OTHERS) !== 0 && (mode & STICKY) === 0)
    await chmod(folder, PRIVATE_FOLDER).catch(() => {})
}

/**
 * Replaces or creates a file: afterwards it holds either all of the new content or all of the old. Long content is
 * given piece by piece.
 */
export async function writeFileDurably(
  path: string,
  content: string | Uint8Array | Generator<string>,
): Promise<void> {
  const beside = `${path}${UNFINISHED_SUFFIX}`
  try {
    await withOpen(openPrivate(beside), async (file) => {
      if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(file, content)
      else await inSlices(writtenTo(file, content))
      await sync(file)
    })
  } catch (error) {
    removeQuietly(beside)
    throw error
  }
  // On another thread: ext4 takes 1.5 ms to free the space of the file that is replaced.
  await rename(beside, path)
  await syncFolder(dirname(path))
}

function* writtenTo(file: number, pieces: Generator<string>): Sliced<void> {
  for (const piece of pieces) {
    writeFileSync(file, piece)
    yield
  }
}

/** A file that another process is writing at this moment is younger. */
const ABANDONED_AFTER_MS = 60_000

/**
 * Removes what killed processes left of JSON files that they were writing. Other unfinished files stay: a download of a
 * browser ends in `.part`, too. In a folder that is `shared` with other processes, only old ones are removed.
 */
export function sweepUnfinished(folder: string, { shared }: { shared: boolean }): void {
  const names = existsSync(folder) ? readdirSync(folder) : []
  for (const name of names.filter((one) => one.endsWith(`.json${UNFINISHED_SUFFIX}`))) {
    const path = join(folder, name)
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (!shared || Date.now() - modified > ABANDONED_AFTER_MS) removeQuietly(path)
  }
}

/** Removes a file for good; one that is not there is removed already. */
export async function removeDurably(path: string): Promise<void> {
  // Not `rm`, which tells every failure of a disk as EFAULT.
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await syncFolder(dirname(path))
}

/** Makes what was written into a file durable, by whomever. */
export async function syncFile(path: string): Promise<void> {
  // Windows syncs only what is open for writing.
  await withOpen(openSync(path, 'r+'), sync)
}

/** Makes renames and removals in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder and journals its names by itself.
  if (process.platform === 'win32') return
  await withOpen(openSync(folder, 'r'), sync)
}

/** How many syncs wait for the disk at once, which joins what they have in common. */
const SYNCS_AT_ONCE = 16

/** Makes everything in a folder durable, with the names in it and below it. */
export async function syncFilesIn(folder: string): Promise<void> {
  const left = readdirSync(folder, { recursive: true, withFileTypes: true }).values()
  const work = async () => {
    for (const entry of left) {
      const path = join(entry.parentPath, entry.name)
      if (entry.isDirectory()) await syncFolder(path)
      else if (entry.isFile()) await syncFile(path)
    }
  }
  await Promise.all(Array.from({ length: SYNCS_AT_ONCE }, work))
  await syncFolder(folder)
}

async function withOpen(file: number, use: (file: number) => Promise<void>): Promise<void> {
  try {
    await use(file)
  } finally {
    closeSync(file)
  }
}

function openPrivate(path: string): number {
  const file = openSync(path, 'w', PRIVATE_FILE)
  // A file left over from before keeps its old mode when it is opened again.
  fchmodSync(file, PRIVATE_FILE)
  return file
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // What failed before is what is told; the next start tidies up.
  }
}

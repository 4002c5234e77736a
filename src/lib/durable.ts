// Files that survive a power cut: write a temporary file, sync it, rename it, then sync the folder.
//
// Syncs, and the renames and removals that free space, run on another thread, because they wait for the disk. Opening a
// file takes microseconds, a tenth of the time it takes to hand it to another thread, and a capture opens many.

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
import { chmod, type FileHandle, mkdir, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { isMissing } from './os-errors.ts'
import { createPause } from './time-slice.ts'

const sync = promisify(fsync)

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
const OTHERS = 0o077
/** On a folder with this mode everyone may write, but remove only their own files. */
const STICKY = 0o1000

/** The suffix of a file that is still being written. Recovery removes files that a killed process left with it. */
export const UNFINISHED_SUFFIX = '.part'

/**
 * Creates a folder and its missing parents durably. Only this user can read them, whatever the umask is. Does nothing
 * if the folder exists.
 */
export async function makeFolder(folder: string): Promise<void> {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const firstMade = await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
  if (firstMade === undefined) return
  // A name is durable once its parent folder is synced: sync from the new leaf up to the first folder that existed.
  for (let made = folder; made.length >= firstMade.length; made = dirname(made))
    await syncFolder(dirname(made))
}

/**
 * Removes other users' access to an existing folder of this user. Leaves a shared folder such as /tmp, a folder of
 * another user, and a file system without modes as they are.
 */
export async function makePrivate(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder)
  const isOurs = process.getuid === undefined || uid === process.getuid()
  if (isOurs && (mode & OTHERS) !== 0 && (mode & STICKY) === 0)
    await chmod(folder, PRIVATE_FOLDER).catch(() => {})
}

/**
 * Creates or replaces a file atomically: afterwards it holds either all of the new content or all of the old. Pass long
 * content as a generator of pieces.
 */
export async function writeFileDurably(
  path: string,
  content: string | Uint8Array | Generator<string>,
): Promise<void> {
  const beside = `${path}${UNFINISHED_SUFFIX}`
  try {
    await withOpen(openPrivate(beside), async (file) => {
      if (typeof content === 'string' || content instanceof Uint8Array) writeFileSync(file, content)
      else await writePieces(file, content)
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

async function writePieces(file: number, pieces: Generator<string>): Promise<void> {
  const pause = createPause()
  for (const piece of pieces) {
    writeFileSync(file, piece)
    await pause()
  }
}

/** A temporary file that another process is still writing is younger than this. */
const ABANDONED_AFTER_MS = 60_000

/**
 * Removes temporary JSON files that killed processes left behind. Leaves other `.part` files: a browser's download ends
 * in `.part`, too. In a folder `shared` with other processes it removes only old ones.
 */
export function sweepUnfinished(folder: string, { shared }: { shared: boolean }): void {
  const names = existsSync(folder) ? readdirSync(folder) : []
  for (const name of names.filter((one) => one.endsWith(`.json${UNFINISHED_SUFFIX}`))) {
    const path = join(folder, name)
    const modified = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (!shared || Date.now() - modified > ABANDONED_AFTER_MS) removeQuietly(path)
  }
}

/** Deletes a file. A missing file is not an error. */
export async function removeFile(path: string): Promise<void> {
  // Not `rm`, which reports every disk failure as EFAULT.
  await unlink(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
}

/** Deletes a file durably. A missing file is not an error. */
export async function removeDurably(path: string): Promise<void> {
  await removeFile(path)
  await syncFolder(dirname(path))
}

/** Syncs the content of a file, whichever process wrote it. */
export async function syncFile(path: string): Promise<void> {
  // Windows syncs only files that are open for writing.
  await withOpen(openSync(path, 'r+'), sync)
}

/** Makes renames and deletions in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder, and its file system journals names by itself.
  if (process.platform === 'win32') return
  await withOpen(openSync(folder, 'r'), sync)
}

/** Number of concurrent syncs. The file system can merge syncs that run at the same time. */
const SYNCS_AT_ONCE = 16

/** Syncs everything in a folder, including its subfolders and all names. */
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
  // An existing file keeps its old mode when it is opened again.
  fchmodSync(file, PRIVATE_FILE)
  return file
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The caller reports the original error; the next start removes the file.
  }
}

/**
 * Writes a whole chunk at the file's current position. The system may accept it in several parts; `onWritten` receives
 * each, so that a caller knows what the file contains if a later part fails.
 */
export async function writeAll(
  file: FileHandle,
  chunk: Uint8Array,
  onWritten: (bite: Uint8Array) => void = () => {},
): Promise<void> {
  for (let done = 0; done < chunk.byteLength; ) {
    const { bytesWritten } = await file.write(chunk, done, chunk.byteLength - done)
    onWritten(chunk.subarray(done, done + bytesWritten))
    done += bytesWritten
  }
}

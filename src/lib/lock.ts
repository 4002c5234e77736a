// One server per data folder: a lock held by the operating system, so that the death of the process releases it.
// A second lock is on the folder itself.

import { dlopen, type Library, read } from 'bun:ffi'
import { Database } from 'bun:sqlite'
import { chmodSync, closeSync, existsSync, openSync, statSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, makePrivate } from './durable.ts'
import { type Holder, instanceFileOf, processState, readHolder } from './instance-file.ts'
import { once } from './once.ts'
import { fail, type Result, succeed } from './result.ts'
import { pause } from './retry.ts'

const ERRNO = process.platform === 'darwin' ? '__error' : '__errno_location'
const LIBRARIES =
  process.platform === 'darwin'
    ? ['libSystem.B.dylib']
    : ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]
const FUNCTIONS = {
  flock: { args: ['i32', 'i32'], returns: 'i32' },
  [ERRNO]: { args: [], returns: 'ptr' },
} as const

const LOCK_EX_NB = 2 | 4
const EWOULDBLOCK = process.platform === 'darwin' ? 35 : 11

export type FolderLock = { release(): void }

/** Null if the system or the file system does not support such a lock. The kernel releases it when the process ends. */
function lockFolder(folder: string): FolderLock | 'held' | null {
  const libc = library()
  if (libc === null) return null
  const opened = openSync(folder, 'r')
  if (libc.flock(opened, LOCK_EX_NB) === 0) return { release: once(() => closeSync(opened)) }
  const isHeld = read.i32(libc[ERRNO]!()!, 0) === EWOULDBLOCK
  closeSync(opened)
  return isHeld ? 'held' : null
}

const library = once((): Library<typeof FUNCTIONS>['symbols'] | null => {
  if (process.platform === 'win32') return null
  for (const name of LIBRARIES) {
    try {
      return dlopen(name, FUNCTIONS).symbols
    } catch {
      // Another C library is installed; try the next name.
    }
  }
  return null
})

export type InstanceLock = {
  /** stores this server's URL for the error message of a second server */
  announce(url: string): Promise<void>
  /** Checks every two seconds, until the release, that the lock file is still the one this process locked. */
  guard(events: GuardEvents): void
  release(): void
}

export type GuardEvents = {
  /** the lock file was removed or replaced; this process locked the new one */
  onRestored: () => void
  /** another process locked the new file: two servers would write to the same folder */
  onLost: () => void
}

/** Keeps references: the garbage collector would close an unreferenced database and release its lock. */
const heldByThisProcess = new Set<Database>()

const PRIVATE = 0o600

/** The kernel releases a killed process's lock once it has freed its memory: 1.8 s on a busy machine (measured). */
const PATIENCE_MS = 5000
const RETRY_MS = 50
const ANSWER_WITHIN_MS = 1000
const CHECK_EVERY_MS = 2000

export type LockOptions = {
  /** called once, before waiting for a holder that may be ending */
  onWait?: (message: string) => void
  /** how long to wait for a holder that does not answer; 5 seconds by default */
  patienceMs?: number
  /** false behaves as on a system that can lock files but no folders */
  locksFolder?: boolean
  /** the command, if it is not the server; stored for commands that stop the server */
  task?: string
}

/** The file lock works with every version of the server; the folder lock survives the removal of the file. */
type Held = { database: Database; inode: number; folderLock: FolderLock | null }

/**
 * Locks the folder for this process and this user, or reports its holder; fails at once if the holder answers. SQLite's
 * exclusive mode is a kernel lock on every platform, so neither a stale file nor a reused process id can mislead it.
 */
export async function takeInstanceLock(
  folder: string,
  { onWait, patienceMs = PATIENCE_MS, locksFolder = true, task }: LockOptions = {},
): Promise<Result<InstanceLock, { message: string }>> {
  await makeFolder(folder)
  await makePrivate(folder)
  const holderFile = instanceFileOf(folder)
  const lockFile = join(folder, 'instance.lock')
  const startedAt = performance.now()
  const hold = (): Held | null => {
    const folderLock = locksFolder ? lockFolder(folder) : null
    if (folderLock === 'held') return null
    const file = holdExclusively(lockFile)
    if (file === null) folderLock?.release()
    return file && { ...file, folderLock }
  }
  let held = hold()
  for (let tries = 1; held === null; tries++) {
    const holder = await readHolder(folder)
    if (performance.now() - startedAt >= patienceMs || (await answers(holder)))
      return fail({ message: inUse(folder, holder) })
    if (tries === 1)
      onWait?.(
        `The data folder ${folder} is held by ${nameOf(holder)}, which does not answer. Waiting up to ${patienceMs / 1000} s for it to end.`,
      )
    await pause(RETRY_MS)
    held = hold()
  }
  if (held.folderLock === null) {
    // Without a folder lock, the lock file of a running server may have been removed.
    const holder = await readHolder(folder)
    if (holder !== null && isOtherProcess(holder.pid) && (await answers(holder))) {
      releaseLocks(held)
      return fail({ message: inUse(folder, holder) })
    }
  }

  let announced: string | null = null
  const announce = async (url: string | null) => {
    announced = url
    const holder = { pid: process.pid, url, ...(task !== undefined && { task }) } satisfies Holder
    await writeFile(holderFile, JSON.stringify(holder), { mode: PRIVATE })
  }
  await announce(null)
  // An existing file keeps its mode when it is written again.
  chmodSync(holderFile, PRIVATE)
  const mine = held
  let checking: Timer | undefined
  const check = async ({ onRestored, onLost }: GuardEvents) => {
    if (inodeOf(lockFile) === mine.inode && existsSync(holderFile)) return
    if (inodeOf(lockFile) !== mine.inode && existsSync(folder)) {
      const again = holdExclusively(lockFile)
      if (again === null) {
        clearInterval(checking)
        return onLost()
      }
      closeDatabase(mine.database)
      Object.assign(mine, again)
      onRestored()
    }
    await announce(announced)
  }
  return succeed({
    announce,
    guard(events) {
      // The code that uses a missing folder reports it.
      checking = setInterval(() => check(events).catch(() => {}), CHECK_EVERY_MS).unref()
    },
    release() {
      clearInterval(checking)
      releaseLocks(mine)
    },
  })
}

/** Whether a process holds the folder. Neither takes the lock nor changes a file. */
export function isHeld(folder: string): boolean {
  const lockFile = join(folder, 'instance.lock')
  if (!existsSync(lockFile)) return false
  const database = new Database(lockFile, { readonly: true })
  try {
    // A read needs a shared lock, which the holder's exclusive one refuses.
    database.query('SELECT name FROM sqlite_master').all()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    database.close()
  }
}

function releaseLocks({ database, folderLock }: Held): void {
  closeDatabase(database)
  folderLock?.release()
}

function closeDatabase(database: Database): void {
  heldByThisProcess.delete(database)
  database.close()
}

/** 0 if the file does not exist. */
const inodeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.ino ?? 0

/** Includes processes of other users: root may have started the server. */
const isOtherProcess = (pid: number): boolean => pid !== process.pid && processState(pid) !== 'ended'

function holdExclusively(path: string): Pick<Held, 'database' | 'inode'> | null {
  makePrivateFiles(path)
  const database = new Database(path, { create: true })
  try {
    database.run('PRAGMA busy_timeout = 0')
    database.run('PRAGMA locking_mode = EXCLUSIVE')
    database.run('BEGIN EXCLUSIVE')
    heldByThisProcess.add(database)
    return { database, inode: inodeOf(path) }
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}

/**
 * Creates the file before SQLite does, which would use the umask; SQLite's companion files take the mode of this one.
 * Does not open an existing file, since closing it would release a lock that this process holds on it.
 */
function makePrivateFiles(path: string): void {
  if (!existsSync(path)) writeFileSync(path, '', { flag: 'a', mode: PRIVATE })
  for (const suffix of ['', '-journal', '-wal', '-shm'])
    if (existsSync(`${path}${suffix}`)) chmodSync(`${path}${suffix}`, PRIVATE)
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^SQLITE_(BUSY|LOCKED)/.test(String(error.code))

/** Any response counts, whatever its status: a process that is ending sends none. */
async function answers(holder: Holder | null): Promise<boolean> {
  if (!holder?.url) return false
  try {
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const response = await fetch(`${holder.url}/health`, { signal, redirect: 'manual' })
    await response.body?.cancel()
    return true
  } catch {
    return false
  }
}

function nameOf(holder: Holder | null): string {
  if (holder === null) return 'another process'
  const { pid, url, task } = holder
  return `process ${pid}${task === undefined ? '' : ` (${task})`}${url ? `, at ${url}` : ''}`
}

const inUse = (folder: string, holder: Holder | null): string =>
  `The data folder ${folder} is held by ${nameOf(holder)}. Stop it first, or set DICTATION_DATA_DIR to another folder.`

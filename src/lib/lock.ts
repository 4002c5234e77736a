// One server for each data folder: a lock the operating system holds, so that death releases it.
// Not for turns within this process: that is keyed-lock.ts.

import { Database } from 'bun:sqlite'
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, makePrivate } from './durable.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { type Holder, instanceFileOf, processState, readHolder } from './instance-file.ts'
import { pause } from './persist.ts'
import { fail, type Result, succeed } from './result.ts'

export type InstanceLock = {
  /** writes where this server can be reached, for the message the next one gives */
  announce(url: string): Promise<void>
  /** Looks every two seconds, until the release, whether the lock file is still the one that is held. */
  guard(events: GuardEvents): void
  release(): void
}

export type GuardEvents = {
  /** the file was removed or replaced; a new one is held in its place */
  onRestored: () => void
  /** another process holds the new one: two servers would change the same folder */
  onLost: () => void
}

/** A database that nobody refers to any more would be closed by the garbage collector, and its lock with it. */
const heldByThisProcess = new Set<Database>()

const PRIVATE = 0o600

/** A killed process lets go when the kernel has taken its memory apart: 1.8 s on a busy machine (measured). */
const PATIENCE_MS = 5000
const RETRY_MS = 50
const ANSWER_WITHIN_MS = 1000
const LOOK_EVERY_MS = 2000

export type LockOptions = {
  /** told once, where it has to wait for a holder that may be ending */
  onWait?: (message: string) => void
  /** for a holder that does not answer; 5 seconds unless given */
  patienceMs?: number
  /** false behaves as if the system could not lock a folder, but only files */
  locksFolder?: boolean
}

/** The file's lock binds every version of the server; the folder's holds although the file is removed. */
type Held = { database: Database; inode: number; folderLock: FolderLock | null }

/**
 * Takes the folder for this process and this user alone, or says who has it: at once where that one answers. SQLite's exclusive mode
 * is a lock held by the kernel on every platform, so neither a stale file nor a reused process number can mislead it.
 */
export async function takeInstanceLock(
  folder: string,
  { onWait, patienceMs = PATIENCE_MS, locksFolder = true }: LockOptions = {},
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
        `The data folder ${folder} is held by ${nameOf(holder)}, which does not answer; waiting up to ${patienceMs / 1000} s for it to end.`,
      )
    await pause(RETRY_MS)
    held = hold()
  }
  if (held.folderLock === null) {
    // The lock file of a running server may have been removed.
    const holder = await readHolder(folder)
    if (holder !== null && isOtherProcess(holder.pid) && (await answers(holder))) {
      letGo(held)
      return fail({ message: inUse(folder, holder) })
    }
  }

  let announced: string | null = null
  const announce = async (url: string | null) => {
    announced = url
    await writeFile(holderFile, JSON.stringify({ pid: process.pid, url } satisfies Holder), { mode: PRIVATE })
  }
  await announce(null)
  // One that was there keeps its mode when it is written again.
  chmodSync(holderFile, PRIVATE)
  const mine = held
  let looking: Timer | undefined
  const look = async ({ onRestored, onLost }: GuardEvents) => {
    if (inodeOf(lockFile) === mine.inode && existsSync(holderFile)) return
    if (inodeOf(lockFile) !== mine.inode && existsSync(folder)) {
      const again = holdExclusively(lockFile)
      if (again === null) {
        clearInterval(looking)
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
      // A folder that is away is reported by all that works on it.
      looking = setInterval(() => look(events).catch(() => {}), LOOK_EVERY_MS).unref()
    },
    release() {
      clearInterval(looking)
      letGo(mine)
    },
  })
}

function letGo({ database, folderLock }: Held): void {
  closeDatabase(database)
  folderLock?.release()
}

function closeDatabase(database: Database): void {
  heldByThisProcess.delete(database)
  database.close()
}

/** 0 where there is none. */
const inodeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.ino ?? 0

/** Also of another user: the server may have been started by root. */
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
 * Made before SQLite would make it by the umask: what it puts beside it takes the mode of the file. One that is there is
 * not opened, since closing it would give up a lock that this process holds on it.
 */
function makePrivateFiles(path: string): void {
  if (!existsSync(path)) writeFileSync(path, '', { flag: 'a', mode: PRIVATE })
  for (const suffix of ['', '-journal', '-wal', '-shm'])
    if (existsSync(`${path}${suffix}`)) chmodSync(`${path}${suffix}`, PRIVATE)
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^SQLITE_(BUSY|LOCKED)/.test(String(error.code))

/** Whether somebody is there at all: whatever is said, one who is being taken apart says nothing. */
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
  const where = holder?.url ? `, at ${holder.url}` : ''
  return holder === null ? 'another process' : `process ${holder.pid}${where}`
}

const inUse = (folder: string, holder: Holder | null): string =>
  `The data folder ${folder} is held by ${nameOf(holder)}. Stop it first, or give this one a DICTATION_DATA_DIR of its own.`

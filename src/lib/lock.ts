// One server for each data folder: a lock the operating system holds, so that death releases it.
// Not for turns within this process: that is keyed-lock.ts.

import { Database } from 'bun:sqlite'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, makePrivate } from './durable.ts'
import { fail, type Result, succeed } from './result.ts'

export type InstanceLock = {
  /** writes where this server can be reached, for the message the next one gives */
  announce(url: string): Promise<void>
  release(): void
}

/** A database that nobody refers to any more would be closed by the garbage collector, and its lock with it. */
const heldByThisProcess = new Set<Database>()

type Holder = { pid: number; url: string | null }

/**
 * Takes the folder for this process and this user alone, or says at once who has it. SQLite's exclusive mode is a lock held by the
 * kernel on every platform, so neither a stale file nor a reused process number can mislead it.
 */
export async function takeInstanceLock(folder: string): Promise<Result<InstanceLock, { message: string }>> {
  await makeFolder(folder)
  await makePrivate(folder)
  const holderFile = join(folder, 'instance.json')
  const lockFile = join(folder, 'instance.lock')
  const held = holdExclusively(lockFile)
  if (held === null) return fail({ message: inUse(folder, await readHolder(holderFile)) })

  await chmod(lockFile, 0o600)
  const announce = (url: string | null) =>
    writeFile(holderFile, JSON.stringify({ pid: process.pid, url } satisfies Holder), { mode: 0o600 })
  await announce(null)
  return succeed({
    announce,
    release() {
      heldByThisProcess.delete(held)
      held.close()
    },
  })
}

function holdExclusively(path: string): Database | null {
  const database = new Database(path, { create: true })
  try {
    database.run('PRAGMA busy_timeout = 0')
    database.run('PRAGMA locking_mode = EXCLUSIVE')
    database.run('BEGIN EXCLUSIVE')
    heldByThisProcess.add(database)
    return database
  } catch (error) {
    database.close()
    if (isBusy(error)) return null
    throw error
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^SQLITE_(BUSY|LOCKED)/.test(String(error.code))

async function readHolder(path: string): Promise<Holder | null> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const found = /^\{"pid":(\d{1,10}),"url":(?:null|"([^"\\]{1,200})")\}$/.exec(text)
  return found === null ? null : { pid: Number(found[1]), url: found[2] ?? null }
}

function inUse(folder: string, holder: Holder | null): string {
  const where = holder?.url ? `, at ${holder.url}` : ''
  const who = holder === null ? 'another process' : `process ${holder.pid}${where}`
  return `The data folder ${folder} is held by ${who}. Stop it first, or give this one a DICTATION_DATA_DIR of its own.`
}

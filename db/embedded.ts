// The embedded database: Postgres in WebAssembly, in a folder of the data folder. Its acknowledged writes survive a
// power cut (durable-files.ts). It takes no lock of its own: lib/lock.ts must be held.

import { accessSync, constants, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { DatabaseDamagedError, DatabaseDiskError } from '../src/lib/database-errors.ts'
import { diskFullMessage, diskSpace } from '../src/lib/disk-space.ts'
import { makeFolder, syncFilesIn, syncFolder } from '../src/lib/durable.ts'
import { createKeyedLock } from '../src/lib/keyed-lock.ts'
import type { Log } from '../src/lib/log.ts'
import { fail, type Result, succeed } from '../src/lib/result.ts'
import {
  type CleanShutdown,
  changedSince,
  filesIn,
  forgetCleanShutdown,
  noteCleanShutdown,
  readCleanShutdown,
} from './clean-shutdown.ts'
import { isDamage, remedyFor, wantIn } from './damage.ts'
import type { Database, DatabaseFailure, Orm } from './database.ts'
import { type EmbeddedPostgres, type PostgresClient, startEmbeddedPostgres } from './embedded-postgres.ts'
import type { EmbeddedStart } from './embedded-start.ts'
import { causeOf, withoutValues } from './errors.ts'
import { bringUpToDate } from './migrate.ts'
import { quarantine } from './quarantine.ts'

/** Named by its major version: no other version can open it. */
const FOLDER = 'postgres-18'
/** Opening writes, and one journal segment alone has 16 MB. */
const MIN_FREE_BYTES = 64 * 1024 ** 2
const CLOSE_DEADLINE_MS = 5000
/** The first close writes and syncs most of the cluster; only a new database waits for it. */
const FIRST_CLOSE_DEADLINE_MS = 300_000

type Options = { dataFolder: string; embedded: EmbeddedStart; log: Log }

/** Opens the database and creates it if there is none. A damaged one stays unchanged: see rebuildEmbedded. */
export const openEmbedded = (options: Options): Promise<Result<Database, DatabaseFailure>> =>
  unlessLacking(options.dataFolder, async () => {
    const folder = join(options.dataFolder, FOLDER)
    await options.embedded.module
    await makeFolder(options.dataFolder)
    if (!existsSync(folder)) {
      options.log.info({}, 'creating the database on first start')
      await rename(await createEmpty(folder, options.embedded), folder)
      await syncFolder(options.dataFolder)
    }
    const damaged = (reason: unknown) =>
      fail<DatabaseFailure>({
        code: 'database_damaged',
        message: `The database in ${folder} is damaged: ${reason}`,
      })
    const left = await readCleanShutdown(folder)
    const changed = left && changedSince(folder, left)
    if (changed !== null) return damaged(`${changed} is not as it was left`)
    await forgetCleanShutdown(folder)
    try {
      return await open(folder, { embedded: options.embedded, left: left ?? {} })
    } catch (error) {
      if (error instanceof DatabaseDiskError || (await isLacking(error, options.dataFolder))) throw error
      // Postgres in WebAssembly does not report unreadable files either.
      for (const path of filesIn(folder)) accessSync(join(folder, path), constants.R_OK | constants.W_OK)
      return damaged(error)
    }
  })

/**
 * Quarantines the existing database and opens an empty one. The empty one is created first: a failure to create it is
 * no damage of the old one.
 */
export const rebuildEmbedded = (options: Options): Promise<Result<Database, DatabaseFailure>> =>
  unlessLacking(options.dataFolder, async () => {
    const folder = join(options.dataFolder, FOLDER)
    await options.embedded.module
    const empty = await createEmpty(folder, options.embedded)
    if (existsSync(folder)) {
      const aside = await quarantine(folder)
      options.log.error({ aside }, 'quarantined the database; rebuilding it from the files')
    }
    await rename(empty, folder)
    await syncFolder(options.dataFolder)
    return open(folder, { embedded: options.embedded, left: {} })
  })

/** Reports a shortage of the machine in one line, with its remedy. */
async function unlessLacking(
  dataFolder: string,
  work: () => Promise<Result<Database, DatabaseFailure>>,
): Promise<Result<Database, DatabaseFailure>> {
  try {
    return await work()
  } catch (error) {
    const want = (await lacksRoom(dataFolder)) ? 'disk' : wantIn(error)
    if (want === 'disk')
      return fail({
        code: 'database_unusable',
        message: await diskFullMessage(dataFolder, 'DICTATION_DATA_DIR'),
      })
    const remedy =
      want === null ? 'Look for what it lacks: memory, open files, room on the disk, rights' : remedyFor(want)
    const reason = error instanceof Error ? error.message : String(error)
    const message = `The database in ${join(dataFolder, FOLDER)} cannot be opened (${reason}); it is left as it is. ${remedy}, and start the server again.`
    return fail({ code: 'database_unusable', message })
  }
}

const isLacking = async (error: unknown, dataFolder: string): Promise<boolean> =>
  wantIn(error) !== null || (await lacksRoom(dataFolder))

/** Postgres in WebAssembly does not always report why it ended, so the disk is checked too. */
async function lacksRoom(dataFolder: string): Promise<boolean> {
  const space = await diskSpace(dataFolder).catch(() => null)
  return space !== null && space.freeBytes < MIN_FREE_BYTES
}

/** Created under another name first, so that an interrupted first start leaves no half-made database. */
async function createEmpty(folder: string, embedded: EmbeddedStart): Promise<string> {
  const unfinished = `${folder}.new`
  await rm(unfinished, { recursive: true, force: true })
  await makeFolder(unfinished)
  const postgres = await startEmbeddedPostgres({ folder: unfinished, isEmpty: true }, embedded)
  if (!(await postgres.close(FIRST_CLOSE_DEADLINE_MS))) throw new Error('the new database cannot be closed')
  // Postgres did not write the files of the cluster, so it does not sync them either.
  await syncFilesIn(unfinished)
  return unfinished
}

async function open(
  folder: string,
  { embedded, left }: { embedded: EmbeddedStart; left: CleanShutdown },
): Promise<Result<Database, DatabaseFailure>> {
  const postgres = await startEmbeddedPostgres({ folder, isEmpty: false }, embedded)
  const plain = ormOn(postgres.client('plain'))
  const close = () => postgres.close(CLOSE_DEADLINE_MS)
  const current = await bringUpToDate(plain, (_, config) => migrate(plain as never, config)).catch(
    async (error) => {
      await close()
      throw causeOf(error)
    },
  )
  if (!current.ok) {
    await close()
    return fail(current.failure)
  }
  const orm = ormOn(postgres.client('orm'))
  const queue = postgres.client('queue')
  const { damaged, watch } = createWatch(postgres)
  const exec = (text: string) =>
    watch(async () => {
      await postgres.client('plain').exec(text)
    })
  return succeed({
    kind: 'embedded',
    connection: {
      kind: 'embedded',
      client: {
        query: (text, parameters) => watch(() => queue.query(text, parameters)),
        exec: (text) => watch(() => queue.exec(text)),
      },
    },
    damaged,
    run: (work) => withoutValues(() => watch(() => work(orm))),
    transaction: (work) => withoutValues(() => watch(() => orm.transaction((tx) => work(tx)))),
    exclusively: createKeyedLock(),
    now: async () => new Date(),
    journalBytes: () => watch(() => journalBytes(plain)),
    checkpoint: () => exec('checkpoint'),
    async vacuum() {
      await exec('vacuum (analyze)')
      await exec('checkpoint')
    },
    async close() {
      if ((await close()) && !damaged.aborted) await noteCleanShutdown(folder, left)
    },
  })
}

/** Drizzle uses only this part of PGlite's interface. */
const ormOn = (client: PostgresClient): Orm =>
  drizzle({ client: client as unknown as PGlite }) as unknown as Orm

/** The journal's addresses count its bytes. */
async function journalBytes(orm: Orm): Promise<number> {
  const bytes = sql<string>`pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text`
  const [row] = await orm.select({ bytes }).from(sql`(values (1)) as one`)
  return Number(row!.bytes)
}

/**
 * No result leaves the database before it is on the disk, and none after the database is damaged or a sync has failed:
 * any result could be wrong.
 */
function createWatch(postgres: EmbeddedPostgres): {
  damaged: AbortSignal
  watch<T>(work: () => Promise<T>): Promise<T>
} {
  const found = new AbortController()
  const end = () => found.abort(postgres.failed.reason)
  if (postgres.failed.aborted) end()
  postgres.failed.addEventListener('abort', end)
  return {
    damaged: found.signal,
    async watch(work) {
      found.signal.throwIfAborted()
      try {
        const result = await work()
        await postgres.synced()
        return result
      } catch (error) {
        found.signal.throwIfAborted()
        const cause = causeOf(error)
        if (!isDamage(cause)) throw error
        found.abort(new DatabaseDamagedError(String(cause)))
        throw found.signal.reason
      }
    },
  }
}

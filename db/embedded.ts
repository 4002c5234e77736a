// The database inside this process: Postgres in WebAssembly, in a folder of the data folder. What it has answered survives
// a power cut (durable-files.ts). It takes no lock of its own: lib/lock.ts must be held.

import { accessSync, constants, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { DatabaseDamagedError } from '../src/lib/database-away.ts'
import { diskSpace, noRoomToStart } from '../src/lib/disk-space.ts'
import { makeFolder, syncFilesIn, syncFolder } from '../src/lib/durable.ts'
import { collectingEvery } from '../src/lib/garbage.ts'
import type { Log } from '../src/lib/log.ts'
import { pause } from '../src/lib/persist.ts'
import { fail, type Result, succeed } from '../src/lib/result.ts'
import { type AsLeft, changedSince, filesIn, forgetAsLeft, noteAsLeft, readAsLeft } from './as-left.ts'
import { isDamage, remedyFor, wantIn } from './damage.ts'
import type { Database, DatabaseFailure, Orm } from './database.ts'
import { type DurableFiles, durableFiles } from './durable-files.ts'
import { readEmptyCluster } from './empty-cluster.ts'
import { causeOf, withoutValues } from './errors.ts'
import { bringUpToDate } from './migrate.ts'
import { preparing, preparingForQueue } from './prepared.ts'
import * as schema from './schema.ts'
import { setAside } from './set-aside.ts'

/** Named by the major version that made it: another one cannot open it. */
const FOLDER = 'postgres-18'
/** Opening writes, and a segment of its journal alone has 16 MB. */
const MIN_FREE_BYTES = 64 * 1024 ** 2
const CLOSE_DEADLINE_MS = 5000
/**
 * How much of its journal is kept after a checkpoint, of which Postgres makes none by itself in a single process: without
 * one the journal grows as long as the server runs. Its own choice is 1 GB.
 */
const JOURNAL_LIMIT = 'max_wal_size=128MB'

/**
 * The system's cache has the files, too: what is in here is held twice, and never given back. With Postgres's own choice,
 * 128 MB, a server grows until all of it has been used once; searching among 100,000 captures is as fast with this.
 */
const BUFFERS = 'shared_buffers=32MB'

/**
 * After so much work of the database garbage is collected: an answer leaves some 40 kB that the runtime does not count
 * among what it has to collect. A server that was asked 12,000 times in ten seconds grew from 178 to 342 MiB, with this to
 * 257.
 */
const COLLECT_EVERY = 250

/** PGlite starts Postgres without fsync (`-F`); its default method, fdatasync, does nothing in WebAssembly. */
const DURABLE = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'wal_sync_method=fsync',
]

type Options = { dataFolder: string; compiled: Promise<WebAssembly.Module>; log: Log }

/** Opens it, and makes it where there is none. What is damaged is left as it is: see openEmbeddedAnew. */
export const openEmbedded = (options: Options): Promise<Result<Database, DatabaseFailure>> =>
  unlessLacking(options.dataFolder, async () => {
    const folder = join(options.dataFolder, FOLDER)
    const module = await options.compiled
    await makeFolder(options.dataFolder)
    if (!existsSync(folder)) {
      options.log.info({}, 'the first start makes the database')
      await rename(await createEmpty(folder, module), folder)
      await syncFolder(options.dataFolder)
    }
    const damaged = (reason: unknown) =>
      fail<DatabaseFailure>({
        code: 'database_damaged',
        message: `The database in ${folder} is damaged: ${reason}`,
      })
    const left = await readAsLeft(folder)
    const changed = left && changedSince(folder, left)
    if (changed !== null) return damaged(`${changed} is not as it was left`)
    await forgetAsLeft(folder)
    try {
      return await open(folder, { module, left: left ?? {} })
    } catch (error) {
      if (await isLacking(error, options.dataFolder)) throw error
      // Of these Postgres in WebAssembly says nothing either.
      for (const path of filesIn(folder)) accessSync(join(folder, path), constants.R_OK | constants.W_OK)
      return damaged(error)
    }
  })

/** Sets what is there aside and opens an empty one, which is made first: what keeps it from being made is no damage of the old. */
export const openEmbeddedAnew = (options: Options): Promise<Result<Database, DatabaseFailure>> =>
  unlessLacking(options.dataFolder, async () => {
    const folder = join(options.dataFolder, FOLDER)
    const module = await options.compiled
    const empty = await createEmpty(folder, module)
    if (existsSync(folder)) {
      const aside = await setAside(folder)
      options.log.error({ aside }, 'the database was set aside; it is made anew from the files')
    }
    await rename(empty, folder)
    await syncFolder(options.dataFolder)
    return open(folder, { module, left: {} })
  })

/** What the machine lacks is told in a line, with what to do about it. */
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
        message: await noRoomToStart(dataFolder, 'DICTATION_DATA_DIR'),
      })
    const remedy =
      want === null ? 'Look for what it lacks: memory, open files, room on the disk, rights' : remedyFor(want)
    const reason = error instanceof Error ? error.message : String(error)
    const message = `The database in ${join(dataFolder, FOLDER)} cannot be opened (${reason}); it is left as it is. ${remedy}, and start again.`
    return fail({ code: 'database_unusable', message })
  }
}

const isLacking = async (error: unknown, dataFolder: string): Promise<boolean> =>
  wantIn(error) !== null || (await lacksRoom(dataFolder))

/** Postgres in WebAssembly does not always say why it ended, so the disk is asked too. */
async function lacksRoom(dataFolder: string): Promise<boolean> {
  const space = await diskSpace(dataFolder).catch(() => null)
  return space !== null && space.freeBytes < MIN_FREE_BYTES
}

/** Under another name first, so that a first start that is killed leaves nothing half made. */
async function createEmpty(folder: string, module: WebAssembly.Module): Promise<string> {
  const unfinished = `${folder}.new`
  await rm(unfinished, { recursive: true, force: true })
  await makeFolder(unfinished)
  const { pglite } = await start(unfinished, module, await readEmptyCluster())
  await pglite.close()
  // Postgres did not write the files of the cluster, so it does not sync them either.
  await syncFilesIn(unfinished)
  return unfinished
}

/** @param cluster what an empty folder is filled with first */
async function start(
  folder: string,
  module: WebAssembly.Module,
  cluster?: Blob,
): Promise<{ pglite: PGlite; files: DurableFiles }> {
  const files = durableFiles(folder)
  const pglite = await PGlite.create({
    fs: files,
    pgliteWasmModule: module,
    startParams: [...DURABLE, '-c', JOURNAL_LIMIT, '-c', BUFFERS],
    ...(cluster && { loadDataDir: cluster }),
  })
  return { pglite, files }
}

async function open(
  folder: string,
  { module, left }: { module: WebAssembly.Module; left: AsLeft },
): Promise<Result<Database, DatabaseFailure>> {
  const { pglite, files } = await start(folder, module)
  const plain = drizzle({ client: pglite, schema })
  const current = await bringUpToDate(plain as unknown as Orm, (_, config) => migrate(plain, config)).catch(
    async (error) => {
      await close(pglite)
      throw causeOf(error)
    },
  )
  if (!current.ok) {
    await close(pglite)
    return fail(current.failure)
  }
  const orm = drizzle({ client: preparing(pglite) as unknown as PGlite, schema }) as unknown as Orm
  const queueClient = preparingForQueue(pglite)
  const { damaged, watch } = createWatch(files)
  return succeed({
    kind: 'embedded',
    connection: {
      kind: 'embedded',
      pglite: {
        query: ((...asked) => watch(() => queueClient.query(...asked))) as typeof queueClient.query,
        exec: (...asked) => watch(() => queueClient.exec(...asked)),
      },
    },
    damaged,
    run: (work) => withoutValues(() => watch(() => work(orm))),
    transaction: (work) => withoutValues(() => watch(() => orm.transaction((tx) => work(tx)))),
    journalBytes: () => watch(() => journalBytes(pglite)),
    checkpoint: () =>
      watch(async () => {
        await pglite.exec('checkpoint')
      }),
    vacuum: () =>
      watch(async () => {
        await pglite.exec('vacuum (analyze)')
        await pglite.exec('checkpoint')
      }),
    async close() {
      await close(pglite)
      if (pglite.closed && !damaged.aborted) await noteAsLeft(folder, left)
    },
  })
}

/** The journal's addresses count its bytes. */
async function journalBytes(pglite: PGlite): Promise<number> {
  const { rows } = await pglite.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::text as bytes",
  )
  return Number(rows[0]!.bytes)
}

/** One whose files are damaged may find no end. */
async function close(pglite: PGlite): Promise<void> {
  if (pglite.closed) return
  const over = new AbortController()
  await Promise.race([pglite.close(), pause(CLOSE_DEADLINE_MS, over.signal)]).finally(() => over.abort())
}

/**
 * Nothing leaves the database before it is on the disk, and nothing more once the database is damaged or a sync has failed:
 * each result could be wrong.
 */
function createWatch(files: DurableFiles): {
  damaged: AbortSignal
  watch<T>(work: () => Promise<T>): Promise<T>
} {
  const found = new AbortController()
  const leaveBehind = collectingEvery(COLLECT_EVERY, 'meanwhile')
  const end = () => found.abort(files.failed.reason)
  if (files.failed.aborted) end()
  files.failed.addEventListener('abort', end)
  return {
    damaged: found.signal,
    async watch(work) {
      found.signal.throwIfAborted()
      leaveBehind(1)
      try {
        const result = await work()
        await files.synced()
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

// The database inside this process: Postgres in WebAssembly, in a folder of the data folder.
// Takes no lock (lib/lock.ts must be held) and promises nothing over a power cut: it can be rebuilt from the files.

import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { diskSpace, isDiskFull } from '../src/lib/disk-space.ts'
import { makeFolder } from '../src/lib/durable.ts'
import type { Log } from '../src/lib/log.ts'
import { fail, type Result, succeed } from '../src/lib/result.ts'
import type { Database, DatabaseFailure, Orm } from './database.ts'
import { withoutValues } from './errors.ts'
import { bringUpToDate } from './migrate.ts'
import { preparing, preparingForQueue } from './prepared.ts'
import * as schema from './schema.ts'
import { setAside } from './set-aside.ts'

/** Named by the major version that made it: another one cannot open it. */
const FOLDER = 'postgres-18'
/** Opening writes, and a segment of its journal alone has 16 MB. */
const MIN_FREE_BYTES = 64 * 1024 ** 2

type Compiled = Promise<WebAssembly.Module>
type Options = { dataFolder: string; compiled: Compiled; log: Log }

/** Opens it, makes it where there is none, and where it cannot be opened sets it aside and makes a new one. */
export async function openEmbedded({
  dataFolder,
  compiled,
  log,
}: Options): Promise<Result<Database, DatabaseFailure>> {
  const folder = join(dataFolder, FOLDER)
  try {
    await makeFolder(dataFolder)
    if (!existsSync(folder)) await createFolder(folder, compiled)
    return await open(folder, compiled).catch(async (error: unknown) => {
      // What fails for want of room is as good as before once there is some.
      if (await lacksRoom(error, dataFolder)) return fail(noRoom(dataFolder))
      const aside = await setAside(folder)
      log.error(
        { aside, reason: String(error) },
        'the database cannot be opened; it is made anew from the files',
      )
      await createFolder(folder, compiled)
      return open(folder, compiled)
    })
  } catch (error) {
    if (await lacksRoom(error, dataFolder)) return fail(noRoom(dataFolder))
    const reason = error instanceof Error ? error.message : String(error)
    const message = `The database in ${folder} can be neither opened nor made anew (${reason}).`
    return fail({ code: 'database_unusable', message })
  }
}

/** Postgres in WebAssembly does not always say why it ended, so the disk is asked too. */
async function lacksRoom(error: unknown, dataFolder: string): Promise<boolean> {
  if (isDiskFull(error)) return true
  const space = await diskSpace(dataFolder).catch(() => null)
  return space !== null && space.freeBytes < MIN_FREE_BYTES
}

const noRoom = (dataFolder: string): DatabaseFailure => ({
  code: 'database_unusable',
  message: `The disk that holds ${dataFolder} is full, so the database cannot be opened. Make room and start again.`,
})

/** Made under another name first, so that a first start that is killed leaves nothing half made. */
async function createFolder(folder: string, compiled: Compiled): Promise<void> {
  const unfinished = `${folder}.new`
  await rm(unfinished, { recursive: true, force: true })
  await makeFolder(unfinished)
  const pglite = await start(unfinished, compiled)
  await pglite.close()
  await rename(unfinished, folder)
}

const start = async (folder: string, compiled: Compiled) =>
  PGlite.create(folder, { extensions: { pg_trgm }, pgliteWasmModule: await compiled })

async function open(folder: string, compiled: Compiled): Promise<Result<Database, DatabaseFailure>> {
  const pglite = await start(folder, compiled)
  const plain = drizzle({ client: pglite, schema })
  const current = await bringUpToDate(plain as unknown as Orm, (_, config) => migrate(plain, config)).catch(
    async (error) => {
      await pglite.close()
      throw error
    },
  )
  if (!current.ok) {
    await pglite.close()
    return fail(current.failure)
  }
  const orm = drizzle({ client: preparing(pglite) as unknown as PGlite, schema })
  const database: Database = {
    kind: 'embedded',
    connection: { kind: 'embedded', pglite: preparingForQueue(pglite as unknown as PGlite) },
    run: (work) => withoutValues(() => work(orm as unknown as Orm)),
    transaction: (work) => withoutValues(() => orm.transaction((tx) => work(tx as unknown as Orm))),
    vacuum: async () => {
      await pglite.exec('vacuum (analyze)')
    },
    close: () => pglite.close(),
  }
  return succeed(database)
}

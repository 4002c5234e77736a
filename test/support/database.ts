// A separate database for each test: embedded by default, or on the Postgres that TEST_DATABASE_URL names. Nothing in
// it is replaced. Creating a migrated database takes longer than most tests, so one is created once and copied.

import { createHash, randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, truncateSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, rm, truncate } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import type { Database } from '../../db/database.ts'
import { type EmbeddedStart, prepareEmbedded } from '../../db/embedded-start.ts'
import { openDatabase } from '../../db/open.ts'
import { openQueue } from '../../src/jobs/queue.ts'
import { silentLog } from '../../src/lib/log.ts'

const serverUrl = process.env.TEST_DATABASE_URL ?? null

export const databaseKind = serverUrl === null ? 'embedded' : 'external'

export type TestFolder = {
  dataFolder: string
  databaseUrl: string | null
  /** opens the database, or creates an empty one in its place; the caller closes it */
  open(how?: { rebuild: boolean }): Promise<Database>
  [Symbol.asyncDispose](): Promise<void>
}

/** Changes the migration history, as if another version had created the database. */
export const madeByAnotherHistory = sql`update drizzle.__drizzle_migrations set created_at = created_at - 1`

const JOURNAL = 'pg_wal'
const SEGMENT_BYTES = 16 * 1024 ** 2

/** The databases that Postgres creates others from (template1, template0), which are never written to. */
const NEVER_WRITTEN = ['base/1', 'base/4']

/** Compiled once for all tests of a file: it takes longer than the rest of opening a database. */
let prepared: EmbeddedStart | undefined
function preparedOnce(): EmbeddedStart | undefined {
  if (serverUrl === null) prepared ??= prepareEmbedded()
  return prepared
}

// At import, where no test timeout applies: the first start takes seconds.
const identity = await templateIdentity()
const template = serverUrl === null ? await findOrMakeTemplate() : null
const serversTemplate = serverUrl === null ? null : await findOrMakeServersTemplate()

/** Changes with a migration, a package or this file. */
async function templateIdentity(): Promise<string> {
  const root = resolve(import.meta.dir, '../..')
  const hash = createHash('sha256').update(await readFile(join(root, 'package-lock.json')))
  hash.update(await readFile(import.meta.path))
  const migrations = join(root, 'db/migrations')
  for (const name of (await readdir(migrations)).filter((one) => one.endsWith('.sql')).sort())
    hash.update(await readFile(join(migrations, name)))
  return hash.digest('hex').slice(0, 12)
}

/** Stored in the temporary folder between runs. */
async function findOrMakeTemplate(): Promise<string> {
  const path = join(tmpdir(), `dictation-template-${userInfo().uid}-${identity}`)
  if (!existsSync(path)) await makeTemplate(path)
  return path
}

function urlOf(name: string): string {
  return Object.assign(new URL(serverUrl!), { pathname: name }).href
}

/** Stored on the server between runs. */
async function findOrMakeServersTemplate(): Promise<string> {
  const name = `test_template_${identity}`
  await onServer(async (sql) => {
    if ((await sql`select 1 from pg_database where datname = ${name}`).length > 0) return
    const made = `test_${randomUUID().replaceAll('-', '')}`
    await sql.unsafe(`create database ${made}`)
    const databaseUrl = urlOf(made)
    const opened = await openDatabase({ dataFolder: tmpdir(), databaseUrl, log: silentLog })
    if (!opened.ok) throw new Error(opened.failure.message)
    await (await openQueue({ database: opened.value, log: silentLog })).stop()
    await opened.value.close()
    // A parallel run may have been faster; its template is equivalent.
    await sql
      .unsafe(`alter database ${made} rename to ${name}`)
      .catch(() => sql.unsafe(`drop database ${made} with (force)`))
  })
  return name
}

async function makeTemplate(path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-database-'))
  const made = await openDatabase({
    dataFolder: folder,
    databaseUrl: null,
    embedded: preparedOnce(),
    log: silentLog,
  })
  if (!made.ok) throw new Error(made.failure.message)
  await (await openQueue({ database: made.value, log: silentLog })).stop()
  // The write-ahead log of the creation is already in the tables, and its next segment starts empty.
  for (const one of ['select pg_switch_wal()', 'checkpoint'])
    await made.value.run((orm) => orm.execute(sql.raw(one)))
  await made.value.close()
  await shortenJournal(join(folder, 'postgres-18', JOURNAL))
  // A parallel run may have been faster; its template is equivalent.
  await rename(folder, path).catch(() => rm(folder, { recursive: true, force: true }))
}

/**
 * Copies only a few of 40 MB, since copying is most of the cost of an empty database. Awaiting each of 1,100 files is
 * three times as slow.
 */
function copyTemplate(from: string, to: string): void {
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const folder = join(to, entry.parentPath.slice(from.length))
    const [source, target] = [join(entry.parentPath, entry.name), join(folder, entry.name)]
    mkdirSync(entry.isFile() ? folder : target, { recursive: true, mode: 0o700 })
    if (!entry.isFile()) continue
    if (NEVER_WRITTEN.some((one) => folder.endsWith(one))) linkSync(source, target)
    else copyFileSync(source, target)
    if (folder.endsWith(JOURNAL)) truncateSync(target, SEGMENT_BYTES)
  }
}

/**
 * Keeps only the used part of the write-ahead log; the copy recreates the zeros behind it and the prepared segments.
 */
async function shortenJournal(folder: string): Promise<void> {
  const [current, ...toCome] = (await readdir(folder)).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort()
  for (const name of toCome) await rm(join(folder, name))
  const bytes = await readFile(join(folder, current!))
  let end = bytes.length
  while (bytes[end - 1] === 0) end--
  await truncate(join(folder, current!), end)
}

/** A data folder with an empty, migrated database. */
export async function createTestFolder(): Promise<TestFolder> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dictation-test-'))
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const databaseUrl = serverUrl === null ? null : urlOf(name)
  if (template !== null) copyTemplate(template, dataFolder)
  else await onServer((sql) => sql.unsafe(`create database ${name} template ${serversTemplate}`))
  return {
    dataFolder,
    databaseUrl,
    async open(how) {
      const opened = await openDatabase({
        dataFolder,
        databaseUrl,
        embedded: preparedOnce(),
        ...how,
        log: silentLog,
      })
      if (!opened.ok) throw new Error(opened.failure.message)
      return opened.value
    },
    async [Symbol.asyncDispose]() {
      await rm(dataFolder, { recursive: true, force: true })
      if (databaseUrl !== null) await onServer((sql) => sql.unsafe(`drop database ${name} with (force)`))
    },
  }
}

async function onServer(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(serverUrl!, { max: 1, onnotice: () => {} })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}

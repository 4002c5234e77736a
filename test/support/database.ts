// A database of its own for each test: embedded by default, and on the real Postgres that TEST_DATABASE_URL names.
// Nothing in it is replaced; only making the embedded one's folder, which costs seconds, is done once and copied.

import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import postgres from 'postgres'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/open.ts'
import { openQueue } from '../../src/jobs/queue.ts'
import { silentLog } from '../../src/lib/log.ts'

const serverUrl = process.env.TEST_DATABASE_URL ?? null

export const databaseKind = serverUrl === null ? 'embedded' : 'external'

export type TestFolder = {
  dataFolder: string
  databaseUrl: string | null
  /** opens the database anew; the caller closes it */
  open(): Promise<Database>
  [Symbol.asyncDispose](): Promise<void>
}

// At import, where no test's time limit runs: the first start takes seconds.
const template = serverUrl === null ? await findOrMakeTemplate() : null

/** Kept in the temporary folder from one run to the next, until a migration or a package changes. */
async function findOrMakeTemplate(): Promise<string> {
  const root = resolve(import.meta.dir, '../..')
  const hash = createHash('sha256').update(await readFile(join(root, 'package-lock.json')))
  const migrations = join(root, 'db/migrations')
  for (const name of (await readdir(migrations)).filter((one) => one.endsWith('.sql')).sort())
    hash.update(await readFile(join(migrations, name)))
  const path = join(tmpdir(), `dictation-template-${userInfo().uid}-${hash.digest('hex').slice(0, 12)}`)
  if (!existsSync(path)) await makeTemplate(path)
  return path
}

async function makeTemplate(path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-database-'))
  const made = await openDatabase({ dataFolder: folder, databaseUrl: null, log: silentLog })
  if (!made.ok) throw new Error(made.failure.message)
  await (await openQueue({ database: made.value, log: silentLog })).stop()
  await made.value.close()
  // Another run may have been faster; then its template is as good.
  await rename(folder, path).catch(() => rm(folder, { recursive: true, force: true }))
}

/** A data folder with an empty database that is up to date. */
export async function createTestFolder(): Promise<TestFolder> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dictation-test-'))
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const databaseUrl = serverUrl === null ? null : Object.assign(new URL(serverUrl), { pathname: name }).href
  if (template !== null) await cp(template, dataFolder, { recursive: true })
  else await onServer((sql) => sql.unsafe(`create database ${name}`))
  return {
    dataFolder,
    databaseUrl,
    async open() {
      const opened = await openDatabase({ dataFolder, databaseUrl, log: silentLog })
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

// Opening the database: created, reopened, rejected; on the embedded one and on a real Postgres.

import { expect, test } from 'bun:test'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { findCapture, saveCapture } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { insertJob } from '../../db/jobs.ts'
import { openDatabase } from '../../db/open.ts'
import type { CaptureRow } from '../../db/schema.ts'
import { factsOf } from '../../src/captures/capture-index.ts'
import { firstJob } from '../../src/captures/new-capture.ts'
import { DatabaseUnavailableError } from '../../src/lib/database-errors.ts'
import { silentLog } from '../../src/lib/log.ts'
import { newId } from '../../src/lib/uuid.ts'
import { testAtLength } from '../support/at-length.ts'
import { createTestFolder, databaseKind, madeByAnotherHistory } from '../support/database.ts'
import { createProxy } from '../support/proxy.ts'
import { until } from '../support/until.ts'

/** Postgres's ReadyForQuery, outside a transaction. */
const READY = Buffer.from('Z\0\0\0\x05I')
const now = new Date('2026-03-01T12:00:00.123Z')

const row = (more: Partial<CaptureRow> = {}): CaptureRow => ({
  id: newId(now),
  revision: 1,
  source: 'file',
  status: 'pending',
  error: { code: 'x', message: 'a "quoted" message' },
  language: null,
  detectedLanguage: 'de',
  languageProbability: 0.25,
  durationMs: 1234,
  transcriptRaw: 'Grüße 🎤',
  transcriptEngine: '',
  transcriptRefined: null,
  refinementStatus: 'none',
  refinementFlags: { smartCleanup: true, selfCorrection: false, preserveTechnical: false },
  sttModel: null,
  llmModel: null,
  writingStyleId: null,
  corrections: 2,
  wordCount: 1,
  audioPath: 'captures/2026-03/x.wav',
  audioAvailable: true,
  audioBytes: 5_000_000_000,
  audioSha256: 'ab',
  audioType: 'audio/wav',
  title: null,
  fileName: null,
  appName: null,
  appId: null,
  appUrl: null,
  windowTitle: null,
  starred: false,
  tags: ['Größe "A"', 'x'],
  trashedAt: null,
  processingMs: { decode: 1.5, transcribe: null, refine: null },
  recordedAt: now,
  createdAt: now,
  updatedAt: now,
  shelved: null,
  copiedRevision: 0,
  ...more,
})

const indexed = async (one: CaptureRow) => ({ capture: one, facts: await factsOf(one) })
const save = (database: Database, one: CaptureRow) =>
  database.run(async (orm) => saveCapture(orm, await indexed(one)))
const find = (database: Database, id: string) => database.run((orm) => findCapture(orm, id))

test('reads a row as it was written, also after closing and reopening', async () => {
  await using folder = await createTestFolder()
  const one = row()
  const first = await folder.open()
  await save(first, one)
  await first.vacuum()
  await first.close()
  const again = await folder.open()
  expect(await find(again, one.id)).toEqual({ capture: one, segments: [], job: null })
  await again.close()
})

test('rolls back a failed transaction', async () => {
  await using folder = await createTestFolder()
  const database = await folder.open()
  const one = row()
  const broken = database.transaction(async (tx) => {
    await saveCapture(tx, await indexed(one))
    throw new Error('on purpose')
  })
  await expect(broken).rejects.toThrow('on purpose')
  expect(await find(database, one.id)).toBeNull()
  await database.close()
})

test('refuses a second unfinished job for a capture', async () => {
  await using folder = await createTestFolder()
  const database = await folder.open()
  const one = row()
  await save(database, one)
  await database.run((orm) => insertJob(orm, firstJob(one, now)))
  const second = database.run((orm) => insertJob(orm, firstJob(one, now)))
  await expect(second).rejects.toMatchObject({ name: 'DatabaseError', code: '23505' })
  await database.close()
})

test('refuses to expose the user’s words in an error', async () => {
  await using folder = await createTestFolder()
  const database = await folder.open()
  const failing = save(database, row({ transcriptRaw: 'secret words', wordCount: 2 ** 40 }))
  const error = await failing.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Error)
  expect(Bun.inspect(error)).not.toContain('secret words')
  expect(JSON.stringify(error)).not.toContain('secret words')
  await database.close()
})

test('refuses a database of a later version', async () => {
  await using folder = await createTestFolder()
  const database = await folder.open()
  await database.run((orm) =>
    orm.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 99999999999999)`,
    ),
  )
  await database.close()
  const { dataFolder, databaseUrl } = folder
  expect(await openDatabase({ dataFolder, databaseUrl, log: silentLog })).toMatchObject({
    ok: false,
    failure: { code: 'database_too_new' },
  })
})

test('refuses a database with foreign migrations', async () => {
  await using folder = await createTestFolder()
  const database = await folder.open()
  await database.run((orm) => orm.execute(madeByAnotherHistory))
  await database.close()
  const { dataFolder, databaseUrl } = folder
  const opened = await openDatabase({ dataFolder, databaseUrl, log: silentLog })
  if (opened.ok) throw new Error('it opened')
  expect(opened.failure.code).toBe('database_unknown')
  expect(opened.failure.message.includes('DATABASE_URL')).toBe(databaseKind === 'external')
})

testAtLength.skipIf(databaseKind === 'external')(
  'reuses the journal files of the embedded database after each vacuum',
  async () => {
    await using folder = await createTestFolder()
    const database = await folder.open()
    await database.run((orm) => orm.execute(sql`create table much (words text)`))
    // 250 MB of changes.
    for (let round = 0; round < 16; round++) {
      await database.run((orm) =>
        orm.execute(sql`insert into much select repeat('words ', 200) from generate_series(1, 12000)`),
      )
      await database.run((orm) => orm.execute(sql`truncate much`))
      if (round % 4 === 3) await database.vacuum()
    }
    const journal = join(folder.dataFolder, 'postgres-18', 'pg_wal')
    const segments = (await readdir(journal)).filter((name) => /^[0-9A-F]{24}$/.test(name))
    expect(segments.length).toBeLessThanOrEqual(128 / 16 + 1)
    await database.close()
  },
  60_000,
)

test.skipIf(databaseKind === 'external')(
  'starts after an interrupted first start',
  async () => {
    await using folder = await createTestFolder()
    const made = join(folder.dataFolder, 'postgres-18')
    await Bun.$`mv ${made} ${made}.new && rm ${made}.new/PG_VERSION`.quiet()
    const database = await folder.open()
    expect(await find(database, newId(now))).toBeNull()
    await database.close()
    expect(await readdir(folder.dataFolder)).toEqual(['postgres-18'])
    expect((await stat(made)).mode & 0o777).toBe(0o700)
  },
  60_000,
)

test('runs exclusive work of one name one after the other', async () => {
  await using folder = await createTestFolder()
  const database = await folder.open()
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    await database.run((orm) => orm.execute(sql`select 1`))
    running--
  }
  await Promise.all(Array.from({ length: 20 }, () => database.exclusively('work', work)))
  expect(most).toBe(1)
  await database.close()
})

test.skipIf(databaseKind === 'embedded')('keeps exclusive work of one server from the others', async () => {
  await using folder = await createTestFolder()
  const [one, other] = [await folder.open(), await folder.open()]
  const done = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const first = one.exclusively('work', async () => {
    begun.resolve()
    await done.promise
    return 'first'
  })
  await begun.promise
  expect(await other.exclusively('work', async () => 'second')).toBeNull()
  expect(await other.exclusively('other work', async () => 'third')).toBe('third')
  const waiting = other.exclusively('work', async () => 'second', { waitMs: 60_000 })
  done.resolve()
  expect([await first, await waiting]).toEqual(['first', 'second'])
  for (const database of [one, other]) await database.close()
})

test('reports an unreachable database without its password', async () => {
  const databaseUrl = 'postgres://someone:hunter2@127.0.0.1:1/nothing'
  const opened = await openDatabase({ dataFolder: '/nowhere', databaseUrl, log: silentLog })
  if (opened.ok) throw new Error('it opened')
  expect(opened.failure.code).toBe('database_unreachable')
  expect(opened.failure.message).not.toContain('hunter2')
})

test('refuses a query after the database was closed, without opening a connection', async () => {
  await using folder = await createTestFolder()
  const database = await folder.open()
  const query = () => database.run((orm) => orm.execute(sql`select ${1}::int`))
  await query()
  await database.close()
  for (let count = 0; count < 2; count++) await expect(query()).rejects.toThrow()
})

test.skipIf(databaseKind === 'embedded')(
  'fails only its query when a connection is lost while it opens',
  async () => {
    await using folder = await createTestFolder()
    using proxy = await createProxy(folder.databaseUrl!)
    const { dataFolder } = folder
    const opened = await openDatabase({ dataFolder, databaseUrl: proxy.url, log: silentLog })
    if (!opened.ok) throw new Error(opened.failure.message)
    const database = opened.value
    const watcher = postgres(folder.databaseUrl!, { max: 1 })
    const queries = () => watcher<{ query: string }[]>`select query from pg_stat_activity
      where datname = current_database() and application_name = 'local-dictation' and query <> ''`
    const before = (await queries()).length

    // Each connection gets ReadyForQuery, and no response to its queries.
    proxy.mute(READY)
    const calls = Array.from({ length: 4 }, () =>
      database.run((orm) => orm.execute(sql`select 1`)).catch((error: unknown) => error),
    )
    await until(async () => (await queries()).length > before, { what: 'a new connection' })
    proxy.cut()
    for (const failed of await Promise.all(calls)) expect(failed).toBeInstanceOf(DatabaseUnavailableError)
    await watcher.end()
    await database.close()
  },
)

test.skipIf(databaseKind === 'embedded')('reopens lost connections, and takes new locks', async () => {
  await using folder = await createTestFolder()
  const database = await folder.open()
  // From outside, as an administrator or a restart of Postgres would.
  const other = postgres(folder.databaseUrl!, { max: 1 })
  await other`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
  const one = row()
  const isDone = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    )
  await until(() => isDone(save(database, one)), { what: 'the database to answer again' })
  expect(await database.exclusively('work', async () => 'done')).toBe('done')
  await other.end()
  await database.close()
})

test('reports a read-only folder in one clear sentence', async () => {
  await using folder = await createTestFolder()
  const inTheWay = join(folder.dataFolder, 'a-file')
  await Bun.write(inTheWay, '')
  const opened = await openDatabase({ dataFolder: inTheWay, databaseUrl: null, log: silentLog })
  expect(opened).toMatchObject({ ok: false, failure: { code: 'database_unusable' } })
})

// A damaged database is quarantined once and rebuilt from the files, whichever part of the server detects the damage.
// The real server on the embedded database; `npm run torture -- pages` damages every table and index in turn.

import { afterAll, expect, test } from 'bun:test'
import { cp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { forgetCleanShutdown } from '../../db/clean-shutdown.ts'
import { type Damage, damage, databaseFolder, relationsOf } from '../support/damage.ts'
import { createTestFolder, databaseKind, madeByAnotherHistory, type TestFolder } from '../support/database.ts'
import { type RunningServer, startServer } from '../support/server.ts'
import { recordingFile } from '../support/speech.ts'
import { until } from '../support/until.ts'

const embedded = test.skipIf(databaseKind === 'external')

async function damageFileOf(folder: TestFolder, name: string, how: Damage): Promise<void> {
  const database = await folder.open()
  const relation = (await relationsOf(database)).find((one) => one.name === name)!
  await database.close()
  expect(await damage(join(databaseFolder(folder.dataFolder), relation.path), how)).toBe(true)
}

const json = async (url: string, init?: RequestInit) => (await fetch(url, init)).json()
const setAside = async (dataFolder: string) =>
  (await readdir(dataFolder)).filter((name) => name.includes('unusable'))

type Used = { folder: TestFolder; id: string }

let used: Promise<Used> | undefined
afterAll(async () => (await used)?.folder[Symbol.asyncDispose]())

/** A folder of a server that was stopped with a capture and a dictionary entry; each test has a copy. */
async function usedFolder({ dataFolder }: TestFolder): Promise<{ id: string }> {
  used ??= makeUsed()
  const { folder, id } = await used
  await rm(dataFolder, { recursive: true })
  await cp(folder.dataFolder, dataFolder, { recursive: true })
  return { id }
}

async function makeUsed(): Promise<Used> {
  const folder = await createTestFolder()
  await using server = await startServer({ dataFolder: folder.dataFolder })
  const form = new FormData()
  form.set('file', recordingFile('nothing-silence.flac'), 'a.flac')
  const { id } = await json(`${server.url}/captures`, { method: 'POST', body: form })
  await post(server, '/dictionary', { word: 'Ada' })
  return { folder, id }
}

const post = async (server: RunningServer, path: string, body: object) => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.status).toBeLessThan(300)
}

/** Everything that was created, and one quarantined folder. */
async function expectWhole(server: RunningServer, id: string): Promise<void> {
  expect(await json(`${server.url}/captures/${id}`)).toMatchObject({ id, status: 'completed' })
  expect(await json(`${server.url}/dictionary`)).toMatchObject({ items: [{ word: 'Ada' }] })
  expect(await setAside(server.dataFolder)).toHaveLength(1)
}

for (const [name, how, left] of [
  ['public.captures', 'flip', 'a kill'],
  ['pgboss.queue', 'flip', 'a kill'],
  // Postgres does not detect a page of zeros, and data outside the files cannot be checked.
  ['public.jobs_pkey', 'zero', 'a stop'],
] as const)
  embedded(
    `rebuilds the database at a start after ${left} that finds a damaged page (${how} in ${name})`,
    async () => {
      await using folder = await createTestFolder()
      const { id } = await usedFolder(folder)
      await damageFileOf(folder, name, how)
      if (left === 'a kill') await forgetCleanShutdown(databaseFolder(folder.dataFolder))
      await using server = await startServer({ dataFolder: folder.dataFolder })
      await expectWhole(server, id)
    },
    120_000,
  )

embedded(
  'rebuilds a database that cannot be opened',
  async () => {
    await using folder = await createTestFolder()
    const { id } = await usedFolder(folder)
    await writeFile(join(databaseFolder(folder.dataFolder), 'global/pg_control'), '')
    await using server = await startServer({ dataFolder: folder.dataFolder })
    await expectWhole(server, id)
  },
  120_000,
)

embedded(
  'rebuilds a database with foreign migrations',
  async () => {
    await using folder = await createTestFolder()
    const { id } = await usedFolder(folder)
    const database = await folder.open()
    await database.run((orm) => orm.execute(madeByAnotherHistory))
    await database.close()
    await using server = await startServer({ dataFolder: folder.dataFolder })
    await expectWhole(server, id)
  },
  120_000,
)

embedded(
  'responds 503 to damage while the server runs, and rebuilds in the same process',
  async () => {
    await using folder = await createTestFolder()
    const { id } = await usedFolder(folder)
    await damageFileOf(folder, 'public.capture_facts_terms', 'flip')
    // As after a kill: a start after a clean stop would detect it before any request.
    await forgetCleanShutdown(databaseFolder(folder.dataFolder))
    await using server = await startServer({ dataFolder: folder.dataFolder })
    expect(await setAside(folder.dataFolder)).toEqual([])
    const search = () => fetch(`${server.url}/captures?q=hello`)
    const refused = await search()
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect(await refused.json()).toMatchObject({ code: 'database_damaged' })
    expect(await json(`${server.url}/health`)).toMatchObject({
      status: 'degraded',
      database_state: 'rebuilding',
    })
    expect((await fetch(`${server.url}/captures`)).status).toBe(503)
    await until(async () => (await json(`${server.url}/health`)).database_state === 'ready', {
      timeoutMs: 60_000,
      what: 'the database to be rebuilt',
    })
    await expectWhole(server, id)
    expect((await search()).status).toBe(200)
    const form = new FormData()
    form.set('file', recordingFile('nothing-silence.flac'), 'b.flac')
    expect((await fetch(`${server.url}/captures`, { method: 'POST', body: form })).status).toBe(201)
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('dictation_captures 2')
  },
  120_000,
)

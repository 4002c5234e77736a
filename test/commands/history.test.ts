// The log of what commands did, over a real database and a real data folder.
// An older database is one whose rows of before are put back by hand.

import { afterAll, beforeEach, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { setAside } from '../../db/set-aside.ts'
import type { RunOutcome } from '../../src/commands/command-run.ts'
import { type CommandHistory, openCommandHistory } from '../../src/commands/history.ts'
import { RUN_NUMBERS_FILE } from '../../src/commands/run-numbers.ts'
import { silentLog } from '../../src/lib/log.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createTestFolder } from '../support/database.ts'

const folder = await createTestFolder()
const database = await folder.open()
const { dataFolder } = folder
afterAll(async () => {
  await database.close()
  await folder[Symbol.asyncDispose]()
})

const open = (maxRuns?: number) =>
  openCommandHistory({
    ...{ database, dataFolder, clock: () => new Date(), log: silentLog },
    ...(maxRuns !== undefined && { maxRuns }),
  })
const query = (text: string) => database.run((orm) => orm.execute(sql.raw(text)))

const keepDatabase = () => query('create table kept as select * from command_runs')
const putOlderDatabaseBack = async () => {
  await query('delete from command_runs')
  await query('insert into command_runs select * from kept')
  await query('drop table kept')
}

let history: CommandHistory
beforeEach(async () => {
  await query('delete from command_runs')
  await rm(join(dataFolder, RUN_NUMBERS_FILE), { force: true })
  history = await open()
})

const outcome = (output: string, createdAt = new Date()): RunOutcome => ({
  ...{ id: newId(createdAt), status: 'succeeded', kind: 'transform', input: 'a', output, createdAt },
  ...{ command: { id: null, name: 'upper case', instruction: 'upper case' }, changed: true, keys: [] },
  ...{ target: 'replace_selection', usedLlm: false, model: null, transcript: null, durationMs: 1 },
  error: null,
})
const add = async (to: CommandHistory, ...outputs: string[]) => {
  for (const output of outputs) await to.add(outcome(output))
}
const outputs = async (of: CommandHistory) =>
  (await of.list({ limit: 500, offset: 0 })).items.map(({ output }) => output)

test('forgets the oldest beyond its limit, whatever the clock says', async () => {
  const short = await open(2)
  for (const [output, day] of [
    ['first', '2026-03-03'],
    ['second', '2026-03-02'],
    ['third', '2026-03-01'],
  ] as const)
    await short.add(outcome(output, new Date(day)))
  expect(await outputs(short)).toEqual(['third', 'second'])
})

test('what was cleared stays so with an older database, and what came after it counts', async () => {
  await add(history, 'one', 'two')
  await keepDatabase()
  await add(history, 'three')
  expect(await history.clear()).toBe(3)
  await add(history, 'four')
  await putOlderDatabaseBack()
  const again = await open()
  expect(await outputs(again)).toEqual([])
  await add(again, 'five')
  expect(await outputs(await open())).toEqual(['five'])
})

test('what was cleared while a newer database was away stays so when that one is back', async () => {
  await add(history, ...Array.from({ length: 150 }, (_, index) => `run ${index}`))
  await keepDatabase()
  await query('delete from command_runs')
  const meanwhile = await open()
  await add(meanwhile, 'meanwhile')
  expect(await meanwhile.clear()).toBe(1)
  await putOlderDatabaseBack()
  expect(await outputs(await open())).toEqual([])
})

test('what has given way to newer runs comes back with an older database for the last hundred at most', async () => {
  const short = await open(10)
  await add(short, ...Array.from({ length: 10 }, (_, index) => `old ${index}`))
  await keepDatabase()
  await add(short, ...Array.from({ length: 120 }, (_, index) => `new ${index}`))
  await putOlderDatabaseBack()
  expect(await outputs(await open(10))).toEqual([])
})

test('a start loses nothing that is remembered', async () => {
  await add(history, 'one', 'two')
  const again = await open()
  await add(again, 'three')
  expect(await outputs(await open())).toEqual(['three', 'two', 'one'])
})

test('a file that is lost or spoiled costs no run', async () => {
  await add(history, 'one')
  await rm(join(dataFolder, RUN_NUMBERS_FILE))
  await add(await open(), 'two')
  await writeFile(join(dataFolder, RUN_NUMBERS_FILE), '{"format": 1, "rows": [{"given": -1')
  await add(await open(), 'three')
  expect(await outputs(await open())).toEqual(['three', 'two', 'one'])
})

test('clearing takes along a database that was set aside and may hold the same texts', async () => {
  const unusable = join(dataFolder, 'postgres-17')
  await mkdir(unusable)
  const aside = await setAside(unusable)
  await history.clear()
  expect(existsSync(aside)).toBe(false)
})

test('refuses to say that it is clear where that could not be written down', async () => {
  await add(history, 'one')
  const blocked = join(dataFolder, `${RUN_NUMBERS_FILE}.part`)
  await mkdir(blocked)
  try {
    await expect(history.clear()).rejects.toMatchObject({ code: 'EISDIR' })
    expect(await outputs(history)).toEqual(['one'])
  } finally {
    await rm(blocked, { recursive: true })
  }
  expect(await history.clear()).toBe(1)
  expect(await readdir(dataFolder)).toContain(RUN_NUMBERS_FILE)
})

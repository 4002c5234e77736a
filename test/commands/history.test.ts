// The command history with a real database and a real data folder.

import { afterAll, beforeEach, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { quarantine } from '../../db/quarantine.ts'
import type { RunOutcome } from '../../src/commands/command-run.ts'
import { type CommandHistory, createCommandHistory } from '../../src/commands/history.ts'
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
  createCommandHistory({
    ...{ database, dataFolder, log: silentLog },
    ...(maxRuns !== undefined && { maxRuns }),
  })
const query = (text: string) => database.run((orm) => orm.execute(sql.raw(text)))

let history: CommandHistory
beforeEach(async () => {
  await query('delete from command_runs')
  history = open()
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

test('drops the oldest runs beyond its limit, regardless of the clock', async () => {
  const short = open(2)
  for (const [output, day] of [
    ['first', '2026-03-03'],
    ['second', '2026-03-02'],
    ['third', '2026-03-01'],
  ] as const)
    await short.add(outcome(output, new Date(day)))
  expect(await outputs(short)).toEqual(['third', 'second'])
})

test('adds all runs that end at the same moment', async () => {
  await Promise.all(['one', 'two', 'three'].map((output) => history.add(outcome(output))))
  expect((await outputs(history)).toSorted()).toEqual(['one', 'three', 'two'])
})

test('clearing returns the number of deleted runs, and later runs are added as before', async () => {
  await add(history, 'one', 'two')
  expect(await history.clear()).toBe(2)
  await add(history, 'three', 'four')
  expect(await outputs(open())).toEqual(['four', 'three'])
})

test('retains all runs across a restart', async () => {
  await add(history, 'one', 'two')
  await add(open(), 'three')
  expect(await outputs(open())).toEqual(['three', 'two', 'one'])
})

test('clearing also deletes a database that was set aside, which may hold the same texts', async () => {
  const unusable = join(dataFolder, 'postgres-17')
  await mkdir(unusable)
  const aside = await quarantine(unusable)
  await history.clear()
  expect(existsSync(aside)).toBe(false)
})

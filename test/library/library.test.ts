// The library on a real database: changes, the copy, and the comparison of both.

import { afterAll, beforeEach, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { findLibrary, raiseRevision } from '../../db/library.ts'
import { verifyLibrary } from '../../src/library/copy.ts'
import { createDataFolderStore } from '../../src/store/data-folder.ts'
import { NEW_ENTRY } from '../../src/text/dictionary/entry.ts'
import { createTestFolder, databaseKind } from '../support/database.ts'
import { openStores } from '../support/library.ts'
import { until } from '../support/until.ts'

const folder = await createTestFolder()
const database = await folder.open()
const { dataFolder } = folder
afterAll(async () => {
  await database.close()
  await folder[Symbol.asyncDispose]()
})

const file = join(dataFolder, 'library.json')
const open = (onDatabase = database, copying = true) =>
  openStores({ database: onDatabase, dataFolder, copying })
const row = async () => (await database.run(findLibrary))!
const copied = async () => JSON.parse(await readFile(file, 'utf8'))
const word = (text: string) => ({ ...NEW_ENTRY, aliases: [], type: 'term' as const, word: text })

beforeEach(async () => {
  const stores = await open()
  await stores.dictionary.clear()
  await stores.close()
})

test('increments the revision with each change, unless nothing changes', async () => {
  const { settings, styles, dictionary, saved, library } = await open(database, false)
  const { revision } = await row()
  await dictionary.create(word('one'))
  await styles.change(styles.default().id, { priority: 1 })
  await saved.create({ name: 'Tidy', triggers: ['tidy it'], instructions: null, steps: ['upper case'] })
  await settings.change({ typingWpm: 70 })
  await Promise.all([library.webhookKey(), library.webhookKey()])
  expect((await row()).revision).toBe(revision + 5)
  await dictionary.create(word('ONE'))
  await styles.setDefault(styles.default().id)
  await settings.change({ typingWpm: 70 })
  expect((await row()).revision).toBe(revision + 5)
})

test('writes the copy soon: readable JSON with one row per line, for its owner only', async () => {
  const { dictionary, settings, library } = await open()
  const key = await library.webhookKey()
  await Promise.all(['one', 'two', 'three'].map((text) => dictionary.create(word(text))))
  const { revision } = await row()
  await until(async () => (await row()).copiedRevision === revision)
  const copy = await copied()
  expect(copy).toMatchObject({ format: 1, revision, webhookKey: key, settings: settings.current() })
  expect(copy.dictionary).toEqual(JSON.parse(JSON.stringify(dictionary.list())))
  expect(copy.writingStyles).toHaveLength(7)
  const lines = (await readFile(file, 'utf8')).split('\n')
  expect(lines.filter((line) => line.startsWith('    {'))).toHaveLength(
    3 + copy.writingStyles.length + copy.commands.length,
  )
})

test('writes an outdated copy at the start, and the use counts at a stop', async () => {
  const killed = await open(database, false)
  const made = await killed.dictionary.create(word('counted'))
  const id = made.ok ? made.value.id : ''
  await rm(file)
  const stores = await open()
  await until(() => existsSync(file))
  stores.dictionary.noteUse([{ id, count: 3 }])
  await stores.close()
  expect((await copied()).dictionary).toMatchObject([{ word: 'counted', usageCount: 3 }])
})

test('accepts changes while the copy cannot be written, and updates the copy later', async () => {
  const stores = await open()
  // A folder at that path makes the write fail.
  await mkdir(`${file}.part`)
  await stores.settings.change({ trashDays: 4 })
  await stores.close()
  const { revision, copiedRevision } = await row()
  expect(copiedRevision).toBeLessThan(revision)
  await rm(`${file}.part`, { recursive: true })
  await (await open()).close()
  expect((await copied()).settings.trashDays).toBe(4)
})

test('applies a committed change whose response was lost before the next one', async () => {
  let isLost = false
  const losing: typeof database = {
    ...database,
    async transaction(work) {
      const done = await database.transaction(work)
      if (isLost) throw new Error('the connection was lost')
      return done
    },
  }
  const { dictionary, styles } = await open(losing, false)
  isLost = true
  await expect(dictionary.create(word('twin'))).rejects.toThrow('lost')
  isLost = false
  expect(await dictionary.create(word('twin'))).toMatchObject({
    ok: false,
    failure: { code: 'dictionary_entry_exists' },
  })
  expect((await styles.change(styles.default().id, { priority: 2 })).ok).toBe(true)
  expect((await open(database, false)).dictionary.list().map(({ word }) => word)).toEqual(['twin'])
})

test.skipIf(databaseKind === 'external')('reports lost rows of a table as damage', async () => {
  const stores = await open()
  await stores.dictionary.create(word('lost'))
  await stores.close()
  const { rows } = await row()
  await database.run((orm) => orm.execute(sql`update library set rows = rows + 1`))
  await expect(open()).rejects.toMatchObject({ code: 'XX001' })
  await database.run((orm) => orm.execute(sql`update library set rows = ${rows}`))
  await (await open()).close()
})

test('names the differences, and ignores a copy that is known to be behind', async () => {
  const stores = await open()
  await stores.dictionary.create(word('mine'))
  await stores.close()
  const verify = () => verifyLibrary({ database, store: createDataFolderStore(dataFolder) })
  expect(await verify()).toMatchObject({ differences: [] })
  const copy = await copied()
  const [entry] = copy.dictionary
  const edited = { ...copy, dictionary: [{ ...entry, word: 'other' }], webhookKey: 'mine' }
  await writeFile(file, JSON.stringify(edited))
  expect((await verify()).differences).toEqual([
    'library.json: webhookKey is not as in the database',
    'library.json: dictionary is not as in the database',
  ])
  await rm(file)
  expect((await verify()).differences).toEqual(['library.json cannot be read'])
  const { revision } = await row()
  await database.run((orm) => raiseRevision(orm, revision + 1))
  expect((await verify()).differences).toEqual([])
})

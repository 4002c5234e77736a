// A data folder of the version before library.json moves into the database, also after a kill at any moment.
// The files are as that version wrote them; database and disk are real.

import { afterAll, beforeEach, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { addCommandRun, listCommandRuns } from '../../db/commands.ts'
import { dictionaryTable, findLibrary } from '../../db/library.ts'
import { type Log, silentLog } from '../../src/lib/log.ts'
import { newId } from '../../src/lib/uuid.ts'
import { DEFAULT_SETTINGS } from '../../src/settings/settings.ts'
import { BUILTIN_STYLES } from '../../src/writing/builtin-styles.ts'
import { DICTIONARY } from '../../src/writing/dictionary-import.ts'
import { PLAIN_CONTENT } from '../../src/writing/style.ts'
import { createTestFolder } from '../support/database.ts'
import { openStores } from '../support/library.ts'

const folder = await createTestFolder()
const database = await folder.open()
let dataFolder = ''
afterAll(async () => {
  await database.close()
  await folder[Symbol.asyncDispose]()
})

/** As in a new database. */
const emptyDatabase = () =>
  database.run((orm) =>
    orm.execute(
      sql.raw('truncate library, dictionary_entries, writing_styles, saved_commands, command_runs'),
    ),
  )
beforeEach(async () => {
  await emptyDatabase()
  dataFolder = await mkdtemp(join(folder.dataFolder, 'data-'))
})

const made = '2026-01-02T03:04:05.678Z'
const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => newId(new Date(Date.parse(made) + index)))
const [word, um, minutes, tidy] = ids(4) as [string, string, string, string]
const KEY = 'a5'.repeat(32)

const dates = { createdAt: made, updatedAt: made }
const unused = { usageCount: 0, lastUsedAt: null }
const entry = (id: string, more: object) => ({
  ...{ id, type: 'term', replacement: null, aliases: [], caseSensitive: false, wholeWord: true },
  ...{ isRegex: false, enabled: true, language: null, priority: 0, source: 'manual', ...unused, ...dates },
  ...more,
})
const style = (id: string, more: object) => ({
  ...PLAIN_CONTENT,
  ...{ id, kind: 'custom', isDefault: false, ...unused, ...dates, ...more },
})
const EMAIL = BUILTIN_STYLES.find(({ name }) => name === 'Email')!

const DICTIONARY_ROWS = [
  entry(word, { word: 'Kubernetes', aliases: ['cuber netties'], usageCount: 4, lastUsedAt: made }),
  entry(um, { word: 'um', type: 'replacement', replacement: '' }),
]
const STYLE_ROWS = [
  style(minutes, { name: 'Minutes', isDefault: true, apps: ['Zoom'] }),
  style(EMAIL.id, { ...EMAIL, kind: 'builtin', name: 'Post', enabled: false }),
]
const COMMAND_ROWS = [
  {
    ...{ id: tidy, name: 'Tidy', triggers: ['tidy it'], instructions: null, steps: ['upper case'] },
    ...{ ...unused, ...dates },
  },
]

const inFolder = (name: string) => join(dataFolder, name)
const rowsFile = (rows: object[]) => JSON.stringify({ format: 1, rows })
const write = (name: string, text: string) => writeFile(inFolder(name), text)

const FILES: Record<string, string> = {
  'dictionary.json': rowsFile(DICTIONARY_ROWS),
  'writing-styles.json': rowsFile(STYLE_ROWS),
  'commands.json': rowsFile(COMMAND_ROWS),
  'command-history.json': rowsFile([{ given: 100, forgotten: 1 }]),
  'settings.json': JSON.stringify({ ...DEFAULT_SETTINGS, typingWpm: 61 }),
  'settings.previous.json': JSON.stringify({ ...DEFAULT_SETTINGS, typingWpm: 50 }),
  'webhook-secret': `${KEY}\n`,
}

async function writeEarlierFiles(more: Record<string, string | null> = {}) {
  for (const [name, text] of Object.entries({ ...FILES, ...more })) if (text !== null) await write(name, text)
}

const open = (log?: Log) => openStores({ database, dataFolder, log })
/** As a process that is killed before it writes its copy. */
const openAndDie = () => openStores({ database, dataFolder, copying: false })
type Stores = Awaited<ReturnType<typeof open>>

async function seen({ library, settings, styles, dictionary, saved }: Stores) {
  return {
    words: dictionary.list().map(({ type, word, usageCount }) => `${word}: ${type}, ${usageCount}`),
    styles: styles.list().map(({ name, enabled }) => `${name}${enabled ? '' : ' (off)'}`),
    default: styles.default().name,
    commands: saved.list().map(({ id, name }) => ({ id, name })),
    typingWpm: settings.current().typingWpm,
    key: await library.webhookKey(),
  }
}

const ALL = {
  words: ['Kubernetes: term, 4', 'um: omit, 0'],
  styles: ['Default', 'Verbatim', 'Formal', 'Post (off)', 'Chat', 'Notes', 'Code', 'Minutes'],
  default: 'Minutes',
  commands: [{ id: tidy, name: 'Tidy' }],
  typingWpm: 61,
  key: KEY,
}

const earlierFilesLeft = () => Object.keys(FILES).filter((name) => existsSync(inFolder(name)))

test('moves everything over, and removes the files when the copy has it', async () => {
  await writeEarlierFiles()
  for (const number of [1, 2])
    await database.transaction((tx) =>
      addCommandRun(tx, { id: newId(new Date()), outcome: { number }, createdAt: new Date() }, { keep: 9 }),
    )
  const stores = await open()
  expect(await seen(stores)).toEqual(ALL)
  const { rows } = await database.run((orm) => listCommandRuns(orm, { limit: 9, offset: 0 }))
  expect(rows.map(({ outcome }) => outcome)).toEqual([{ number: 2 }])
  expect(earlierFilesLeft()).toEqual(Object.keys(FILES))
  await stores.close()
  expect(earlierFilesLeft()).toEqual([])
  expect((await stat(inFolder('library.json'))).mode & 0o777).toBe(0o600)
  expect(await database.run(findLibrary)).toMatchObject({ revision: 1, copiedRevision: 1 })
  expect(await seen(await open())).toEqual(ALL)
})

test('loses nothing after a kill in the transaction or before the copy', async () => {
  await writeEarlierFiles()
  const away = { ...database, transaction: () => Promise.reject(new Error('killed')) }
  await expect(openStores({ database: away, dataFolder })).rejects.toThrow('killed')
  expect(earlierFilesLeft()).toEqual(Object.keys(FILES))
  await openAndDie()
  // A second process finds the row, and must not read the files again.
  await write('settings.json', JSON.stringify({ typingWpm: 99 }))
  const stores = await open()
  expect(await seen(stores)).toEqual(ALL)
  await stores.close()
  expect(earlierFilesLeft()).toEqual([])
})

test('ignores and keeps the files if the database has a library', async () => {
  const first = await open()
  await first.settings.change({ typingWpm: 33 })
  await first.close()
  await writeEarlierFiles()
  const stores = await open()
  expect(await seen(stores)).toMatchObject({ words: [], commands: [], typingWpm: 33 })
  await stores.close()
  expect(earlierFilesLeft()).toEqual(Object.keys(FILES))
})

test('fills an empty database from library.json, and continues its revisions', async () => {
  await writeEarlierFiles()
  const first = await open()
  await first.settings.change({ trashDays: 3 })
  await first.close()
  await emptyDatabase()
  const stores = await open()
  expect(await seen(stores)).toEqual(ALL)
  expect(stores.settings.current().trashDays).toBe(3)
  expect(await database.run(findLibrary)).toMatchObject({ revision: 3, copiedRevision: 2 })
})

test('completes a settings change that a crash cut off before its default style', async () => {
  const cut = JSON.stringify({ ...DEFAULT_SETTINGS, typingWpm: 62, unfinishedDefaultStyle: EMAIL.id })
  await writeEarlierFiles({ 'settings.json': cut })
  expect(await seen(await open())).toMatchObject({ default: 'Post', typingWpm: 62 })
})

test('keeps the rows of the table without a valid file, with the larger count', async () => {
  const stored = DICTIONARY_ROWS.slice(0, 1).map((row) => ({
    ...row,
    ...{ usageCount: 9, lastUsedAt: new Date(made), createdAt: new Date(made), updatedAt: new Date(made) },
  }))
  const save = () =>
    database.transaction((tx) => dictionaryTable.save(tx, (stored as never[]).map(DICTIONARY.toStored)))
  await save()
  await writeEarlierFiles()
  const first = await openAndDie()
  expect(first.dictionary.list().map(({ usageCount }) => usageCount)).toEqual([9, 0])

  await emptyDatabase()
  await save()
  await writeEarlierFiles({ 'dictionary.json': '{"format": 1, "rows": [{' })
  expect((await open()).dictionary.list()).toMatchObject([{ word: 'Kubernetes', usageCount: 9 }])
})

test.each([
  ['half of it', '{"format": 1, "rows": [{"id": "1", "ali'],
  ['something else', '[1, 2]'],
  ['another format', '{"format": 2, "rows": []}'],
  ['a row without its keys', '{"format": 1, "rows": [{"id": "1"}]}'],
  ['an invalid time', rowsFile([entry(word, { word: 'my secret', createdAt: '2026-99-01T00:00:00Z' })])],
  ['a value of another kind', rowsFile([entry(word, { word: 'my secret', aliases: 'my secret' })])],
])('sets aside a file with %s, logs it without its content, and reads the others', async (_, text) => {
  await writeEarlierFiles({ 'dictionary.json': text })
  const lines: object[] = []
  const stores = await open({ ...silentLog, warn: (line: object) => void lines.push(line) })
  expect(await seen(stores)).toEqual({ ...ALL, words: [] })
  await stores.close()
  const aside = (await readdir(dataFolder)).filter((name) => name.includes('.spoiled-'))
  expect(aside).toEqual([expect.stringMatching(/^dictionary\.json\.spoiled-/)])
  expect(await readFile(inFolder(aside[0]!), 'utf8')).toBe(text)
  expect(lines).toMatchObject([{ path: inFolder('dictionary.json'), reason: expect.any(String) }])
  expect(JSON.stringify(lines)).not.toContain('my secret')
})

test('reads the previous settings if the settings are invalid', async () => {
  await writeEarlierFiles({ 'settings.json': '{"typingWpm": 9' })
  expect(await seen(await open())).toEqual({ ...ALL, typingWpm: 50 })
})

test('repairs edited files: built-ins, own ids and names, one default, unknown keys', async () => {
  const copied = style(minutes, { name: 'Minutes', isDefault: true, note: 'mine' })
  await writeEarlierFiles({
    'writing-styles.json': `\ufeff${rowsFile([copied, copied, { ...copied, id: tidy, kind: 'builtin' }])}`,
    'dictionary.json': rowsFile([...DICTIONARY_ROWS, entry(tidy, { word: 'KUBERNETES' })]),
  })
  const stores = await open()
  expect(stores.styles.list().map(({ name }) => name)).toEqual([
    ...['Default', 'Verbatim', 'Formal', 'Email', 'Chat', 'Notes', 'Code', 'Minutes', 'Minutes (2)'],
  ])
  expect(stores.styles.get(tidy)).toMatchObject({ kind: 'custom', isDefault: false })
  expect(stores.dictionary.list()).toHaveLength(2)
})

test('loses only the invalid part of library.json, and sets the file aside', async () => {
  await writeEarlierFiles()
  await (await open()).close()
  const copy = JSON.parse(await readFile(inFolder('library.json'), 'utf8'))
  const edited = JSON.stringify({ ...copy, dictionary: [{ id: 'none' }] })
  await write('library.json', edited)
  await emptyDatabase()
  const stores = await open()
  expect(await seen(stores)).toEqual({ ...ALL, words: [] })
  await stores.close()
  const [aside] = (await readdir(dataFolder)).filter((name) => name.includes('.spoiled-'))
  expect(await readFile(inFolder(aside!), 'utf8')).toBe(edited)
})

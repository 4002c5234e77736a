import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { dictionaryTable } from '../../db/library.ts'
import { applied } from '../../src/text/dictionary/apply.ts'
import {
  DICTIONARY_LIMITS,
  type Entry,
  type EntryContent,
  NEW_ENTRY,
} from '../../src/text/dictionary/entry.ts'
import { openDictionary } from '../../src/writing/dictionary.ts'
import { createTokenCounters } from '../../src/writing/token-counter.ts'
import { createTestFolder } from '../support/database.ts'
import { libraryPlace } from '../support/library.ts'

const folder = await createTestFolder()
const database = await folder.open()
afterAll(async () => {
  await database.close()
  await folder[Symbol.asyncDispose]()
})

const { dataFolder } = folder
let time = Date.UTC(2026, 0, 1)
const clock = () => {
  time += 1000
  return new Date(time)
}
const open = async () => openDictionary(await libraryPlace({ database, dataFolder, clock }))

/** An empty dictionary. */
async function fresh() {
  const dictionary = await open()
  await dictionary.clear()
  return dictionary
}

const content = (fields: Partial<EntryContent> & { word: string }): EntryContent => ({
  ...NEW_ENTRY,
  aliases: [],
  type: fields.replacement === undefined ? 'term' : 'replacement',
  ...fields,
})

const stored = async () =>
  (await database.run(dictionaryTable.list)).map(({ word, usageCount }) => [word, usageCount])

async function make(
  dictionary: Awaited<ReturnType<typeof open>>,
  fields: Partial<EntryContent> & { word: string },
): Promise<Entry> {
  const made = await dictionary.create(content(fields))
  if (!made.ok) throw new Error(made.failure.message)
  return made.value
}

test('stores a new entry and applies it', async () => {
  const dictionary = await fresh()
  const entry = await make(dictionary, { word: ' git  hub ', replacement: 'GitHub', aliases: ['githab'] })
  expect(entry).toMatchObject({ word: 'git hub', source: 'manual', usageCount: 0, lastUsedAt: null })
  expect(await stored()).toEqual([['git hub', 0]])
  expect((await applied(await dictionary.compiled(), 'Githab', { language: 'en' })).text).toBe('GitHub')
  expect(await dictionary.compiled()).toBe(await dictionary.compiled())
})

test('a change applies to the next text, and keeps the other fields', async () => {
  const dictionary = await fresh()
  const entry = await make(dictionary, { word: 'a', replacement: 'b', priority: 3 })
  const before = await dictionary.compiled()
  expect(await dictionary.change(entry.id, { replacement: 'c' })).toMatchObject({
    ok: true,
    value: { id: entry.id, word: 'a', replacement: 'c', priority: 3, createdAt: entry.createdAt },
  })
  expect(await dictionary.compiled()).not.toBe(before)
  expect((await applied(await dictionary.compiled(), 'a', { language: null })).text).toBe('c')
  expect((await open()).get(entry.id)?.replacement).toBe('c')
})

test('deletes entries from memory and table', async () => {
  const dictionary = await fresh()
  const [one] = [await make(dictionary, { word: 'one' }), await make(dictionary, { word: 'two' })]
  expect((await dictionary.remove(one.id)).ok).toBe(true)
  expect(await stored()).toEqual([['two', 0]])
  expect(await dictionary.clear()).toBe(1)
  expect(await stored()).toEqual([])
})

test.each<[string, Partial<EntryContent> & { word: string }, Partial<EntryContent> & { word: string }]>([
  ['in another case', { word: 'Kubernetes' }, { word: 'KUBERNETES' }],
  ['decomposed', { word: 'café' }, { word: 'cafe\u0301' }],
  ['in the same language', { word: 'a', language: 'de' }, { word: 'A', language: 'de' }],
  ['in Turkish capitals', { word: 'iki', language: 'tr' }, { word: 'İKİ', language: 'tr' }],
])('rejects an existing word, %s, and names its entry', async (_how, first, second) => {
  const dictionary = await fresh()
  const { id } = await make(dictionary, first)
  expect(await dictionary.create(content(second))).toMatchObject({
    ok: false,
    failure: { code: 'dictionary_entry_exists', conflictingId: id },
  })
  const other = await make(dictionary, { word: 'other', language: second.language ?? null })
  expect(await dictionary.change(other.id, { word: second.word })).toMatchObject({
    ok: false,
    failure: { conflictingId: id },
  })
  expect(await dictionary.change(id, { word: second.word })).toMatchObject({ ok: true })
})

test('accepts a word for several languages, and Maße beside Masse', async () => {
  const dictionary = await fresh()
  for (const [word, language] of [
    ['gift', null],
    ['gift', 'de'],
    ['gift', 'en'],
    ['Maße', null],
    ['Masse', null],
  ] as const)
    await make(dictionary, { word, language })
  expect(dictionary.list()).toHaveLength(5)
})

test('rejects an invalid entry with all its errors, and changes nothing', async () => {
  const dictionary = await fresh()
  const wrong = content({ word: '(', type: 'term', isRegex: true, replacement: 'x' })
  const refused = await dictionary.create(wrong)
  expect(refused).toMatchObject({ ok: false, failure: { code: 'invalid_entry' } })
  expect(!refused.ok && refused.failure.faults?.map(({ field }) => field)).toEqual([
    'replacement',
    'isRegex',
    'word',
  ])
  const { id } = await make(dictionary, { word: 'a', replacement: 'b' })
  expect((await dictionary.change(id, { word: '(', isRegex: true })).ok).toBe(false)
  expect(dictionary.get(id)?.word).toBe('a')
})

test('returns not found for an unknown id', async () => {
  const dictionary = await fresh()
  const failure = { code: 'dictionary_entry_not_found' } as const
  expect(await dictionary.change('0190-none', {})).toMatchObject({ ok: false, failure })
  expect(await dictionary.remove('0190-none')).toMatchObject({ ok: false, failure })
})

test('creates one entry for concurrent requests with the same word', async () => {
  const dictionary = await fresh()
  const made = await Promise.all([1, 2, 3].map(() => dictionary.create(content({ word: 'twin' }))))
  expect(made.map(({ ok }) => ok)).toEqual([true, false, false])
})

test('counts uses at once in memory and later in the table', async () => {
  const dictionary = await fresh()
  const { id } = await make(dictionary, { word: 'a', replacement: 'b' })
  dictionary.noteUse([
    { id, count: 2 },
    { id: 'gone', count: 1 },
  ])
  dictionary.noteUse([{ id, count: 3 }])
  expect(dictionary.get(id)).toMatchObject({ usageCount: 5 })
  expect(await stored()).toEqual([['a', 0]])
  await dictionary.close()
  expect(await stored()).toEqual([['a', 5]])
})

const item = (word: string, more: object = {}) => ({ line: 1, word, ...more })

test('merging adds new entries, updates changed ones and leaves the others', async () => {
  const dictionary = await fresh()
  const [same, other] = [
    await make(dictionary, { word: 'same', replacement: '1' }),
    await make(dictionary, { word: 'other', replacement: '2' }),
  ]
  await make(dictionary, { word: 'untouched' })
  const outcome = await dictionary.import(
    [
      item('SAME', { replacement: '1', line: 1 }),
      item('same', { replacement: '1', line: 2 }),
      item('other', { replacement: '3' }),
      item('new'),
    ],
    'merge',
  )
  expect(outcome).toMatchObject({ ok: true, value: { imported: 1, updated: 1, skipped: 2, faults: [] } })
  expect(dictionary.list()).toMatchObject([
    { id: same.id, word: 'same' },
    { id: other.id, replacement: '3', source: 'manual' },
    { word: 'untouched' },
    { word: 'new', type: 'term', source: 'import' },
  ])
})

test('replacing removes entries that are not in the list, and keeps the usage counts of the others', async () => {
  const dictionary = await fresh()
  const [kept] = [await make(dictionary, { word: 'kept' }), await make(dictionary, { word: 'gone' })]
  dictionary.noteUse([{ id: kept.id, count: 4 }])
  const outcome = await dictionary.import(
    [item('kept', { priority: 1 }), item('new', { usageCount: 9 })],
    'replace',
  )
  expect(outcome).toMatchObject({ ok: true, value: { imported: 1, updated: 1, skipped: 0 } })
  expect(dictionary.list()).toMatchObject([
    { id: kept.id, usageCount: 4, priority: 1 },
    { word: 'new', usageCount: 9 },
  ])
  await dictionary.close()
  expect(await stored()).toEqual([
    ['kept', 4],
    ['new', 9],
  ])
})

test('a merge skips invalid entries and reports their lines', async () => {
  const dictionary = await fresh()
  const outcome = await dictionary.import(
    [
      item('good', { line: 2 }),
      item(' ', { line: 3 }),
      item('(', { line: 4, isRegex: true, replacement: 'x' }),
    ],
    'merge',
  )
  expect(outcome).toMatchObject({
    ok: true,
    value: {
      imported: 1,
      faults: [
        { line: 3, field: 'word' },
        { line: 4, field: 'word' },
      ],
    },
  })
})

test('rejects a replacement with one invalid entry, and changes nothing', async () => {
  const dictionary = await fresh()
  await make(dictionary, { word: 'precious' })
  const outcome = await dictionary.import([item('good'), item(' ', { line: 2 })], 'replace')
  expect(outcome).toMatchObject({ ok: false, failure: { code: 'invalid_entry', faults: [{ line: 2 }] } })
  expect(await stored()).toEqual([['precious', 0]])
})

test('rejects an import over the limit', async () => {
  const dictionary = await fresh()
  const many = Array.from({ length: DICTIONARY_LIMITS.entries + 1 }, (_, i) => item(`word ${i}`))
  expect(await dictionary.import(many, 'merge')).toMatchObject({
    ok: false,
    failure: { code: 'dictionary_full' },
  })
  expect(dictionary.list()).toEqual([])
})

test('imports, stores and reads ten thousand entries', async () => {
  const dictionary = await fresh()
  const many = Array.from({ length: 10_000 }, (_, i) => item(`word ${i}`, { replacement: `R${i}` }))
  expect(await dictionary.import(many, 'merge')).toMatchObject({ ok: true, value: { imported: 10_000 } })
  expect((await open()).list()).toEqual(dictionary.list())
  expect((await applied(await dictionary.compiled(), 'Word 9999', { language: 'en' })).text).toBe('R9999')
  await dictionary.clear()
})

test('an import that fails midway changes nothing', async () => {
  const dictionary = await fresh()
  await make(dictionary, { word: 'kept' })
  const many = Array.from({ length: 250 }, (_, i) => item(`word ${i}`))
  const limit = sql`alter table dictionary_entries add constraint refused check (word <> 'word 240')`
  await database.run((orm) => orm.execute(limit))
  await expect(dictionary.import(many, 'replace')).rejects.toThrow()
  expect(dictionary.list().map(({ word }) => word)).toEqual(['kept'])
  expect(await stored()).toEqual([['kept', 0]])
  await database.run((orm) => orm.execute(sql`alter table dictionary_entries drop constraint refused`))
  await make(dictionary, { word: 'word 3' })
  expect((await stored()).map(([word]) => word)).toEqual(['kept', 'word 3'])
})

test('counts the tokens of the prompt with the vocabulary of the model', async () => {
  const dictionary = await fresh()
  await dictionary.import(
    Array.from({ length: 100 }, (_, i) => item(`Kubernetes ${i}`, { priority: i })),
    'merge',
  )
  const path = join(import.meta.dir, '../../src/models/ggml-tiny.en-q5_1.bin')
  const countTokens = createTokenCounters()({ path })
  expect(countTokens(' Hello world.')).toBe(3)
  const options = { language: 'en', initialPrompt: null }
  const bytes = dictionary.prompt(options)
  const tokens = dictionary.prompt({ ...options, countTokens })
  expect(tokens.terms.length).toBeGreaterThan(2 * bytes.terms.length)
  expect(countTokens(` ${tokens.prompt}`)).toBe(tokens.tokens)
  expect(tokens.tokens).toBeLessThanOrEqual(223)
  expect(tokens.terms.at(-1)).toBe('Kubernetes 99')
})

test('counts bytes if the model file cannot be read', () => {
  expect(createTokenCounters()({ path: join(dataFolder, 'none.bin') })(' né')).toBe(4)
})

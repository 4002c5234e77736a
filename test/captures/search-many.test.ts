// Searches among some thousand captures, compared with a scan of every text, on a real database.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { distance } from 'fastest-levenshtein'
import { saveCaptures } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { MAX_RANKED } from '../../db/search.ts'
import type { Capture } from '../../src/captures/capture.ts'
import { type CaptureQuery, listCaptures, toRow } from '../../src/captures/capture-index.ts'
import { newCapture } from '../../src/captures/new-capture.ts'
import { newId } from '../../src/lib/uuid.ts'
import { fields } from '../support/archive.ts'
import { corpus } from '../support/corpus.ts'
import { createTestFolder, type TestFolder } from '../support/database.ts'
import { turnsDuring } from '../support/event-loop.ts'

const CAPTURES = 4000
const FIRST = Date.parse('2026-01-01T00:00:00Z')
const MINUTE_MS = 60_000

let folder: TestFolder
let database: Database
const all: Capture[] = []

const save = (captures: Capture[]) =>
  database.transaction(async (tx) => saveCaptures(tx, await Promise.all(captures.map((one) => toRow(one)))))

beforeAll(async () => {
  folder = await createTestFolder()
  database = await folder.open()
  const texts = corpus(11)
  for (let index = 0; index < CAPTURES; index++) {
    const now = new Date(FIRST + index * MINUTE_MS)
    const { text, language } = texts.next().value
    const kind = { mediaType: 'audio/wav', extension: 'wav' } as never
    const created = newCapture({
      incoming: { bytes: 1, sha256: '0'.repeat(64), kind },
      fields: fields({ fileName: null, appName: index % 3 === 0 ? 'Slack' : 'Mail' }),
      ...{ now, id: newId(now) },
    })
    const trashedAt = index % 50 === 0 ? now : null
    all.push({
      ...created,
      ...{ status: 'completed', transcriptRaw: text, detectedLanguage: language, trashedAt },
      wordCount: text.length,
    })
  }
  for (let from = 0; from < CAPTURES; from += 200) await save(all.slice(from, from + 200))
  await database.vacuum()
}, 120_000)

afterAll(async () => {
  await database.close()
  await folder[Symbol.asyncDispose]()
})

const find = (query: Partial<CaptureQuery>) => listCaptures(database, { limit: 50, offset: 0, ...query })

/** Enough for the words of the corpus. */
const folded = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')

const wordsOf = (text: string) => folded(text).split(/[^\p{L}\p{N}\p{M}]+/u)
const begins = (word: string) => (text: string) => wordsOf(text).some((one) => one.startsWith(word))
const nearly = (word: string) => (text: string) =>
  begins(word)(text) || wordsOf(text).some((one) => distance(one, word) === 1 || isSwapped(one, word))
const isSwapped = (one: string, other: string) =>
  [...one].some((letter, at) => one.slice(0, at) + one[at + 1] + letter + one.slice(at + 2) === other)
const phrase =
  (...words: string[]) =>
  (text: string) =>
    ` ${wordsOf(text).join(' ')} `.includes(` ${words.join(' ')} `)
const contains = (part: string) => (text: string) => text.normalize('NFKC').includes(part)
const both = (one: (text: string) => boolean, other: (text: string) => boolean) => (text: string) =>
  one(text) && other(text)
const either = (one: (text: string) => boolean, other: (text: string) => boolean) => (text: string) =>
  one(text) || other(text)
const not = (one: (text: string) => boolean) => (text: string) => !one(text)

test('returns the same pages without a count, and whether there is another page', async () => {
  const kept = all.filter((one) => one.trashedAt === null).length
  const lists: Partial<CaptureQuery>[] = [
    {},
    { source: 'dictation' },
    { trashed: true },
    { since: all[0]!.recordedAt },
  ]
  for (const list of lists)
    for (const page of [
      { offset: 0 },
      { offset: 50, limit: 7 },
      { offset: kept - 50 },
      { offset: kept - 20 },
    ]) {
      const counted = await find({ ...list, ...page })
      const { items, total } = await find({ ...list, ...page, isCounted: false })
      expect(items).toEqual(counted.items)
      const reached = page.offset + items.length
      expect(total).toBe(items.length === 0 ? counted.total : Math.min(counted.total, reached + 1))
    }
  expect(await find({ offset: CAPTURES + 1, isCounted: false })).toEqual({ items: [], total: kept })
  const words = { q: 'the', isCounted: false }
  expect((await find(words)).total).toBe((await find({ q: 'the' })).total)
})

const QUERIES: [string, (text: string) => boolean][] = [
  ['the', begins('the')],
  ['off', begins('off')],
  ['o', begins('o')],
  ['co', begins('co')],
  ['con', begins('con')],
  ['report meeting', both(nearly('report'), nearly('meeting'))],
  ['"the and"', phrase('the', 'and')],
  ['"to the of"', phrase('to', 'the', 'of')],
  ['"of"', phrase('of')],
  ['strasse', begins('strasse')],
  ['GROẞER', begins('grosser')],
  ['istanbul', begins('istanbul')],
  ['ISIK', begins('isik')],
  ['отчет', begins('отчет')],
  ["d'accord", phrase('d', 'accord')],
  ['会议', (text) => contains('会议')(text) || contains('会議')(text)],
  ['的', contains('的')],
  ['我们的', contains('我们的')],
  ['お願いします', contains('お願いします')],
  ['สำนัก', (text) => text.includes('สำนัก')],
  ['วันนี้อากาศ', (text) => text.includes('วันนี้อากาศ')],
  ['会议 项目', both(contains('会议'), contains('项目'))],
  ['xylophone', () => false],
  ['the -report', both(begins('the'), not(either(phrase('report'), phrase('reports'))))],
  ['the -"of the"', both(begins('the'), not(phrase('of', 'the')))],
  ['report OR meeting', either(begins('report'), begins('meeting'))],
  ['the report OR "to the of"', both(begins('the'), either(begins('report'), phrase('to', 'the', 'of')))],
  ['项目 OR xylophone', contains('项目')],
  ['会议 -项目', both(either(contains('会议'), contains('会議')), not(contains('项目')))],
]

for (const [q, matches] of QUERIES)
  test(`${q} finds the same captures as a scan of every text`, async () => {
    const expected = all.filter((one) => one.trashedAt === null && matches(one.transcriptRaw))
    const { items, total } = await find({ q, limit: 200 })
    expect(total).toBe(expected.length)
    const ids = new Set(expected.map(({ id }) => id))
    for (const { id, highlight } of items) {
      expect(ids.has(id)).toBe(true)
      expect(highlight).toContain('<mark>')
    }
    expect(items).toHaveLength(Math.min(200, total))
    const slack = await find({ q, app: 'slack', since: new Date(FIRST + 2000 * MINUTE_MS), limit: 1 })
    expect(slack.total).toBe(
      all.slice(2000).filter((one) => ids.has(one.id) && one.appName === 'Slack').length,
    )
    const trashed = all.filter((one) => one.trashedAt !== null && matches(one.transcriptRaw))
    expect((await find({ q, trashed: true })).total).toBe(trashed.length)
  })

test('returns each match once across pages, also where the ranking ends', async () => {
  const pages: string[] = []
  const { total } = await find({ q: 'the' })
  expect(total).toBeGreaterThan(MAX_RANKED + 200)
  for (let offset = 0; offset < total; offset += 130)
    pages.push(...(await find({ q: 'the', limit: 130, offset })).items.map(({ id }) => id))
  expect(pages).toHaveLength(total)
  expect(new Set(pages).size).toBe(total)
  const rest = pages.slice(MAX_RANKED)
  expect(rest).toEqual([...rest].sort().reverse())
  expect((await find({ q: 'the', offset: total })).items).toEqual([])
})

test('ranks a whole word above a prefix, and many occurrences above one', async () => {
  const now = new Date(FIRST - MINUTE_MS)
  const said = ['zebrafish swims', 'a zebra and a fish', 'zebra zebra zebra', 'nothing']
  const captures = said.map(
    (transcriptRaw): Capture => ({ ...all[1]!, id: newId(now), transcriptRaw, recordedAt: now }),
  )
  await save(captures)
  const { items } = await find({ q: 'zebra' })
  expect(items.map(({ transcriptRaw }) => transcriptRaw)).toEqual([said[2]!, said[1]!, said[0]!])
  const titled = { ...captures[3]!, title: 'Zebra' }
  await save([titled])
  expect((await find({ q: 'zebra' })).items[0]!.id).toBe(titled.id)
})

test('indexes and finds a recording of many hours', async () => {
  const now = new Date(FIRST - 2 * MINUTE_MS)
  const hours = Array.from({ length: 30_000 }, (_, index) => `word${index} said`).join(' ')
  const long = {
    ...all[1]!,
    id: newId(now),
    transcriptRaw: `${hours} the very last platypus`,
    recordedAt: now,
  }
  expect(await turnsDuring(() => toRow(long))).toBeGreaterThan(2)
  await save([long])
  expect((await find({ q: 'platyp' })).items.map(({ id }) => id)).toEqual([long.id])
  expect((await find({ q: 'word29999' })).total).toBe(1)
})

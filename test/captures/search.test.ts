// Finding captures by words in many languages and by filters, on a real database.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { CaptureQuery } from '../../src/captures/capture-index.ts'
import { succeed } from '../../src/lib/result.ts'
import { finishedCapture, openArchive, said, type TestArchive } from '../support/archive.ts'
import { createTestFolder } from '../support/database.ts'
import fc, { numRuns } from '../support/fast-check.ts'

const TEXTS = {
  report: 'The quarterly report is due on Monday morning.',
  crème: 'Zwei Portionen Crème brûlée und ein großer Kaffee in Zürich.',
  chinese: '我们明天去北京开会讨论项目计划',
  thai: 'สวัสดีครับวันนี้อากาศดีมาก',
  russian: 'Съешь ещё этих мягких французских булок',
  parts: 'Let us start, “afresh”, at www.example.com: 明天AI会议',
  percent: 'It costs 100% of <b>everything</b> & more',
}

let archive: TestArchive
const ids = new Map<string, string>()

beforeAll(async () => {
  let next = ''
  archive = await openArchive({ transcribe: async () => succeed(said(next)) })
  for (const [name, text] of Object.entries(TEXTS)) {
    next = text
    const made = await finishedCapture(archive, {
      appName: name === 'report' ? 'Mail' : null,
      fileName: null,
      source: name === 'thai' ? 'file' : 'dictation',
    })
    ids.set(made.id, name)
  }
}, 180_000)

afterAll(() => archive[Symbol.asyncDispose]())

const find = async (query: Partial<CaptureQuery>) => {
  const { items, total } = await archive.captures.list({ limit: 50, offset: 0, ...query })
  return { names: items.map((one) => ids.get(one.id)!), items, total }
}

const FINDS: [string, string[]][] = [
  ['report', ['report']],
  ['quart', ['report']],
  ['monday REPORT', ['report']],
  ['"quarterly report"', ['report']],
  ['"report quarterly"', []],
  ['creme brulee', ['crème']],
  ['GROSSER', ['crème']],
  ['zurich', ['crème']],
  ['北京', ['chinese']],
  ['อากาศ', ['thai']],
  ['ЕЩЁ булок', ['russian']],
  ['100%', ['percent']],
  ['%', ['percent']],
  ['_', []],
  ["'; drop table captures; --", []],
  [':* & | ! ( )', []],
  ['art', []],
  ['start', ['parts']],
  ['afresh', ['parts']],
  ['"at www"', ['parts']],
  ['"at ww"', []],
  ['example com', ['parts']],
  ['ai', ['parts']],
  ['会议 start', ['parts']],
  ['会议 report', []],
  ['京', ['chinese']],
  ['булок', ['russian']],
  ['улок', []],
  ['nothing like this', []],
]

for (const [q, names] of FINDS)
  test(`${q} finds ${names.join() || 'nothing'}`, async () => {
    expect((await find({ q })).names).toEqual(names)
  })

test('returns everything for an empty search, newest first', async () => {
  const { names, total } = await find({ q: '  ' })
  expect(names).toEqual([...ids.values()].reverse())
  expect(total).toBe(7)
})

test('highlights the matches as safe HTML', async () => {
  expect((await find({ q: 'creme' })).items[0]!.highlight).toContain('<mark>Crème</mark> brûlée')
  expect((await find({ q: 'everything' })).items[0]!.highlight).toBe(
    'It costs 100% of &lt;b&gt;<mark>everything</mark>&lt;/b&gt; &amp; more',
  )
  expect((await find({})).items[0]!.highlight).toBeNull()
})

test('filters the list', async () => {
  expect((await find({ app: 'mail' })).names).toEqual(['report'])
  expect((await find({ source: 'file' })).names).toEqual(['thai'])
  expect((await find({ status: 'failed' })).total).toBe(0)
  expect((await find({ model: 'tiny.en-q5_1' })).total).toBe(7)
  expect((await find({ language: 'en' })).total).toBe(7)
  expect((await find({ starred: true })).total).toBe(0)
  const [newest, second] = (await find({})).items
  expect((await find({ since: newest!.createdAt })).names).toEqual(['percent'])
  expect((await find({ until: second!.createdAt })).total).toBe(5)
})

test('pages and sorts the list', async () => {
  expect((await find({ limit: 2, offset: 1 })).names).toEqual(['parts', 'russian'])
  expect((await find({ limit: 2, offset: 1 })).total).toBe(7)
  expect((await find({ sort: 'created_at', limit: 1 })).names).toEqual(['report'])
  expect((await find({ sort: '-word_count', limit: 1 })).names).toEqual(['crème'])
})

test('finds a changed text at once', async () => {
  const [report] = (await find({ q: 'report' })).items
  await archive.captures.update(report!.id, { transcriptRefined: 'Hippopotamus.', title: 'Giraffe' })
  expect((await find({ q: 'hippo' })).names).toEqual(['report'])
  expect((await find({ q: 'giraffe' })).names).toEqual(['report'])
  expect((await find({ q: 'quarterly' })).names).toEqual(['report'])
})

test('finds a recording by its hash', async () => {
  const { items } = await find({})
  const { audioSha256 } = items[0]!
  expect((await find({ audioSha256 })).total).toBe(items.length)
  expect((await find({ audioSha256: 'f'.repeat(64) })).total).toBe(0)
})

test('finds captures after the next start that an earlier version indexed', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder })
  const made = await finishedCapture(first, { title: 'Ostrich' })
  const otherwise = `update capture_facts set search_digest = '0:', search_text = '', search_terms = ''`
  await first.database.run((orm) => orm.execute(otherwise))
  await first.stop()
  const second = await openArchive({ folder })
  const { items } = await second.captures.list({ q: 'ostrich hello', limit: 50, offset: 0 })
  expect(items.map(({ id }) => id)).toEqual([made.id])
  await second.stop()
})

test('finds symbols and emoji in any order, and accepts an unclosed quotation mark', async () => {
  const party = await finishedCapture(archive, { title: 'Party 🎉 for 50 €' })
  ids.set(party.id, 'party')
  for (const q of ['🎉', '€', '€ 🎉', '"party for 5', '“Party for 50”'])
    expect((await find({ q })).names).toEqual(['party'])
  expect((await find({ q: '“Party for 5”' })).names).toEqual([])
  expect((await find({ q: '🎉' })).items[0]!.highlight).toBe('Party <mark>🎉</mark> for 50 €')
})

test('accepts any text as a query, and finds a text by any part of it', async () => {
  const typed = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom('"', "'", '\\', ':', '*', '&', '|', '(', ' ', 'a', '京', '%', '_'),
      maxLength: 20,
    }),
  )
  await fc.assert(
    fc.asyncProperty(typed, async (q) => {
      const { total, items } = await find({ q: q.replaceAll('\0', '').toWellFormed() })
      expect(items.length).toBe(total)
    }),
    { numRuns: numRuns(150) },
  )
  const words = Object.values(TEXTS).flatMap((text) => text.split(/[\s,.:]+/).filter((word) => word !== ''))
  for (const word of words) expect((await find({ q: word })).total, word).toBeGreaterThan(0)
}, 180_000)

import { expect, test } from 'bun:test'
import { readCsv, writeCsv } from '../../../src/text/dictionary/csv-file.ts'
import type { Entry } from '../../../src/text/dictionary/entry.ts'
import { type FileRow, fieldsOf } from '../../../src/text/dictionary/file-row.ts'
import { readJson, writeJson } from '../../../src/text/dictionary/json-file.ts'
import { readPlain, writePlain } from '../../../src/text/dictionary/plain-file.ts'
import fc from '../../support/fast-check.ts'
import { entry } from './entries.ts'

const read = <T>(result: { ok: true; value: T } | { ok: false; failure: string }): T => {
  if (!result.ok) throw new Error(result.failure)
  return result.value
}

const FORMATS: [string, (entries: Entry[]) => string, (text: string) => FileRow[]][] = [
  ['json', writeJson, (text) => read(readJson(text))],
  ['csv', writeCsv, (text) => read(readCsv(text))],
  ['plain text', writePlain, readPlain],
]

const hard = fc.constantFrom(...'=+-@\'"|\\;,#>\n\r\t {}$a北é👍')
const text = fc.oneof(
  fc.array(hard, { maxLength: 12 }).map((all) => all.join('')),
  fc.string({ unit: 'grapheme' }),
)
const word = text.map((one) => one.trim().replace(/\s+/g, ' ')).filter((one) => one !== '')
const entries = fc.array(
  fc
    .record({
      type: fc.constantFrom('term', 'replacement', 'snippet'),
      word,
      replacement: text,
      aliases: fc.array(word, { maxLength: 3 }),
      language: fc.constantFrom(null, 'en'),
      caseSensitive: fc.boolean(),
      wholeWord: fc.boolean(),
      enabled: fc.boolean(),
      priority: fc.integer({ min: -9, max: 9 }),
      usageCount: fc.nat(3),
      lastUsedAt: fc.constantFrom(null, new Date('2026-02-03T04:05:06.789Z')),
    })
    .map((one) => entry({ ...one, replacement: one.type === 'term' ? null : one.replacement } as Entry)),
  { maxLength: 4 },
)

/** What a file does not say is as in a new entry. */
const UNSAID = {
  ...{ replacement: null, aliases: [], language: null, case_sensitive: false, whole_word: true },
  ...{ is_regex: false, enabled: true, priority: 0, usage_count: 0, last_used_at: null },
}
const saidBy = ({ fields }: FileRow) => ({
  type: fields.replacement == null ? 'term' : 'replacement',
  ...UNSAID,
  ...fields,
})

test.each(FORMATS)('a dictionary comes back from %s as it was', (_name, write, read) => {
  fc.assert(
    fc.property(entries, (some) => {
      expect<unknown[]>(read(write(some)).map(saidBy)).toEqual(some.map(fieldsOf))
    }),
    { numRuns: 500 },
  )
})

test('a spreadsheet runs nothing of it', () => {
  const csv = writeCsv([
    entry({ word: '=HYPERLINK("http://x")', replacement: '@SUM(1)', aliases: ['+1', '-1'], priority: -5 }),
    entry({ word: "'quoted'", replacement: '\t=1' }),
  ])
  const [, first, second] = csv.split('\r\n')
  expect(first).toStartWith(`replacement,"'=HYPERLINK(""http://x"")",'@SUM(1),'+1 | -1,,`)
  expect(first).toContain(',-5,')
  expect(second).toStartWith(`replacement,''quoted',"'\t=1",`)
})

test.each([
  ['names in any order and case', 'Replacement,WORD\nb,a\n'],
  ['semicolons', 'word;replacement\r\na;b\r\n'],
  ['tabs', 'word\treplacement\na\tb'],
  ['no names', 'a,b\n'],
  ['a byte order mark', '\ufeffword,replacement\na,b'],
  ['quotation marks', '"word","replacement"\n"a","b"'],
  ['blank lines', 'word,replacement\n\na,b\n\n'],
])('a table with %s is read', (_what, csv) => {
  expect(read(readCsv(csv)).map(({ fields }) => fields)).toEqual([{ word: 'a', replacement: 'b' }])
})

test('a table of words alone is one of terms', () => {
  expect(read(readCsv('Elysia\nBun\n')).map(({ fields }) => fields)).toEqual([
    { word: 'Elysia' },
    { word: 'Bun' },
  ])
})

test('a row is told by the line it begins in', () => {
  const csv = 'word,replacement\na,"1\n2"\nb,3\n'
  expect(read(readCsv(csv)).map(({ line }) => line)).toEqual([2, 4])
})

test('values that do not fit stay as they are, for whoever checks them', () => {
  const csv = 'word,enabled,priority,whole_word\na,maybe,high,No\n'
  expect(read(readCsv(csv))[0]!.fields).toEqual({
    word: 'a',
    enabled: 'maybe',
    priority: 'high',
    whole_word: false,
  })
})

test('plain text has terms, aliases, replacements, options and comments', () => {
  const rows = readPlain(
    '# mine\n\nKubernetes | cooper netties\r\nbtw => by the way\n  a\\=>b => c\\nd ;; language=en priority=3 whole_word=no\num =>\n',
  )
  expect(rows).toEqual([
    { line: 3, fields: { word: 'Kubernetes', aliases: ['cooper netties'] } },
    { line: 4, fields: { word: 'btw', replacement: 'by the way' } },
    {
      line: 5,
      fields: { word: 'a=>b', replacement: 'c\nd', language: 'en', priority: 3, whole_word: false },
    },
    { line: 6, fields: { word: 'um', replacement: '' } },
  ])
})

test('JSON may be a bare list, an answer of the API, and texts', () => {
  for (const json of ['["a"]', '[{"word": "a"}]', '{"items": [{"word": "a"}], "total": 1}'])
    expect(read(readJson(json))).toEqual([{ line: 1, fields: { word: 'a' } }])
})

test.each([
  ['JSON that is cut off', readJson('[{"word": '), 'is not valid JSON'],
  ['JSON that is no list', readJson('{"word": "a"}'), 'must be a list of entries'],
  ['CSV with an open quotation mark', readCsv('word\n"a\n'), 'is not readable as CSV: Quote Not Closed'],
])('refuses %s', (_what, result, message) => {
  expect(result.ok ? '' : result.failure).toStartWith(message)
})

import { describe, expect, test } from 'bun:test'
import { readCsv, writeCsv } from '../../../src/text/dictionary/csv-file.ts'
import { DICTIONARY_LIMITS, type Entry } from '../../../src/text/dictionary/entry.ts'
import { type FileRow, fieldsOf, type ReadRows } from '../../../src/text/dictionary/file-row.ts'
import { readDictionaryJson, writeJson } from '../../../src/text/dictionary/json-file.ts'
import { readPlain, writePlain } from '../../../src/text/dictionary/plain-file.ts'
import fc, { numRuns } from '../../support/fast-check.ts'
import { entry } from './entries.ts'

const read = async (reading: ReadRows): Promise<FileRow[]> => {
  const result = await reading
  if (!result.ok) throw new Error(JSON.stringify(result.failure))
  return result.value
}

const FORMATS: [string, (entries: Entry[]) => Iterable<string>, (text: string) => ReadRows][] = [
  ['json', writeJson, readDictionaryJson],
  ['csv', writeCsv, readCsv],
  ['plain text', writePlain, readPlain],
]
const whole = (pieces: Iterable<string>): string => [...pieces].join('')

const hard = fc.constantFrom(...'=+-@\'"|\\;,#>\n\r\t {}$a北é👍')
const text = fc.oneof(
  fc.array(hard, { maxLength: 12 }).map((all) => all.join('')),
  fc.string({ unit: 'grapheme' }),
)
const word = text.map((one) => one.trim().replace(/\s+/g, ' ')).filter((one) => one !== '')
const entries = fc.array(
  fc
    .record({
      type: fc.constantFrom('term', 'replacement', 'snippet', 'omit'),
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
    .map((one) => {
      const isRewritten = one.type === 'replacement' || one.type === 'snippet'
      return entry({ ...one, replacement: isRewritten ? one.replacement || 'x' : null } as Entry)
    }),
  { maxLength: 4 },
)

/** Missing fields have the defaults of a new entry. */
const DEFAULTS = {
  ...{ replacement: null, aliases: [], language: null, case_sensitive: false, whole_word: true },
  ...{ is_regex: false, enabled: true, priority: 0, usage_count: 0, last_used_at: null },
}
const withDefaults = ({ fields }: FileRow) => ({
  type: fields.replacement == null ? 'term' : 'replacement',
  ...DEFAULTS,
  ...fields,
})

test.each(FORMATS)('writes and reads the same dictionary as %s', async (_name, write, readFrom) => {
  await fc.assert(
    fc.asyncProperty(entries, async (some) => {
      const rows = await read(readFrom(whole(write(some))))
      expect<unknown[]>(rows.map(withDefaults)).toEqual(some.map(fieldsOf))
    }),
    { numRuns: numRuns(500) },
  )
})

test('escapes spreadsheet formulas', () => {
  const csv = whole(
    writeCsv([
      entry({ word: '=HYPERLINK("http://x")', replacement: '@SUM(1)', aliases: ['+1', '-1'], priority: -5 }),
      entry({ word: "'quoted'", replacement: '\t=1' }),
    ]),
  )
  const [, first, second] = csv.split('\r\n')
  expect(first).toStartWith(`replacement,"'=HYPERLINK(""http://x"")",'@SUM(1),'+1 | -1,,`)
  expect(first).toContain(',-5,')
  expect(second).toStartWith(`replacement,''quoted',"'\t=1",`)
})

test.each([
  ['column names in any order and case', 'Replacement,WORD\nb,a\n'],
  ['semicolons', 'word;replacement\r\na;b\r\n'],
  ['tabs', 'word\treplacement\na\tb'],
  ['no column names', 'a,b\n'],
  ['a byte order mark', '\ufeffword,replacement\na,b'],
  ['quotation marks', '"word","replacement"\n"a","b"'],
  ['blank lines', 'word,replacement\n\na,b\n\n'],
])('reads a table with %s', async (_what, csv) => {
  expect((await read(readCsv(csv))).map(({ fields }) => fields)).toEqual([{ word: 'a', replacement: 'b' }])
})

test.each([
  ['from and to', 'from,to\nteh,the\n'],
  ['names of another program, and extra columns', 'Original;Replacement;Notes\nteh;the;x'],
  ['find and replace', 'find\treplace\nteh\tthe'],
  ['two names for a replacement', 'Replace,With\nteh,the\n'],
  ['names of several words', 'id,original text,Corrected Spelling\n1,teh,the\n'],
  ['names in camel or snake case', 'fromWord,to_word\nteh,the\n'],
  ['German names', '"Suchen nach";"Ersetzen durch"\r\nteh;the\r\n'],
  ['German names with accents', 'Kürzel;Schreibweise\nteh;the'],
  ['"source" for the word', 'source,target\nteh,the\n'],
])('takes the first row of a table with %s for column names', async (_what, csv) => {
  expect((await read(readCsv(csv))).map(({ fields: { word, replacement } }) => [word, replacement])).toEqual([
    ['teh', 'the'],
  ])
})

test.each([
  ['one known name', 'original,foo\nteh,the\n'],
  ['"word" and an unknown name', 'word,translation\nteh,the\n'],
  ['"word", "language" and an unknown name', 'word,translation,language\nteh,the,en\n'],
  ['capitals over lowercase', 'Incorrecte,Correcte\nteh,the\na,b\n'],
  ['identifiers over words', 'wrong_one,good_one\nteh,the\na,b\n'],
  ['a word over numbers', 'teh,the,Zahl\na,b,1\nc,d,2\n'],
])('reports a first row with %s as unclear', async (_what, csv) => {
  const [first = ''] = csv.split('\n')
  expect(await readCsv(csv)).toEqual({ ok: false, failure: { unclearHeader: first.split(',') } })
  const [asEntry] = await read(readCsv(csv, { header: false }))
  expect(asEntry!.fields).toEqual({ word: first.split(',')[0], replacement: first.split(',')[1] })
  const [named] = await read(readCsv(csv, { header: true }))
  expect(named!.fields).toMatchObject({
    word: csv.split('\n')[1]!.split(',')[0],
    replacement: csv.split('\n')[1]!.split(',')[1],
  })
})

test.each([
  ['ordinary words', 'new york,NYC\nbtw,by the way\nteh,the\n'],
  ['names', 'git hub,GitHub\ncooper netties,Kubernetes\npg light,PGlite\n'],
  ['one row', 'Anna,Hannah\n'],
])('takes a first row with %s for an entry', async (_what, csv) => {
  expect(await read(readCsv(csv))).toHaveLength(csv.trim().split('\n').length)
})

test('reads JSON with the field names of another program', async () => {
  expect(await read(readDictionaryJson('[{"from": "teh", "to": "the"}]'))).toEqual([
    { line: 1, fields: { word: 'teh', replacement: 'the' } },
  ])
})

test('reads a table with one column as terms', async () => {
  expect((await read(readCsv('Elysia\nBun\n'))).map(({ fields }) => fields)).toEqual([
    { word: 'Elysia' },
    { word: 'Bun' },
  ])
})

test('returns the first line of each row', async () => {
  const csv = 'word,replacement\na,"1\n2"\nb,3\n'
  expect((await read(readCsv(csv))).map(({ line }) => line)).toEqual([2, 4])
})

test('keeps invalid values for validation', async () => {
  const csv = 'word,enabled,priority,whole_word\na,maybe,high,No\n'
  expect((await read(readCsv(csv)))[0]!.fields).toEqual({
    word: 'a',
    enabled: 'maybe',
    priority: 'high',
    whole_word: false,
  })
})

test('reads terms, aliases, replacements, options and comments from plain text', async () => {
  const rows = await read(
    readPlain(
      '# mine\n\nKubernetes | cooper netties\r\nbtw => by the way\n  a\\=>b => c\\nd ;; language=en priority=3 whole_word=no\num =>\n',
    ),
  )
  expect(rows).toEqual([
    { line: 3, fields: { word: 'Kubernetes', aliases: ['cooper netties'] } },
    { line: 4, fields: { word: 'btw', replacement: 'by the way' } },
    {
      line: 5,
      fields: { word: 'a=>b', replacement: 'c\nd', language: 'en', priority: 3, whole_word: false },
    },
    // Without its replacement: validation rejects it.
    { line: 6, fields: { word: 'um', type: 'replacement' } },
  ])
})

test('reads JSON that is a bare list, an API response, or a list of strings', async () => {
  for (const json of ['["a"]', '[{"word": "a"}]', '{"items": [{"word": "a"}], "total": 1}'])
    expect(await read(readDictionaryJson(json))).toEqual([{ line: 1, fields: { word: 'a' } }])
})

test.each([
  ['JSON that is cut off', readDictionaryJson('[{"word": '), 'is not valid JSON'],
  ['JSON without a list', readDictionaryJson('{"word": "a"}'), 'must be a list of entries'],
  ['CSV with an open quotation mark', readCsv('word\n"a\n'), 'is not readable as CSV: Quote Not Closed'],
])('rejects %s', async (_what, reading, message) => {
  const result = await reading
  expect(result.ok ? '' : result.failure).toStartWith(message)
})

describe('rejects before parsing', () => {
  const lines = DICTIONARY_LIMITS.entries + 1
  test.each([
    ['a text of too many lines', () => readPlain('a\n'.repeat(lines))],
    ['a table of too many rows', () => readCsv(`word\n${'a\n'.repeat(lines)}`)],
    [
      'a list of too many entries',
      () => readDictionaryJson(`{"total": 1, "entries": [${'0,'.repeat(lines - 1)}0]}`),
    ],
    ['a bare list of too many entries', () => readDictionaryJson(`[${'[{}],'.repeat(lines - 1)}"],["]`)],
  ])('%s, and counts them', async (_what, reading) => {
    expect(await reading()).toEqual({ ok: false, failure: 'has 50001 entries; the limit is 50000' })
  })

  test('a row that is longer than any entry', async () => {
    const endless = `word,replacement\na,b\nc,"${'d\n'.repeat(60_000)}`
    expect(await readCsv(endless)).toEqual({
      ok: false,
      failure: 'has more than 100000 characters in row 3',
    })
  })

  test('an object with a member that is too long beside the list', async () => {
    const result = await readDictionaryJson(`{"x": "${'y'.repeat(100_000)}", "entries": []}`)
    expect(result.ok ? '' : result.failure).toStartWith('must be a list of entries')
  })
})

test('returns a row that is too long as a word, and reads the others', async () => {
  const bars = '|'.repeat(200_000)
  expect(await read(readPlain(`a\n${bars}\nb`))).toEqual([
    { line: 1, fields: { word: 'a' } },
    { line: 2, fields: { word: bars } },
    { line: 3, fields: { word: 'b' } },
  ])
  const object = `{"word": "${'x'.repeat(100_000)}"}`
  expect(await read(readDictionaryJson(`["a", ${object}]`))).toEqual([
    { line: 1, fields: { word: 'a' } },
    { line: 2, fields: { word: ` ${object}` } },
  ])
})

test('finds a list in any JSON, and parses its items like JSON.parse', async () => {
  const item = fc.oneof(fc.jsonValue(), fc.dictionary(fc.string({ unit: hard }), fc.jsonValue()))
  const spaced = fc.constantFrom(undefined, 1, '\t')
  await fc.assert(
    fc.asyncProperty(fc.array(item), fc.jsonValue(), spaced, async (items, beside, indent) => {
      const rows = await read(
        readDictionaryJson(JSON.stringify({ beside, entries: items, items: [1] }, null, indent)),
      )
      expect(rows).toEqual(
        JSON.parse(JSON.stringify(items)).map((value: unknown, index: number) => ({
          line: index + 1,
          fields:
            typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { word: value },
        })),
      )
    }),
  )
})

test.each([
  '[1,]',
  '[,1]',
  '[1 2]',
  '[1}',
  '{"entries": [1}',
  '["a]',
  '[1]]',
  '[1] x',
  '{"entries": [1], }',
  '{',
])('rejects %s, which is not JSON', async (text) => {
  expect(await readDictionaryJson(text)).toEqual({ ok: false, failure: 'is not valid JSON' })
})

// The largest bodies that each operation accepts, in the most expensive shapes, by operationId.

import { BUILTIN_STYLES } from '../../src/writing/builtin-styles.ts'
import { formWith, modelFile, silentWav } from '../api/contract/recordings.ts'
import { hostileJson, hostileTexts, MIB } from './hostile-json.ts'

export type Shape = {
  what: string
  path?: Record<string, string>
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: () => BodyInit
}

/** Ids of existing captures. */
export type Subjects = {
  /** a capture with the texts of twelve hours */
  long: string
  /** a capture of ten minutes */
  usual: string
}

const json = (what: string, value: () => unknown, more: Partial<Shape> = {}): Shape => ({
  ...{ what, headers: { 'content-type': 'application/json' }, body: () => JSON.stringify(value()) },
  ...more,
})

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i))

/** Any JSON body, up to the size limit that applies before parsing. */
const anyJson = (more: Partial<Shape> = {}): Shape[] =>
  Object.entries(hostileJson).map(([what, body]) => ({
    ...{ what, headers: { 'content-type': 'application/json' }, body, ...more },
  }))

const style = { id: BUILTIN_STYLES[1]!.id }
const preview = (what: string, text: string) => json(what, () => ({ text }), { path: style })

/** A body built by hand needs its own boundary. */
const BOUNDARY = 'x'.repeat(70)
const rawForm = (what: string, make: () => string): Shape => ({
  what,
  headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  body: () => `${make()}--${BOUNDARY}--\r\n`,
})
const part = (name: string, content: string, more = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`

const forms = (): Shape[] => [
  rawForm('more parts than the limit', () => many(5000, (i) => part(`field${i}`, 'x')).join('')),
  rawForm('fields of a megabyte', () => many(60, (i) => part(`field${i}`, 'x'.repeat(17_000))).join('')),
  rawForm('a field of empty lines', () => part('title', '\r\n'.repeat(MIB / 2))),
  rawForm('near-delimiters', () =>
    part('file', `\r\n--${BOUNDARY.slice(1)}`.repeat(200_000), '; filename="a.wav"'),
  ),
  rawForm('part headers of sixteen kilobytes', () =>
    many(100, (i) => part(`f${i}`, 'x', `; a="${'\\"'.repeat(7500)}"`)).join(''),
  ),
  { what: 'sixteen megabytes of another format', body: () => formWith([], bytes(16 * MIB, 0x55)) },
  { what: 'a recording of two minutes', body: () => formWith([], silentWav(120)) },
]

const bytes = (length: number, value: number): File => new File([new Uint8Array(length).fill(value)], 'file')

const raw = (what: string, make: () => BodyInit): Shape => ({
  ...{ what, headers: { 'content-type': 'audio/wav' }, query: { wait: 'false' }, body: make },
})

const plain = (what: string, body: () => string, mode = 'replace'): Shape => ({
  ...{ what, headers: { 'content-type': 'text/plain' }, query: { mode }, body },
})
const csv = (what: string, body: () => string): Shape => ({
  ...{ what, headers: { 'content-type': 'text/csv' }, body },
})

/** The limit of dictionary entries. */
export const ENTRIES = 50_000
const FILE = 16 * MIB
const fullDictionary = (label: string) =>
  many(ENTRIES, (i) => `word ${label} ${i} => written ${i}\n`).join('')
const terms = () => many(ENTRIES, (i) => `term number ${i}\n`).join('')
const patterns = () => many(ENTRIES, (i) => `[ab]*c${i}x+ => y ;; is_regex=true\n`).join('')

const entry = (more: object) => ({ word: crypto.randomUUID(), replacement: 'x'.repeat(10_000), ...more })
const aliases = () => many(20, () => 'é'.repeat(150) + crypto.randomUUID())
const regexes = ['(((a{1,30}){1,30})', '(a|aa)+$', '(x*)*y', '.*.*.*=.*', '[a-z]{1,900}', '\\p{L}{500}']
const wholeDraft = () => ({
  instructions: 'x'.repeat(4000),
  examples: many(8, () => ({ input: 'x'.repeat(2000), output: 'y'.repeat(2000) })),
})
const wholeStyle = () => ({
  ...wholeDraft(),
  ...{ name: crypto.randomUUID(), description: 'x'.repeat(1000) },
  url_patterns: many(100, (i) => `${'*'.repeat(30)}.example${i}.com/*`),
  apps: many(100, (i) => `${'a'.repeat(400)}${i}`),
})
const command = () => ({
  ...{ name: crypto.randomUUID(), steps: many(20, () => 'sort lines') },
  triggers: many(20, () => `please ${'x'.repeat(150)} ${crypto.randomUUID()}`),
})
const ids = () => many(10_000, () => crypto.randomUUID())
const manyIds = () => [json('ten thousand ids', () => ({ ids: ids() })), ...anyJson()]
/** Larger than any setting may be, up to the body limit. */
const settings = () => [
  json('a list of languages', () => ({ languages: many(90_000, () => 'en') })),
  json('a prompt of a megabyte', () => ({ initial_prompt: 'x '.repeat(400_000) })),
  json('keys that resemble known ones', () => Object.fromEntries(many(40_000, (i) => [`stt_modell${i}`, 1]))),
  ...anyJson(),
]

const COMMANDS = [
  ...['sort lines', 'title case', 'fix spacing', 'bullet list', 'remove duplicate lines', 'strip markdown'],
  ...['strip html', 'remove fillers', 'replace x with yy', 'wrap at 10 characters', 'numbers to words'],
  ...[
    'numbers to digits',
    'delete the last sentence',
    'delete the last paragraph',
    'reverse the words',
    'join lines',
  ],
  ...[
    'count words',
    'snake case',
    'sentence case',
    'split into sentences',
    'fix punctuation',
    'base64 encode',
  ],
]

export const shapesOf: Record<string, (subjects: Subjects) => Shape[]> = {
  transcribe: forms,
  createOpenAiTranscription: forms,
  createOpenAiTranslation: forms,
  createAzureTranscription: forms,
  createAzureTranslation: forms,
  createInference: forms,
  createCapture: () => [
    ...forms(),
    raw('sixteen megabytes of audio', () => silentWav(1000)),
    raw('sixteen megabytes of another format', () => bytes(16 * MIB, 0x55)),
  ],
  updateCapture: ({ long, usual }) => [
    ...hostileTexts(900_000).map(({ what, text }) =>
      json(`a refined text: ${what}`, () => ({ transcript_refined: text }), { path: { id: usual } }),
    ),
    // Each creates a version, as a correction does.
    json('a refined text of twelve hours', () => ({ transcript_refined: 'so um '.repeat(150_000) }), {
      path: { id: long },
    }),
    ...anyJson({ path: { id: long } }),
  ],
  correctSegment: ({ long, usual }) => [
    ...hostileTexts(10_000).map(({ what, text }) =>
      json(`a segment: ${what}`, () => ({ text }), { path: { id: usual, n: '3' } }),
    ),
    // Each creates a version, and a version of twelve hours is ten megabytes.
    json('one of twelve hours', () => ({ text: 'so um I think the meaning moves' }), {
      path: { id: long, n: '3' },
    }),
    ...anyJson({ path: { id: long, n: '4' } }),
  ],
  retranscribeCapture: ({ long }) => anyJson({ path: { id: long } }),
  refineCapture: ({ long }) => [
    json('twelve hours', () => ({}), { path: { id: long }, query: { wait: '120' } }),
    ...anyJson({ path: { id: long } }),
  ],
  retranscribeCaptures: manyIds,
  deleteCaptures: manyIds,
  exportCaptures: ({ long }) => [
    json('the longest capture', () => ({ ids: [long], format: 'json' })),
    ...manyIds(),
  ],
  putSettings: settings,
  changeSettings: settings,
  createDictionaryEntry: () => [
    json('one more, with all fields', () => entry({ aliases: aliases() })),
    ...regexes.map((word) => json(`the pattern ${word}`, () => entry({ word, is_regex: true }))),
    ...anyJson(),
  ],
  replaceDictionaryEntry: () => anyJson({ path: { id: crypto.randomUUID() } }),
  updateDictionaryEntry: () => anyJson({ path: { id: crypto.randomUUID() } }),
  importDictionary: () => [
    plain('two million lines', () => 'a\n'.repeat(FILE / 2)),
    plain('two million comment lines', () => '#\n'.repeat(FILE / 2)),
    plain('one line of bars', () => '|'.repeat(FILE)),
    plain('one line of backslashes', () => '\\'.repeat(FILE)),
    plain('one line of options', () => `a ;; ${'x=1 '.repeat(FILE / 5)}`),
    plain('only line feeds', () => '\n'.repeat(FILE)),
    csv('two million rows', () => `word\n${'a\n'.repeat(FILE / 2 - 10)}`),
    csv('one row of commas', () => `word,${','.repeat(FILE - 10)}`),
    csv('a cell without an end', () => `word\n"${'a\n'.repeat(FILE / 2 - 10)}`),
    csv('only quotation marks', () => '"'.repeat(FILE)),
    json('a list of zeros', () => many(FILE / 2 - 10, () => 0)),
    json('a list of empty objects', () => many(FILE / 3 - 10, () => ({}))),
    json('lists in lists', () => 0, { body: () => `${'['.repeat(FILE / 2)}${']'.repeat(FILE / 2)}` }),
    json('entries with unknown keys', () => many(40_000, (i) => ({ [`k${i}`]: { a: [i] } }))),
    plain('the maximum of patterns', patterns),
    plain('the maximum of terms', terms),
    plain('the maximum of replacements', () => fullDictionary('old')),
    plain('the same again', () => fullDictionary('old'), 'merge'),
    plain('as many others instead', () => fullDictionary('new')),
  ],
  testDictionary: () => [
    ...hostileTexts(100_000).map(({ what, text }) => json(what, () => ({ text }))),
    json('words of the dictionary', () => ({ text: many(6000, (i) => `word new ${i}`).join(' ') })),
    ...regexes.map((word) =>
      json(`the pattern ${word}`, () => ({
        ...{ text: 'aax'.repeat(33_000), entry: { word, replacement: '$&', is_regex: true } },
      })),
    ),
    ...anyJson(),
  ],
  createWritingStyle: () => [json('all fields at their limits', wholeStyle), ...anyJson()],
  replaceWritingStyle: () => [
    json('all fields at their limits', wholeStyle, { path: style }),
    ...anyJson({ path: style }),
  ],
  updateWritingStyle: () => anyJson({ path: style }),
  previewWritingStyle: () => [
    ...hostileTexts(50_000).map(({ what, text }) => preview(what, text)),
    json(
      'a draft with all fields at their limits',
      () => ({ text: 'x '.repeat(25_000), style: wholeDraft() }),
      {
        path: style,
      },
    ),
    ...anyJson({ path: style }),
  ],
  sendMcpMessage: () => [
    json('a call with a text of 900 kilobytes', () => ({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'refine_text', arguments: { text: 'um '.repeat(300_000) } },
    })),
    ...anyJson(),
  ],
  runCommand: () => [
    ...COMMANDS.map((instruction) =>
      json(`${instruction}: lines`, () => ({ command: instruction, selected_text: 'x y\n'.repeat(12_500) })),
    ),
    ...COMMANDS.flatMap((instruction) =>
      hostileTexts(50_000).map(({ what, text }) =>
        json(`${instruction}: ${what}`, () => ({ command: instruction, selected_text: text })),
      ),
    ),
    json('the longest instruction', () => ({ command: 'sort lines then '.repeat(250) })),
    json('the longest replacement', () => ({
      command: `replace ${'a'.repeat(1900)} with ${'b'.repeat(1900)}`,
    })),
    ...forms(),
    ...anyJson(),
  ],
  createCommand: () => [json('all fields at their limits', command), ...anyJson()],
  replaceCommand: () => anyJson({ path: { id: crypto.randomUUID() } }),
  downloadModel: () => anyJson(),
  cancelModelDownload: () => anyJson(),
  importModel: () => [
    { what: 'a model', body: () => formWith([['name', crypto.randomUUID()]], modelFile()) },
    { what: 'sixteen megabytes that are not a model', body: () => formWith([], bytes(16 * MIB, 0x55)) },
    ...forms(),
  ],
  createSession: () => anyJson(),
  // Without a body, but with work that grows with stored data.
  listCaptures: () => searches.map((q) => ({ what: `a search for ${q.slice(0, 12)}…`, query: { q } })),
  listDictionary: () => [
    { what: 'all of it', query: { limit: '200' } },
    ...searches.map((q) => ({ what: `a search for ${q.slice(0, 12)}…`, query: { q } })),
  ],
  exportDictionary: () => ['json', 'csv', 'txt'].map((format) => ({ what: format, query: { format } })),
  getCapture: ({ long }) => [{ what: 'twelve hours', path: { id: long } }],
  exportCapture: ({ long }) =>
    ['txt', 'md', 'json', 'srt', 'vtt'].map((format) => ({
      ...{ what: `twelve hours as ${format}`, path: { id: long }, query: { format } },
    })),
  listCaptureVersions: ({ long }) => [{ what: 'of twelve hours', path: { id: long } }],
  matchWritingStyle: () => [
    { what: 'the longest address', query: { url: `https://${'a.'.repeat(1990)}com` } },
  ],
  clearDictionary: () => [{ what: 'all of it', query: { confirm: 'true' } }],
}

const searches = [
  'um',
  'a'.repeat(500),
  '"'.repeat(500),
  'a '.repeat(250),
  '%_'.repeat(250),
  '語'.repeat(166),
]

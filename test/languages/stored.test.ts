// From speech to the stored text in many languages: transcription, dictionary, refinement, search, word count, captions.
// Russian and Arabic have no refinement rules. One server for all.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { RunningServer } from '../support/server.ts'
import { formWith } from '../support/speech.ts'
import { cuesOf } from './cues.ts'
import { pathOf, spokenOf } from './material.ts'
import { startBaseServer } from './transcribe.ts'
import { unitsOf } from './word-errors.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses are checked by the expectations
type Json = Record<string, any>

const SLOW_MS = 400_000

type Case = {
  file: string
  /** the transcribed word, and its replacement */
  entry: [word: string, replacement: string]
  /** each finds the capture: with other case and accents, and within a text without spaces */
  searches: string[]
  /** counted by hand; the tolerance is one in five */
  words: number
  /** the script of captions that run from right to left or have no spaces */
  captions?: RegExp
}

const SPACES = /\s+/g
/** The replacement character, and half of a surrogate pair. */
const BROKEN = /\ufffd|(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/
/** For text without spaces; players break lines at spaces. */
const LONGEST_LINE = 30

const CASES: Case[] = [
  {
    file: 'fleurs-en-003.ogg',
    entry: ['cabbage', 'red cabbage'],
    searches: ['JUICE', '"changes color"'],
    words: 14,
  },
  {
    file: 'fleurs-de-005.ogg',
    entry: ['Sediment', 'Ablagerungsgestein'],
    searches: ['nötig', 'NOTIG', 'lebensraume'],
    words: 16,
  },
  {
    file: 'fleurs-fr-008.ogg',
    entry: ['chercheurs', 'savants'],
    searches: ['réagissent', 'reagissent', 'COMPOSES'],
    words: 23,
  },
  {
    file: 'fleurs-es-006.ogg',
    entry: ['homenaje', 'gran homenaje'],
    searches: ['también', 'tambien', 'COMPANEROS'],
    words: 9,
  },
  {
    file: 'fleurs-pt-007.ogg',
    entry: ['acidente', 'incidente'],
    searches: ['altitude', 'inimigo', 'OCORREU'],
    words: 18,
  },
  { file: 'cheetah-it.ogg', entry: ['vetta', 'cima'], searches: ['passo', 'SALE'], words: 9 },
  {
    file: 'fleurs-ja-1837.ogg',
    entry: ['リベラル', '自由主義'],
    searches: ['復興', '契約を', '内部関係者'],
    words: 36,
    captions: /\p{Script=Hiragana}/u,
  },
  {
    file: 'fleurs-zh-1805-1830.ogg',
    entry: ['西南非洲', '纳米比亚'],
    searches: ['执政党', '人民组织', '多数席位'],
    words: 32,
    captions: /\p{Script=Han}/u,
  },
  { file: 'festival-ru.ogg', entry: ['Москву', 'Тверь'], searches: ['утро', 'ПОЕЗДЕ', 'билет'], words: 17 },
  {
    file: 'rhino-ar.ogg',
    entry: ['أعطني', 'هات'],
    searches: ['حوخ'],
    words: 2,
    captions: /\p{Script=Arabic}/u,
  },
  {
    file: 'espeak-he.ogg',
    entry: ['שלום', 'היי'],
    searches: ['קביליד'],
    words: 5,
    captions: /\p{Script=Hebrew}/u,
  },
]

let server: RunningServer
let style: string

const get = async (path: string): Promise<Json> =>
  (await fetch(`${server.url}${path}`)).json() as Promise<Json>

async function add(path: string, json: object): Promise<Json> {
  const response = await fetch(`${server.url}${path}`, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) },
  })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as Json
}

beforeAll(async () => {
  server = await startBaseServer()
  style = (await add('/writing-styles', { name: 'Without a full stop', rules: { trailing_period: 'strip' } }))
    .id
}, SLOW_MS)
afterAll(() => server.stop())

for (const {
  file,
  entry: [word, replacement],
  searches,
  words,
  captions,
} of CASES) {
  const { language } = spokenOf(file)
  describe(`${language}, ${file}`, () => {
    let capture: Json
    beforeAll(async () => {
      await add('/dictionary', { word, replacement, language })
      const body = await formWith(pathOf({ file }), { writing_style_id: style, language })
      const response = await fetch(`${server.url}/captures`, { method: 'POST', body })
      if (response.status !== 201) throw new Error(await response.text())
      capture = (await response.json()) as Json
    }, SLOW_MS)

    test('is stored with its text', () => {
      expect([capture.status, capture.language]).toEqual(['completed', language])
    })

    test('has the replacements of the dictionary', () => {
      expect(capture.transcript_engine).toContain(word)
      expect(capture.text).toContain(replacement)
    })

    test('is refined: fluent speech keeps its words and loses the full stop that the style strips', () => {
      expect(unitsOf(capture.transcript_refined ?? capture.transcript_raw)).toEqual(
        unitsOf(capture.transcript_raw),
      )
      expect(capture.text).not.toMatch(/[.。।]$/)
    })

    test('is found by its words', async () => {
      for (const search of [...searches, replacement]) {
        const { items } = await get(`/captures?q=${encodeURIComponent(search)}`)
        expect([search, items.map(({ id }: Json) => id)]).toEqual([
          search,
          expect.arrayContaining([capture.id]),
        ])
        expect(items.find(({ id }: Json) => id === capture.id).highlight).toContain('<mark>')
      }
    })

    test('has its word count', async () => {
      expect(Math.abs(capture.word_count - words)).toBeLessThanOrEqual(Math.max(1, words / 5))
      const { by_language } = await get('/captures/stats')
      expect(by_language).toContainEqual(
        expect.objectContaining({ language, captures: 1, words: capture.word_count }),
      )
    })

    if (captions)
      test('has captions with its whole text, in order, in lines that fit on a screen', async () => {
        for (const format of ['srt', 'vtt']) {
          const response = await fetch(`${server.url}/captures/${capture.id}/export?format=${format}`)
          const written = await response.text()
          const cues = cuesOf(written)
          const lines = cues.flatMap(({ lines }) => lines)
          expect(lines.join('').replace(SPACES, '')).toBe(capture.transcript_raw.replace(SPACES, ''))
          expect(written).toMatch(captions)
          expect(written).not.toMatch(BROKEN)
          for (const line of lines)
            if (!line.includes(' ')) expect(line.length, line).toBeLessThanOrEqual(LONGEST_LINE)
          const times = cues.flatMap(({ start, end }) => [start, end])
          expect(times).toEqual(times.toSorted((one, other) => one - other))
          expect(times.at(-1)!).toBeLessThanOrEqual(capture.duration_ms / 1000)
        }
      })
  })
}

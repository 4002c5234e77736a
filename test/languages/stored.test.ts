// From the sound of a language to its stored text: heard, its dictionary applied, refined by its rules, found by its words
// and counted. Most have rules for refinement, Russian and Arabic have none; one server for all.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { RunningServer } from '../support/server.ts'
import { formWith, startHearing } from './heard.ts'
import { pathOf, spokenOf } from './material.ts'
import { unitsOf } from './written.ts'

// biome-ignore lint/suspicious/noExplicitAny: what an answer holds is what the expectations say
type Json = Record<string, any>

const SLOW_MS = 400_000

type Case = {
  file: string
  /** as it is heard, and what it is to become */
  entry: [word: string, replacement: string]
  /** each finds the capture: whatever case and accents, and from the middle of a text without spaces */
  searches: string[]
  /** as a person counts them, give or take one in seven */
  words: number
}

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
    file: 'fleurs-fr-005.ogg',
    entry: ['voiture', 'Ferrari'],
    searches: ['contrôle', 'controle', 'DEMARRAGE'],
    words: 17,
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
    searches: ['altitude', 'montanhoso', 'OCORREU'],
    words: 18,
  },
  { file: 'cheetah-it.ogg', entry: ['vetta', 'cima'], searches: ['passo', 'SALE'], words: 9 },
  { file: 'leopard-ja.ogg', entry: ['客観的', '主観的'], searches: ['知識', '判断', 'する'], words: 11 },
  { file: 'rhino-zh.ogg', entry: ['香蕉', '蘋果'], searches: ['一個', '我'], words: 4 },
  { file: 'festival-ru.ogg', entry: ['Москву', 'Тверь'], searches: ['утро', 'ПОЕЗДЕ', 'билет'], words: 17 },
  { file: 'rhino-ar.ogg', entry: ['أعطي', 'هات'], searches: ['نيحوخ'], words: 2 },
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
  server = await startHearing()
  style = (await add('/writing-styles', { name: 'Without a full stop', rules: { trailing_period: 'strip' } }))
    .id
}, SLOW_MS)
afterAll(() => server.stop())

for (const {
  file,
  entry: [word, replacement],
  searches,
  words,
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

    test('is kept with its text', () => {
      expect([capture.status, capture.language]).toEqual(['completed', language])
    })

    test('has the words of its dictionary', () => {
      expect(capture.transcript_engine).toContain(word)
      expect(capture.text).toContain(replacement)
    })

    test('is refined by its rules: fluent speech keeps its words, and loses the full stop that the style takes', () => {
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

    test('is counted in words', async () => {
      expect(Math.abs(capture.word_count - words)).toBeLessThanOrEqual(Math.max(1, words / 7))
      const { by_language } = await get('/captures/stats')
      expect(by_language).toContainEqual(
        expect.objectContaining({ language, captures: 1, words: capture.word_count }),
      )
    })
  })
}

// Human and synthetic voices in many languages, transcribed by the bundled base: language detection, word errors compared
// with native whisper.cpp on the same files, and translation.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { RunningServer } from '../support/server.ts'
import { wordsOf } from '../support/speech.ts'
import { CANDIDATES, detectByRequest, detectBySetting, setCandidates } from './candidates.ts'
import { pathOf, type Spoken, spokenOf } from './material.ts'
import { piecesOf } from './pieces.ts'
import { startBaseServer, type Transcript, transcribe } from './transcribe.ts'
import { type ErrorRate, errorsIn, points, together } from './word-errors.ts'

const SLOW_MS = 400_000

/** Short recordings of each language; `npm run torture -- languages` transcribes all. */
const TESTED: { language: string; files: string[] }[] = [
  { language: 'en', files: ['fleurs-en-003.ogg', 'fleurs-en-004.ogg'] },
  { language: 'de', files: ['fleurs-de-004.ogg', 'fleurs-de-005.ogg'] },
  { language: 'fr', files: ['fleurs-fr-002.ogg', 'fleurs-fr-008.ogg'] },
  { language: 'es', files: ['fleurs-es-006.ogg'] },
  { language: 'pt', files: ['fleurs-pt-003.ogg', 'fleurs-pt-007.ogg'] },
  { language: 'it', files: ['cheetah-it.ogg', 'leopard-it.ogg'] },
  { language: 'nl', files: ['rhino-nl.ogg', 'librivox-nl.ogg'] },
  { language: 'ca', files: ['festival-ca.ogg'] },
  { language: 'ru', files: ['festival-ru.ogg'] },
  { language: 'fi', files: ['librivox-fi.ogg'] },
  { language: 'ar', files: ['rhino-ar.ogg'] },
  { language: 'ja', files: ['leopard-ja.ogg'] },
  { language: 'zh', files: ['rhino-zh.ogg'] },
  { language: 'ko', files: ['leopard-ko.ogg', 'rhino-ko.ogg'] },
]
/** Additional word errors allowed in one language: of a dozen words, one is eight points. */
const MORE_WORDS = 3
/** Additional error rate allowed over all languages, in points. */
const MORE_POINTS = 1

let server: RunningServer
beforeAll(async () => {
  server = await startBaseServer()
}, SLOW_MS)
afterAll(() => server.stop())

type Errors = { ours: ErrorRate; native: ErrorRate }

const errorsOf = (transcribed: { one: Spoken; answer: Transcript }[]): Errors => {
  const read = transcribed.filter(({ one }) => one.text !== null)
  return {
    ours: together(read.map(({ one, answer }) => errorsIn(answer.text, one.text!))),
    native: together(read.map(({ one }) => errorsIn(one.native, one.text!))),
  }
}

const all: Errors[] = []

for (const { language, files } of TESTED)
  describe(language, () => {
    const transcribed: { one: Spoken; answer: Transcript }[] = []
    beforeAll(async () => {
      for (const one of files.map(spokenOf))
        transcribed.push({ one, answer: await transcribe(server, pathOf(one)) })
    }, SLOW_MS)

    test('is detected', () => {
      for (const { one, answer } of transcribed) {
        expect([one.file, answer.language]).toEqual([one.file, language])
        if (one.seconds >= 3) expect(answer.language_probability, one.file).toBeGreaterThan(0.5)
      }
    })

    if (files.some((file) => spokenOf(file).text !== null))
      test('has no more word errors than native whisper.cpp', () => {
        const errors = errorsOf(transcribed)
        all.push(errors)
        const texts = transcribed.map(({ answer }) => answer.text).join('\n')
        expect(errors.ours.wrong, texts).toBeLessThanOrEqual(errors.native.wrong + MORE_WORDS)
      })
  })

test('all languages together have no more word errors than native whisper.cpp', () => {
  const [ours, native] = [together(all.map((one) => one.ours)), together(all.map((one) => one.native))]
  expect(points(ours)).toBeLessThanOrEqual(points(native) + MORE_POINTS)
})

describe('detects only candidates, even in three seconds', () => {
  for (const file of ['fleurs-de-004.ogg']) {
    const candidates = CANDIDATES[spokenOf(file).language]!
    test(
      `${file} among ${candidates}`,
      async () => {
        const [piece] = await piecesOf([spokenOf(file)], 3)
        await setCandidates(server, candidates)
        expect((await detectBySetting(server, piece!)).detected).toBeOneOf(candidates)
        // The request takes precedence over the settings.
        await setCandidates(server, ['zh'])
        expect((await detectByRequest(server, piece!)).detected).toBeOneOf(candidates)
        await setCandidates(server, [])
      },
      SLOW_MS,
    )
  }
})

describe('translates into English and preserves names and numbers', () => {
  const EXPECTED: [file: string, words: string[]][] = [
    ['fleurs-fr-004.ogg', ['month', 'killing', '17']],
    ['fleurs-pt-007.ogg', ['accident', 'altitude', 'fire']],
    ['espeak-it.ogg', ['marco', 'rossi', 'train', '24th', 'october']],
  ]
  const ENGLISH = new Set('the a of to and in is was you for by with who that not it'.split(' '))

  for (const [file, expected] of EXPECTED)
    test(
      file,
      async () => {
        const { text, language } = await transcribe(server, pathOf({ file }), { task: 'translate' })
        // The reported language is the spoken one.
        expect(language).toBe(spokenOf(file).language)
        const words = wordsOf(text)
        expect(words, text).toEqual(expect.arrayContaining(expected))
        expect(words.filter((word) => ENGLISH.has(word)).length / words.length, text).toBeGreaterThan(0.2)
      },
      SLOW_MS,
    )
})

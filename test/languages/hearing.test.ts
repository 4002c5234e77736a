// People and synthetic voices in the languages of the world, heard by base as it comes with the server:
// no worse than native whisper.cpp writes the very same files, taken for the language that is spoken, and translated.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { RunningServer } from '../support/server.ts'
import { wordsOf } from '../support/speech.ts'
import { CANDIDATES, heardByRequest, heardBySetting, setCandidates } from './candidates.ts'
import { type Heard, hear, startHearing } from './heard.ts'
import { pathOf, type Spoken, spokenOf } from './material.ts'
import { piecesOf } from './pieces.ts'
import { points, together, type Wrong, wrongIn } from './written.ts'

const SLOW_MS = 400_000

/** Of each language what is heard in a second or two; `npm run languages` hears all. */
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
/** Words of one language that may be wrong beyond native whisper.cpp's: of a dozen words one is eight points. */
const MORE_WORDS = 3
/** Of all languages together, in points. */
const MORE_POINTS = 1

let server: RunningServer
beforeAll(async () => {
  server = await startHearing()
}, SLOW_MS)
afterAll(() => server.stop())

type Written = { ours: Wrong; native: Wrong }

const writtenIn = (heard: { one: Spoken; answer: Heard }[]): Written => {
  const read = heard.filter(({ one }) => one.text !== null)
  return {
    ours: together(read.map(({ one, answer }) => wrongIn(answer.text, one.text!))),
    native: together(read.map(({ one }) => wrongIn(one.native, one.text!))),
  }
}

const all: Written[] = []

for (const { language, files } of TESTED)
  describe(language, () => {
    const heard: { one: Spoken; answer: Heard }[] = []
    beforeAll(async () => {
      for (const one of files.map(spokenOf)) heard.push({ one, answer: await hear(server, pathOf(one)) })
    }, SLOW_MS)

    test('is what a recording in it is taken for', () => {
      for (const { one, answer } of heard) {
        expect([one.file, answer.language]).toEqual([one.file, language])
        if (one.seconds >= 3) expect(answer.language_probability, one.file).toBeGreaterThan(0.5)
      }
    })

    if (files.some((file) => spokenOf(file).text !== null))
      test('is written no worse than by native whisper.cpp', () => {
        const written = writtenIn(heard)
        all.push(written)
        const texts = heard.map(({ answer }) => answer.text).join('\n')
        expect(written.ours.wrong, texts).toBeLessThanOrEqual(written.native.wrong + MORE_WORDS)
      })
  })

test('all languages together are written no worse than by native whisper.cpp', () => {
  const [ours, native] = [together(all.map((one) => one.ours)), together(all.map((one) => one.native))]
  expect(points(ours)).toBeLessThanOrEqual(points(native) + MORE_POINTS)
})

describe('a list of candidates is kept to, even of three seconds', () => {
  for (const file of ['fleurs-de-004.ogg']) {
    const candidates = CANDIDATES[spokenOf(file).language]!
    test(
      `${file} among ${candidates}`,
      async () => {
        const [piece] = await piecesOf([spokenOf(file)], 3)
        await setCandidates(server, candidates)
        expect((await heardBySetting(server, piece!)).heardIn).toBeOneOf(candidates)
        // What a request names goes before what is set.
        await setCandidates(server, ['zh'])
        expect((await heardByRequest(server, piece!)).heardIn).toBeOneOf(candidates)
        await setCandidates(server, [])
      },
      SLOW_MS,
    )
  }
})

describe('a translation is in English and keeps names and numbers, poorly as base translates', () => {
  const KEPT: [file: string, words: string[]][] = [
    ['fleurs-fr-004.ogg', ['month', 'killing', '17']],
    ['fleurs-pt-007.ogg', ['accident', 'altitude', 'fire']],
    ['espeak-it.ogg', ['marco', 'rossi', 'train', '24th', 'october']],
  ]
  const ENGLISH = new Set('the a of to and in is was you for by with who that not it'.split(' '))

  for (const [file, kept] of KEPT)
    test(
      file,
      async () => {
        const { text, language } = await hear(server, pathOf({ file }), { task: 'translate' })
        // The language is that of the speech.
        expect(language).toBe(spokenOf(file).language)
        const words = wordsOf(text)
        expect(words, text).toEqual(expect.arrayContaining(kept))
        expect(words.filter((word) => ENGLISH.has(word)).length / words.length, text).toBeGreaterThan(0.2)
      },
      SLOW_MS,
    )
})

// Which languages a size of Whisper writes badly: what follows from the published figures, not the figures themselves.

import { expect, test } from 'bun:test'
import { WHISPER_LANGUAGES } from '../../src/engine/languages.ts'
import type { ModelSize } from '../../src/models/catalogue.ts'
import { badlyWritten } from '../../src/models/language-errors.ts'

const SIZES: ModelSize[] = ['tiny', 'base', 'small', 'medium', 'turbo', 'large']

const badlyBy = (size: ModelSize) => WHISPER_LANGUAGES.filter((language) => badlyWritten(size, language))

test('the languages that most people speak are written well enough by base', () => {
  for (const language of 'en zh es ru ko fr ja pt tr pl ca nl ar sv it de id fi vi uk ms no th'.split(' '))
    expect([language, badlyWritten('base', language)]).toEqual([language, null])
})

test('a larger model writes no more languages badly than a smaller one', () => {
  const counts = SIZES.map((size) => badlyBy(size).length)
  expect(counts).toEqual(counts.toSorted((one, other) => other - one))
  expect(badlyBy('large').length).toBeGreaterThan(0)
})

test('what a smaller one is told to be better is not itself told to be bad', () => {
  for (const size of SIZES)
    for (const language of WHISPER_LANGUAGES) {
      const better = badlyWritten(size, language)?.better
      if (better) expect([language, badlyWritten(better.size, language)]).toEqual([language, null])
    }
})

test('Welsh is bad by base and small, and medium is the smallest that does better', () => {
  expect(badlyWritten('base', 'cy')).toEqual({
    ...{ wrong: 85.3, counted: 'words', hours: null },
    better: { size: 'medium', wrong: 40.8 },
  })
  expect(badlyWritten('small', 'cy')).toMatchObject({ wrong: 59.3 })
  expect(badlyWritten('medium', 'cy')).toBeNull()
})

test('a language without figures goes by the hours that Whisper heard of it', () => {
  expect(badlyWritten('base', 'br')).toEqual({ wrong: null, counted: 'words', hours: 0, better: null })
  expect(badlyWritten('large', 'sq')).toMatchObject({ wrong: 55.7, hours: null })
})

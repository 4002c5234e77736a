// Tests the rules on top of the published figures, not the figures.

import { expect, test } from 'bun:test'
import { WHISPER_LANGUAGES } from '../../src/engine/languages.ts'
import type { ModelSize } from '../../src/models/catalogue.ts'
import { inaccuracyOf } from '../../src/models/language-errors.ts'

const SIZES: ModelSize[] = ['tiny', 'base', 'small', 'medium', 'turbo', 'large']

const inaccurateIn = (size: ModelSize) => WHISPER_LANGUAGES.filter((language) => inaccuracyOf(size, language))

test('base is accurate enough in the most spoken languages', () => {
  for (const language of 'en zh es ru ko fr ja pt tr pl ca nl ar sv it de id fi vi uk ms no th'.split(' '))
    expect([language, inaccuracyOf('base', language)]).toEqual([language, null])
})

test('a larger model is inaccurate in no more languages than a smaller one', () => {
  const counts = SIZES.map((size) => inaccurateIn(size).length)
  expect(counts).toEqual(counts.toSorted((one, other) => other - one))
  expect(inaccurateIn('large').length).toBeGreaterThan(0)
})

test('a recommended model is not itself inaccurate', () => {
  for (const size of SIZES)
    for (const language of WHISPER_LANGUAGES) {
      const better = inaccuracyOf(size, language)?.better
      if (better) expect([language, inaccuracyOf(better.size, language)]).toEqual([language, null])
    }
})

test('base and small are inaccurate in Welsh, and medium is recommended', () => {
  expect(inaccuracyOf('base', 'cy')).toEqual({
    ...{ wrong: 85.3, counted: 'words', hours: null },
    better: { size: 'medium', wrong: 40.8 },
  })
  expect(inaccuracyOf('small', 'cy')).toMatchObject({ wrong: 59.3 })
  expect(inaccuracyOf('medium', 'cy')).toBeNull()
})

test('uses the hours of training data for a language without figures', () => {
  expect(inaccuracyOf('base', 'br')).toEqual({ wrong: null, counted: 'words', hours: 0, better: null })
  expect(inaccuracyOf('large', 'sq')).toMatchObject({ wrong: 55.7, hours: null })
})

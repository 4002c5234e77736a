// The places of the marks in the three vocabularies that Whisper has.

import { expect, test } from 'bun:test'
import { languageToken, specialTokensOf } from '../../../../src/engine/whisper/decoding/special-tokens.ts'

test.each<[number, number, number, number]>([
  [51_864, 50_256, 50_357, 50_363],
  [51_865, 50_257, 50_358, 50_364],
  [51_866, 50_257, 50_359, 50_365],
])(
  'a vocabulary of %i ends text at %i, translates by %i and has times from %i on',
  (vocabulary, end, translate, firstTimestamp) => {
    const tokens = specialTokensOf(vocabulary)
    expect(tokens).toMatchObject({ end, translate, firstTimestamp })
    expect(tokens.vocabulary).toBe(vocabulary)
    const marks = [
      'transcribe',
      'speakerTurn',
      'previous',
      'noSpeech',
      'noTimestamps',
      'firstTimestamp',
    ] as const
    expect(marks.map((mark) => tokens[mark] - tokens.translate)).toEqual([1, 2, 3, 4, 5, 6])
  },
)

test('languages lie after the start, in Whisper’s order', () => {
  const tokens = specialTokensOf(51_865)
  expect(languageToken(tokens, 'en')).toBe(50_259)
  expect(languageToken(tokens, 'de')).toBe(50_261)
  expect(languageToken(tokens, 'su')).toBe(50_357)
})

test('only large-v3 and its kin know Cantonese', () => {
  expect(languageToken(specialTokensOf(51_865), 'yue')).toBeNull()
  expect(languageToken(specialTokensOf(51_866), 'yue')).toBe(50_358)
})

test('a language that Whisper does not know has no token', () => {
  expect(languageToken(specialTokensOf(51_866), 'tlh')).toBeNull()
})

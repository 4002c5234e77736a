// The ids of the special tokens in Whisper's three vocabularies.

import { expect, test } from 'bun:test'
import { languageToken, specialTokensOf } from '../../../../src/engine/whisper/decoding/tokenizer.ts'

test.each<[number, number, number, number]>([
  [51_864, 50_256, 50_357, 50_363],
  [51_865, 50_257, 50_358, 50_364],
  [51_866, 50_257, 50_359, 50_365],
])(
  'finds the ids in a vocabulary of %i: end %i, translate %i, first timestamp %i',
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

test('places the languages after the start, in Whisper’s order', () => {
  const tokens = specialTokensOf(51_865)
  expect(languageToken(tokens, 'en')).toBe(50_259)
  expect(languageToken(tokens, 'de')).toBe(50_261)
  expect(languageToken(tokens, 'su')).toBe(50_357)
})

test('has Cantonese only for large-v3 and derived models', () => {
  expect(languageToken(specialTokensOf(51_865), 'yue')).toBeNull()
  expect(languageToken(specialTokensOf(51_866), 'yue')).toBe(50_358)
})

test('has no token for a language that Whisper does not know', () => {
  expect(languageToken(specialTokensOf(51_866), 'tlh')).toBeNull()
})

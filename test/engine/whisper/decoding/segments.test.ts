// Which tokens make a segment, and from when to when it is.
// The times of its words are word-times.test.ts.

import { expect, test } from 'bun:test'
import type { Decoded } from '../../../../src/engine/whisper/decoding/fallback.ts'
import { countedTokens, tokenSpans } from '../../../../src/engine/whisper/decoding/segments.ts'
import { EMPTY_SEQUENCE, PIECE_FRAMES } from '../../../../src/engine/whisper/decoding/sequence.ts'
import { specialTokensOf } from '../../../../src/engine/whisper/decoding/special-tokens.ts'

const tokens = specialTokensOf(51_864)
const at = (seconds: number) => tokens.firstTimestamp + Math.round(50 * seconds)

/** The likeliest time at each place is `likely`, whatever was written there. */
const decoded = (
  ids: number[],
  { resultLength = ids.length, reach = 0, likely = 0, silent = false } = {},
): Decoded => ({
  sequence: {
    ...EMPTY_SEQUENCE,
    tokens: ids.map((id) => ({ id, logprob: -0.1, timestamp: at(likely) })),
    resultLength,
    reach,
  },
  slot: 0,
  temperature: 0,
  noSpeechProbability: 0,
  prompt: { untilStart: [tokens.start], task: [] },
  stands: true,
  silent,
})

const spans = (one: Decoded) =>
  tokenSpans(one, tokens).map(({ text, fromFrame, toFrame }) => ({
    words: text.map(({ token }) => token.id),
    places: text.map(({ place }) => place),
    fromFrame,
    toFrame,
  }))

test('a time closes what stands before it and opens what comes after it', () => {
  expect(spans(decoded([at(1), 1, 2, at(2), at(3), 3, at(4)]))).toEqual([
    { words: [1, 2], places: [1, 2], fromFrame: 100, toFrame: 200 },
    { words: [3], places: [5], fromFrame: 300, toFrame: 400 },
  ])
})

test('a text without a time before it begins at the likeliest one', () => {
  expect(spans(decoded([1, at(2)], { likely: 0.6 }))).toMatchObject([{ fromFrame: 60, toFrame: 200 }])
})

test('the time 0.00 within a text closes nothing', () => {
  expect(spans(decoded([at(0), 1, at(0), 2, at(4)]))).toMatchObject([{ words: [1, 2], toFrame: 400 }])
})

test('a text without an end goes as far as was reached, and never ends before it begins', () => {
  expect(spans(decoded([at(0), 1], { reach: PIECE_FRAMES }))).toMatchObject([{ fromFrame: 0, toFrame: 3000 }])
  expect(spans(decoded([1], { likely: 0.8, reach: 10 }))).toMatchObject([{ fromFrame: 80, toFrame: 80 }])
})

test('what comes after the last time does not count, unless there is none at all', () => {
  const ids = ({ length }: number[], resultLength: number) =>
    countedTokens(decoded([at(0), 1, at(2), at(2), 3].slice(0, length), { resultLength })).map(({ id }) => id)
  expect(ids([0, 0, 0, 0, 0], 4)).toEqual([at(0), 1, at(2), at(2)])
  expect(ids([0, 0], 0)).toEqual([at(0), 1])
})

test('marks and the end are no text', () => {
  expect(spans(decoded([at(0), 1, tokens.noSpeech, at(2), tokens.end]))).toMatchObject([{ words: [1] }])
})

test('of silence there is no segment', () => {
  expect(spans(decoded([at(0), 1, at(2)], { silent: true }))).toEqual([])
})

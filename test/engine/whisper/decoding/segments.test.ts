// Which tokens form a segment, and its times.

import { expect, test } from 'bun:test'
import type { Decoded } from '../../../../src/engine/whisper/decoding/fallback.ts'
import { countedTokens, tokenSpans } from '../../../../src/engine/whisper/decoding/segments.ts'
import { EMPTY_SEQUENCE, PIECE_FRAMES } from '../../../../src/engine/whisper/decoding/sequence.ts'
import { specialTokensOf } from '../../../../src/engine/whisper/decoding/tokenizer.ts'

const tokens = specialTokensOf(51_864)
const at = (seconds: number) => tokens.firstTimestamp + Math.round(50 * seconds)

/** The likeliest timestamp at each position is `likely`. */
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
  sequenceId: 0,
  temperature: 0,
  noSpeechProbability: 0,
  prompt: { untilStart: [tokens.start], task: [] },
  accepted: true,
  silent,
})

const spans = (one: Decoded) =>
  tokenSpans(one, tokens).map(({ text, fromFrame, toFrame }) => ({
    words: text.map(({ token }) => token.id),
    places: text.map(({ place }) => place),
    fromFrame,
    toFrame,
  }))

test('ends a segment at a timestamp and starts the next one', () => {
  expect(spans(decoded([at(1), 1, 2, at(2), at(3), 3, at(4)]))).toEqual([
    { words: [1, 2], places: [1, 2], fromFrame: 100, toFrame: 200 },
    { words: [3], places: [5], fromFrame: 300, toFrame: 400 },
  ])
})

test('starts a text without a timestamp at the likeliest one', () => {
  expect(spans(decoded([1, at(2)], { likely: 0.6 }))).toMatchObject([{ fromFrame: 60, toFrame: 200 }])
})

test('does not end a segment at 0.00', () => {
  expect(spans(decoded([at(0), 1, at(0), 2, at(4)]))).toMatchObject([{ words: [1, 2], toFrame: 400 }])
})

test('ends a text without a timestamp at the reach, but never before its start', () => {
  expect(spans(decoded([at(0), 1], { reach: PIECE_FRAMES }))).toMatchObject([{ fromFrame: 0, toFrame: 3000 }])
  expect(spans(decoded([1], { likely: 0.8, reach: 10 }))).toMatchObject([{ fromFrame: 80, toFrame: 80 }])
})

test('drops tokens after the last timestamp, unless there is none', () => {
  const ids = ({ length }: number[], resultLength: number) =>
    countedTokens(decoded([at(0), 1, at(2), at(2), 3].slice(0, length), { resultLength })).map(({ id }) => id)
  expect(ids([0, 0, 0, 0, 0], 4)).toEqual([at(0), 1, at(2), at(2)])
  expect(ids([0, 0], 0)).toEqual([at(0), 1])
})

test('does not treat special tokens as text', () => {
  expect(spans(decoded([at(0), 1, tokens.noSpeech, at(2), tokens.end]))).toMatchObject([{ words: [1] }])
})

test('returns no segment for silence', () => {
  expect(spans(decoded([at(0), 1, at(2)], { silent: true }))).toEqual([])
})

// When a sequence is complete, when it has failed, and how many of its tokens count.

import { expect, test } from 'bun:test'
import {
  type DecodingPiece,
  EMPTY_SEQUENCE,
  grow,
  isGrowing,
} from '../../../../src/engine/whisper/decoding/sequence.ts'
import { specialTokensOf } from '../../../../src/engine/whisper/decoding/tokenizer.ts'

const tokens = specialTokensOf(51_864)
const { firstTimestamp, end } = tokens
const at = (seconds: number) => firstTimestamp + Math.round(50 * seconds)

const piece: DecodingPiece = {
  tokens,
  restFrames: 2500,
  windowFrames: 3000,
  timestamps: true,
  maxTokens: 220,
}

const grown = (ids: number[], changed: Partial<DecodingPiece> = {}) =>
  ids
    .map((id) => ({ id, logprob: -0.5, timestamp: firstTimestamp }))
    .reduce((sequence, token) => grow(sequence, token, { ...piece, ...changed }), EMPTY_SEQUENCE)

test('counts tokens up to the last timestamp', () => {
  const sequence = grown([at(0), 1, 2, at(3), at(3), 4])
  expect(sequence).toMatchObject({ state: 'open', resultLength: 5, reach: 300, timed: true, sumLogprob: -3 })
})

test('is complete at the end token', () => {
  expect(grown([at(0), 1, at(3), end])).toMatchObject({ state: 'complete', resultLength: 3, reach: 300 })
})

test('is complete at a timestamp that leaves less than a second', () => {
  expect(grown([at(0), 1, at(23.98)]).state).toBe('open')
  expect(grown([at(0), 1, at(24)]).state).toBe('complete')
})

test('fails at an end without a timestamp if audio follows the window', () => {
  expect(grown([1, 2, end], { restFrames: 4000 }).state).toBe('failed')
})

test('counts all tokens at an end without a timestamp if the window has all of the audio', () => {
  expect(grown([1, 2, end])).toMatchObject({ state: 'complete', resultLength: 3, reach: 3000 })
})

test('fails at a timestamp that goes back', () => {
  expect(grown([at(0), 1, at(5), 2, at(4)]).state).toBe('failed')
})

test('fails at the maximum length without progress', () => {
  const turning = Array.from({ length: 20 }, () => 7)
  expect(grown([at(0), ...turning], { maxTokens: 21 }).state).toBe('failed')
  const near = grown([at(0), 1, at(14.9), at(14.9), ...turning], { maxTokens: 24 })
  expect(near.state).toBe('failed')
  const far = grown([at(0), 1, at(20), at(20), ...turning], { maxTokens: 24 })
  expect(far).toMatchObject({ state: 'open', resultLength: 4 })
  expect(isGrowing(far, { ...piece, maxTokens: 24 })).toBe(false)
})

test('is complete at the end token without timestamps, and covers the whole piece', () => {
  expect(grown([1, 2, end], { timestamps: false })).toMatchObject({
    state: 'complete',
    resultLength: 3,
    reach: 3000,
  })
})

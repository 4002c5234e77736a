// When a sequence is complete, when it has failed, and how much of it counts.

import { expect, test } from 'bun:test'
import {
  type DecodingPiece,
  EMPTY_SEQUENCE,
  grow,
  isGrowing,
} from '../../../../src/engine/whisper/decoding/sequence.ts'
import { specialTokensOf } from '../../../../src/engine/whisper/decoding/special-tokens.ts'

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

test('a sequence counts up to its last time', () => {
  const sequence = grown([at(0), 1, 2, at(3), at(3), 4])
  expect(sequence).toMatchObject({ state: 'open', resultLength: 5, reach: 300, timed: true, sumLogprob: -3 })
})

test('the end completes it', () => {
  expect(grown([at(0), 1, at(3), end])).toMatchObject({ state: 'complete', resultLength: 3, reach: 300 })
})

test('a time that leaves less than a second completes it', () => {
  expect(grown([at(0), 1, at(23.98)]).state).toBe('open')
  expect(grown([at(0), 1, at(24)]).state).toBe('complete')
})

test('an end without any time fails, where there is audio after the window', () => {
  expect(grown([1, 2, end], { restFrames: 4000 }).state).toBe('failed')
})

test('an end without any time counts whole, where the window has all of the audio', () => {
  expect(grown([1, 2, end])).toMatchObject({ state: 'complete', resultLength: 3, reach: 3000 })
})

test('a time that goes back fails', () => {
  expect(grown([at(0), 1, at(5), 2, at(4)]).state).toBe('failed')
})

test('as many tokens as there may be without having got anywhere fail', () => {
  const turning = Array.from({ length: 20 }, () => 7)
  expect(grown([at(0), ...turning], { maxTokens: 21 }).state).toBe('failed')
  const near = grown([at(0), 1, at(14.9), at(14.9), ...turning], { maxTokens: 24 })
  expect(near.state).toBe('failed')
  const far = grown([at(0), 1, at(20), at(20), ...turning], { maxTokens: 24 })
  expect(far).toMatchObject({ state: 'open', resultLength: 4 })
  expect(isGrowing(far, { ...piece, maxTokens: 24 })).toBe(false)
})

test('without times the end completes it, and it counts for the whole piece', () => {
  expect(grown([1, 2, end], { timestamps: false })).toMatchObject({
    state: 'complete',
    resultLength: 3,
    reach: 3000,
  })
})

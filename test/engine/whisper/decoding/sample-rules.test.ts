import { expect, test } from 'bun:test'
import { allowedNext } from '../../../../src/engine/whisper/decoding/sample.ts'
import { type DecodingPiece, EMPTY_SEQUENCE, grow } from '../../../../src/engine/whisper/decoding/sequence.ts'
import { specialTokensOf } from '../../../../src/engine/whisper/decoding/tokenizer.ts'

const tokens = specialTokensOf(51_864)
const { firstTimestamp } = tokens
const at = (seconds: number) => firstTimestamp + Math.round(50 * seconds)

const piece: DecodingPiece = {
  tokens,
  restFrames: 2500,
  windowFrames: 3000,
  timestamps: true,
  maxTokens: 220,
}

const after = (ids: number[], changed: Partial<DecodingPiece> = {}) => {
  const sequence = ids
    .map((id) => ({ id, logprob: -0.1, timestamp: firstTimestamp }))
    .reduce((grown, token) => grow(grown, token, { ...piece, ...changed }), EMPTY_SEQUENCE)
  const { text, blank, timestamps } = allowedNext(sequence, { ...piece, ...changed })
  const seconds = (id: number) => (id - firstTimestamp) / 50
  const times =
    timestamps.from < timestamps.to ? [seconds(timestamps.from), seconds(timestamps.to - 1)] : null
  return { text, blank, times }
}

test('allows no blank at the start, and no timestamp after one second', () => {
  expect(after([])).toEqual({ text: true, blank: false, times: [0, 1] })
})

test('allows text or the end after the first timestamp, but no timestamp', () => {
  expect(after([at(0)])).toEqual({ text: true, blank: true, times: null })
})

test('allows everything after text, except earlier timestamps', () => {
  expect(after([at(0), 1])).toEqual({ text: true, blank: true, times: [0, 30] })
  expect(after([at(0), 1, at(2), at(2), 3])).toEqual({ text: true, blank: true, times: [2, 30] })
})

test('allows a timestamp or the end after the timestamp that ends a text', () => {
  expect(after([at(0), 1, at(2)])).toEqual({ text: false, blank: true, times: [2, 30] })
})

test('allows text or the end after two timestamps', () => {
  expect(after([at(0), 1, at(2), at(2.5)])).toEqual({ text: true, blank: true, times: null })
})

test('allows no timestamp past the end of a trimmed window', () => {
  expect(after([at(0), 1], { windowFrames: 1024 }).times).toEqual([0, 10.24])
})

test('allows no timestamp for a model without them', () => {
  expect(after([1], { timestamps: false })).toEqual({ text: true, blank: true, times: null })
})

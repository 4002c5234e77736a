// Compares the scores with whisper.cpp's definitions.

import { describe, expect, test } from 'bun:test'
import {
  EMPTY_SEQUENCE,
  entropyOf,
  isAcceptable,
  isFailed,
  isSilence,
  meanLogprob,
  type Sequence,
} from '../../../../src/engine/whisper/decoding/sequence.ts'

const sequence = (ids: number[], logprob = -0.2, resultLength = ids.length): Sequence => ({
  ...EMPTY_SEQUENCE,
  state: 'complete',
  tokens: ids.map((id) => ({ id, logprob, timestamp: 0 })),
  resultLength,
})

const rising = (count: number) => Array.from({ length: count }, (_, i) => i)

test('averages the log-probability over the counted tokens', () => {
  const one = sequence([1, 2], -0.5)
  const worse = { id: 3, logprob: -9, timestamp: 0 }
  expect(meanLogprob({ ...one, tokens: [...one.tokens, worse] })).toBe(-0.5)
  expect(meanLogprob(EMPTY_SEQUENCE)).toBe(Number.NEGATIVE_INFINITY)
})

describe('the entropy', () => {
  test('is that of the last 32 counted tokens', () => {
    expect(entropyOf(sequence([...rising(40), ...rising(32).map(() => 7)]))).toBe(0)
    expect(entropyOf(sequence(rising(32)))).toBeCloseTo(Math.log(32), 9)
    expect(entropyOf(sequence([1, 1, 1, 2]))).toBeCloseTo(0.5623, 4)
  })

  test('fails a sequence of more than 32 tokens below 2.4', () => {
    const circle = (count: number) => sequence(rising(count).map((i) => i % 10))
    expect(isFailed(circle(33))).toBe(true)
    expect(isFailed(circle(32))).toBe(false)
    expect(isFailed(sequence(rising(33).map((i) => i % 12)))).toBe(false)
  })
})

test('rejects a failed sequence, however probable it is', () => {
  const failed: Sequence = { ...sequence([1, 2], -0.1), state: 'failed' }
  expect(isFailed(failed)).toBe(true)
  expect(isAcceptable(failed, 0)).toBe(false)
})

test('accepts an improbable text only with a high no-speech probability', () => {
  expect(isAcceptable(sequence([1, 2], -0.99), 0)).toBe(true)
  expect(isAcceptable(sequence([1, 2], -1.01), 0.59)).toBe(false)
  expect(isAcceptable(sequence([1, 2], -1.01), 0.61)).toBe(true)
})

test('is silence only if improbable and with a high no-speech probability', () => {
  expect(isSilence(sequence([1], -1.01), 0.61)).toBe(true)
  expect(isSilence(sequence([1], -0.99), 0.99)).toBe(false)
  expect(isSilence(sequence([1], -1.01), 0.59)).toBe(false)
})

test('rejects NaN probabilities', () => {
  expect(isAcceptable(sequence([1], Number.NaN), 0)).toBe(false)
})

test('honours another no-speech threshold', () => {
  expect(isSilence(sequence([1], -1.1), 0.5, 0.4)).toBe(true)
  expect(isSilence(sequence([1], -1.1), 0.7, 0.8)).toBe(false)
  expect(isAcceptable(sequence([1, 2], -1.1), 0.5, 0.4)).toBe(true)
})

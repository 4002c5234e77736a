// The size of a trimmed window, and each check of its result.

import { describe, expect, test } from 'bun:test'
import type { Decoded } from '../../../../src/engine/whisper/decoding/fallback.ts'
import { trimFault, trimmedFrames } from '../../../../src/engine/whisper/decoding/segments.ts'
import { EMPTY_SEQUENCE } from '../../../../src/engine/whisper/decoding/sequence.ts'
import { specialTokensOf } from '../../../../src/engine/whisper/decoding/tokenizer.ts'

const tokens = specialTokensOf(51_864)
const at = (seconds: number) => tokens.firstTimestamp + Math.round(50 * seconds)

describe('the window', () => {
  const tiny = { audioLayers: 4, audioWidth: 384, audioFrames: 1500 }

  test.each([
    [1, 512],
    [7.68, 512],
    [7.7, 576],
    [8, 576],
    [11, 704],
    [20, 1152],
  ])('of a clip of %p s has %p frames', (seconds, frames) => {
    expect(trimmedFrames(tiny, seconds)).toBe(frames)
  })

  test('is the full one above 20 s', () => {
    expect(trimmedFrames(tiny, 20.01)).toBeNull()
  })

  test('is the full one if the model’s window is no longer', () => {
    expect(trimmedFrames({ ...tiny, audioFrames: 512 }, 5)).toBeNull()
  })

  test.each([
    ['base', 6, 512, true],
    ['small', 12, 768, true],
    ['medium', 24, 1024, false],
    ['large and turbo', 32, 1280, false],
    ['a model of another shape', 4, 512, false],
  ])('of %s', (_, audioLayers, audioWidth, isTrimmed) => {
    expect(trimmedFrames({ ...tiny, audioLayers, audioWidth }, 5) !== null).toBe(isTrimmed)
  })
})

describe('the result', () => {
  const decoded = (
    ids: number[],
    changed: { state?: 'open' | 'failed'; logprob?: number; previous?: number[] } = {},
  ): Decoded => ({
    sequence: {
      ...EMPTY_SEQUENCE,
      state: changed.state ?? 'complete',
      tokens: ids.map((id) => ({ id, logprob: changed.logprob ?? -0.2, timestamp: at(0) })),
      resultLength: ids.length,
    },
    sequenceId: 0,
    temperature: 0,
    noSpeechProbability: 0,
    prompt: { untilStart: [...(changed.previous ?? []), tokens.start], task: [] },
    accepted: true,
    silent: false,
  })
  const text = (count: number) => Array.from({ length: count }, (_, i) => i)
  const fault = (result: Decoded, seconds = 5) => trimFault(result, seconds, tokens)

  test('is accepted without a fault', () => {
    expect(fault(decoded([at(0), ...text(15), at(4.8)]))).toBeNull()
    expect(fault(decoded([at(0), ...text(15), at(4.8), tokens.end]))).toBeNull()
  })

  test('is rejected with more text than anyone can speak', () => {
    expect(fault(decoded([at(0), ...text(56), at(4)]))).toBeNull()
    expect(fault(decoded([at(0), ...text(57), at(4)]))).toBe('too much text')
  })

  test.each([
    ['a word six times', [7, 7, 7, 7, 7, 7]],
    ['a phrase three times', [1, 2, 3, 1, 2, 3, 1, 2, 3]],
    ['a phrase three times after another text', [9, 8, 5, 6, 5, 6, 5, 6]],
  ])('is not believed with %s', (_, ids) => {
    expect(fault(decoded([at(0), ...ids, at(4)]))).toBe('repetition')
  })

  test('is accepted if a word occurs two or three times', () => {
    expect(fault(decoded([at(0), 7, 7, 7, 1, 2, 3, 1, 2, 3, at(4)]))).toBeNull()
  })

  test('is rejected with few distinct tokens', () => {
    const ids = [1, 2, 1, 3, 1, 2, 2, 1, 3, 1, 1, 3, 2, 1, 1, 2]
    expect(fault(decoded([at(0), ...ids, at(4)]))).toBe('low entropy')
  })

  test('is rejected without an end', () => {
    expect(fault(decoded([at(0), ...text(9), at(4)], { state: 'open' }))).toBe('no end')
    expect(fault(decoded([at(0), ...text(9), at(4)], { state: 'failed' }))).toBe('no end')
  })

  test('is rejected without a timestamp at its end', () => {
    expect(fault(decoded([at(0), ...text(9), tokens.end]))).toBe('no time at the end')
    expect(fault(decoded([...text(9), tokens.end]))).toBe('no time at the end')
  })

  test('is accepted without one after a previous text, with which models omit it', () => {
    const previous = [tokens.previous, 8]
    expect(fault(decoded([at(0), ...text(9), tokens.end], { previous }))).toBeNull()
  })

  test('is rejected if it is improbable', () => {
    expect(fault(decoded([at(0), ...text(9), at(4)], { logprob: -0.54 }))).toBeNull()
    expect(fault(decoded([at(0), ...text(9), at(4)], { logprob: -0.56 }))).toBe('improbable')
    expect(fault(decoded([at(0), ...text(9), at(4)], { logprob: Number.NaN }))).toBe('improbable')
  })
})

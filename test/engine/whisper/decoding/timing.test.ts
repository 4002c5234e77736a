// The words of a segment: their times, probabilities and bounds. The decoder's attention is made up.

import { describe, expect, test } from 'bun:test'
import type { CrossAttention } from '../../../../src/engine/whisper/decoder.ts'
import type { Decoded } from '../../../../src/engine/whisper/decoding/fallback.ts'
import { tokenSpans } from '../../../../src/engine/whisper/decoding/segments.ts'
import { EMPTY_SEQUENCE } from '../../../../src/engine/whisper/decoding/sequence.ts'
import { beginningsOf, segmentsOf } from '../../../../src/engine/whisper/decoding/timing.ts'
import { createYield } from '../../../../src/engine/whisper/yield.ts'
import { attentionOf } from '../attention-weights.ts'
import { createScripted } from './scripted-decoder.ts'

type Case = {
  ids: number[]
  logprobs?: number[]
  /** seconds from the beginning of the piece at which the decoder attends to each token */
  looksAt: number[]
  sequenceId?: number | null
  fromFrame?: number
  restFrames?: number
  durationMs?: number
}

const { at, tokens } = createScripted({ next: () => ({}) })

/** The frames of the full window. */
const FRAMES = 1500

const segments = async ({ ids, logprobs = [], looksAt, ...more }: Case) => {
  const { sequenceId = 2, fromFrame = 0, restFrames = 3000, durationMs = 30_000 } = more
  const script = createScripted({ next: () => ({}) })
  const reads: { sequenceId: number; from: number }[] = []
  const alignment = (sequenceId: number, from: number): CrossAttention => {
    reads.push({ sequenceId, from })
    const weights = new Float32Array(ids.length * FRAMES)
    for (const [row, seconds] of looksAt.entries()) {
      for (let frame = -3; frame <= 3; frame += 1) {
        const place = Math.round(50 * seconds) + frame
        if (place >= 0 && place < FRAMES) weights[row * FRAMES + place] = 1 / 7
      }
    }
    return attentionOf({ tokens: ids.length, heads: 1, frames: FRAMES, weights })
  }
  const decoded: Decoded = {
    sequence: {
      ...EMPTY_SEQUENCE,
      tokens: ids.map((id, i) => ({ id, logprob: logprobs[i] ?? -0.1, timestamp: at(0) })),
      resultLength: ids.length,
      reach: restFrames,
    },
    sequenceId,
    temperature: 0,
    noSpeechProbability: 0.25,
    prompt: { untilStart: [tokens.previous, 9, tokens.start], task: [] },
    accepted: true,
    silent: false,
  }
  const decoder = { ...script.decoder, alignment }
  const yieldNow = createYield(new AbortController().signal)
  const beginnings = await beginningsOf(decoded, { decoder, yieldNow, restFrames })
  const { tokenizer } = script.model
  const times = { tokenizer, beginnings, fromFrame, durationMs }
  const found = segmentsOf(decoded, tokenSpans(decoded, tokens), times)
  return { segments: found, reads, advanced: script.advanced }
}

const ids = [at(0), 1, 2, at(4)]
const looksAt = [0.5, 1.5, 2.5, 3.5]

test('gives a word the probability of its token, and a segment the mean', async () => {
  const { segments: found } = await segments({ ids, looksAt, logprobs: [-9, -0.5, -1.5, -9] })
  expect(found[0]!.words.map(({ probability }) => probability)).toEqual([
    expect.closeTo(Math.exp(-0.5), 6),
    expect.closeTo(Math.exp(-1.5), 6),
  ])
  expect(found[0]).toMatchObject({ avgLogprob: expect.closeTo(-1, 6), noSpeechProb: 0.25 })
})

test('ends a word where the next one begins, in milliseconds from the first sample', async () => {
  const { segments: first } = await segments({ ids, looksAt })
  const { segments: later } = await segments({ ids, looksAt, fromFrame: 1000, restFrames: 2000 })
  const [one, two] = first[0]!.words
  expect(one!.endMs).toBe(two!.startMs)
  expect(one!.startMs).toBeWithin(0, 1500)
  expect(two!.startMs).toBeWithin(1000, 2600)
  const shifted = first[0]!.words.map(({ startMs, endMs }) => [startMs + 10_000, endMs + 10_000])
  expect(later[0]!.words.map(({ startMs, endMs }) => [startMs, endMs])).toEqual(shifted)
})

describe('a word stays within its segment', () => {
  test('even if the decoder attends to frames before or after', async () => {
    const { segments: found } = await segments({ ids: [at(1), 1, 2, at(2)], looksAt: [0.2, 0.4, 6, 7] })
    for (const { startMs, endMs } of found[0]!.words) {
      expect(startMs).toBeWithin(1000, 2001)
      expect(endMs).toBeWithin(startMs, 2001)
    }
  })

  test('and both stay within the audio', async () => {
    const { segments: found } = await segments({ ids, looksAt, restFrames: 300, durationMs: 3000 })
    expect(found[0]).toMatchObject({ startMs: 0, endMs: 3000 })
    expect(Math.max(...found[0]!.words.map(({ endMs }) => endMs))).toBeLessThanOrEqual(3000)
  })
})

test('ignores attention after the end of the audio', async () => {
  // the last row of attention would pull the words before it to 20 s
  const { segments: found } = await segments({ ids, looksAt: [0.5, 20, 21, 22], restFrames: 400 })
  for (const { startMs } of found[0]!.words) expect(startMs).toBeLessThan(4000)
})

describe('reads the alignment of', () => {
  test('the sequence that holds the text, from the last token of the prompt on', async () => {
    const { reads, advanced } = await segments({ ids, looksAt })
    expect(reads).toEqual([{ sequenceId: 2, from: 2 }])
    expect(advanced).toEqual([])
  })

  test('sequence 0, after feeding prompt and text again, if none holds the text', async () => {
    const { reads, advanced } = await segments({ ids, looksAt, sequenceId: null })
    expect(reads).toEqual([{ sequenceId: 0, from: 2 }])
    const written = [tokens.previous, 9, tokens.start, at(0), 1, 2]
    expect(advanced).toEqual([[{ sequenceId: 0, tokens: written }]])
  })
})

// Times of tokens and words, in milliseconds from the first sample: dynamic time warping over the frames that the decoder
// attends to while it writes each token.

import type { Segment } from '../../engine.ts'
import type { WhisperShape } from '../../whisper-tensors.ts'
import { segmentOf, type TimedToken } from '../../words.ts'
import type { WindowDecoder } from '../batch-scheduler.ts'
import type { CrossAttention } from '../decoder.ts'
import type { Yield } from '../yield.ts'
import type { Decoded } from './fallback.ts'
import { prefill } from './prompt.ts'
import { countedTokens, type TokenSpan } from './segments.ts'
import { FRAMES_PER_SECOND, FRAMES_PER_TIMESTAMP } from './sequence.ts'
import { TIMESTAMP_MS, type Tokenizer } from './tokenizer.ts'

const DIAGONAL = 0
const DOWN = 1
const RIGHT = 2

/** For each cell, the neighbour from which it is reached most cheaply. */
const traceOf = (costs: Float32Array, rows: number, columns: number) => {
  const trace = new Uint8Array(rows * columns)
  const above = new Float64Array(columns)
  for (let row = 0; row < rows; row += 1) {
    let diagonal = Number.POSITIVE_INFINITY
    let left = Number.POSITIVE_INFINITY
    for (let column = 0; column < columns; column += 1) {
      const up = row === 0 ? Number.POSITIVE_INFINITY : above[column]!
      const isFirst = row === 0 && column === 0
      const from = diagonal < up && diagonal < left ? DIAGONAL : up < diagonal && up < left ? DOWN : RIGHT
      trace[row * columns + column] = isFirst ? DIAGONAL : row === 0 ? RIGHT : column === 0 ? DOWN : from
      const before = isFirst ? 0 : Math.min(diagonal, up, left)
      diagonal = up
      left = before + costs[row * columns + column]!
      above[column] = left
    }
  }
  return trace
}

/**
 * @param costs [rows][columns]
 * @returns for each row the first column of the cheapest path from the first cell to the last
 */
export const firstColumns = (costs: Float32Array, rows: number, columns: number): number[] => {
  const trace = traceOf(costs, rows, columns)
  const first = new Array<number>(rows).fill(0)
  let row = rows - 1
  let column = columns - 1
  while (row >= 0 && column >= 0) {
    first[row] = column
    const from = trace[row * columns + column]
    if (from !== RIGHT) row -= 1
    if (from !== DOWN) column -= 1
  }
  return first
}

/** Writes the row with `half` mirrored numbers added at both ends. */
const writeMirrored = (row: Float32Array, half: number, longer: Float32Array) => {
  const last = row.length - 1
  longer.set(row, half)
  for (let i = 1; i <= half; i += 1) {
    longer[half - i] = row[Math.min(i, last)]!
    longer[half + last + i] = row[Math.max(last - i, 0)]!
  }
}

/** Replaces one number of a sorted row and keeps it sorted. */
const replaceInOrder = (sorted: Float32Array, gone: number, come: number) => {
  const last = sorted.length - 1
  let at = 0
  while (at < last && sorted[at] !== gone) at += 1
  while (at > 0 && sorted[at - 1]! > come) {
    sorted[at] = sorted[at - 1]!
    at -= 1
  }
  while (at < last && sorted[at + 1]! < come) {
    sorted[at] = sorted[at + 1]!
    at += 1
  }
  sorted[at] = come
}

/**
 * Running median over `width` neighbours.
 * @param length of the rows
 * @param width odd
 * @returns the filter; each call overwrites the previous result
 */
export const createMedianFilter = (length: number, width: number): ((row: Float32Array) => Float32Array) => {
  const half = (width - 1) / 2
  const longer = new Float32Array(length + 2 * half)
  const sorted = new Float32Array(width)
  const filtered = new Float32Array(length)
  return (row) => {
    writeMirrored(row, half, longer)
    sorted.set(longer.subarray(0, width))
    sorted.sort()
    for (let at = 0; at < length; at += 1) {
      if (at > 0) replaceInOrder(sorted, longer[at - 1]!, longer[at + width - 1]!)
      filtered[at] = sorted[half]!
    }
    return filtered
  }
}

/** The value of OpenAI's word timestamps. */
const MEDIAN_WIDTH = 7

type Selection = { rows: readonly number[]; frames: number }

/** Normalises each frame over the rows, because constant attention to a frame carries no information. */
const normalise = (rows: Float32Array[], frames: number) => {
  const means = new Float32Array(frames)
  const factors = new Float32Array(frames)
  for (const row of rows) {
    for (let frame = 0; frame < frames; frame += 1) {
      means[frame]! += row[frame]! / rows.length
      factors[frame]! += (row[frame]! * row[frame]!) / rows.length
    }
  }
  for (let frame = 0; frame < frames; frame += 1) {
    const variance = factors[frame]! - means[frame]! * means[frame]!
    factors[frame] = variance > 0 ? 1 / Math.sqrt(variance) : 0
  }
  for (const row of rows) {
    for (let frame = 0; frame < frames; frame += 1)
      row[frame] = (row[frame]! - means[frame]!) * factors[frame]!
  }
}

/**
 * The more all heads attend to a frame, the cheaper it is. Reads one head at a time into the same memory: all heads
 * together take megabytes per window.
 * @returns [rows][frames]
 */
const costsOf = (alignment: CrossAttention, { rows, frames }: Selection) => {
  const costs = new Float32Array(rows.length * frames)
  const attention = rows.map(() => new Float32Array(frames))
  const median = createMedianFilter(frames, MEDIAN_WIDTH)
  for (let head = 0; head < alignment.heads; head += 1) {
    for (const [i, row] of rows.entries()) alignment.read(row, head, attention[i]!)
    normalise(attention, frames)
    for (const [i, row] of attention.entries()) {
      const filtered = median(row)
      for (let frame = 0; frame < frames; frame += 1)
        costs[i * frames + frame]! -= filtered[frame]! / alignment.heads
    }
  }
  return costs
}

/**
 * @param rows indices of the alignment's tokens, increasing
 * @param frames how many of its frames are audio; the rest is padding
 * @returns for each row the frame at which it begins, in non-decreasing order
 */
export const firstFrames = (alignment: CrossAttention, rows: readonly number[], frames: number): number[] => {
  const used = Math.max(1, Math.min(frames, alignment.frames))
  return firstColumns(costsOf(alignment, { rows, frames: used }), rows.length, used)
}

const FRAME_MS = 1000 / FRAMES_PER_SECOND

/** Feeds the sequence to the decoder again if it no longer holds it. @returns the sequence id */
const sequenceIdOf = async (times: Reading, { sequenceId, sequence, prompt }: Decoded): Promise<number> => {
  if (sequenceId !== null) return sequenceId
  const written = sequence.tokens.slice(0, -1).map(({ id }) => id)
  const promptTokens = [...prompt.untilStart, ...prompt.task]
  times.decoder.reset(0)
  await prefill(times, [...promptTokens, ...written], promptTokens.length - 1)
  return 0
}

/**
 * The alignment of token i is that of the token before it, which predicts it; for the first it is the prompt's last token.
 * @returns for each counted token the encoder frame at which it begins, from the beginning of the piece, non-decreasing
 */
export const beginningsOf = async (decoded: Decoded, times: BeginningsOptions): Promise<number[]> => {
  const { untilStart, task } = decoded.prompt
  const sequenceId = await sequenceIdOf(times, decoded)
  const alignment = times.decoder.alignment(sequenceId, untilStart.length + task.length - 1)
  const rows = countedTokens(decoded).map((_, row) => row)
  return firstFrames(alignment, rows, Math.ceil(times.restFrames / FRAMES_PER_TIMESTAMP))
}

type Reading = { decoder: WindowDecoder; yieldNow: Yield }

type BeginningsOptions = Reading & {
  /** frames of audio from the beginning of the piece to the end of the samples */
  restFrames: number
}

export type TimesOptions = {
  tokenizer: Tokenizer
  /** from beginningsOf */
  beginnings: readonly number[]
  /** beginning of the piece, in frames from the first sample */
  fromFrame: number
  /** upper limit of all times */
  durationMs: number
  /** return the tokens of each word */
  tokens?: boolean | undefined
}

/** Clamps words to their segment: their own times are more exact, but segments must keep their order. */
export const segmentsOf = (
  { noSpeechProbability }: Pick<Decoded, 'noSpeechProbability'>,
  spans: readonly TokenSpan[],
  { tokenizer, beginnings, fromFrame, durationMs, tokens: withTokens = false }: TimesOptions,
): Segment[] => {
  const pieceMs = fromFrame * FRAME_MS
  const within = (ms: number, least: number, most: number) => Math.min(Math.max(ms, least), most)
  return spans.map(({ text, ...span }) => {
    const startMs = within(pieceMs + span.fromFrame * FRAME_MS, 0, durationMs)
    const endMs = within(pieceMs + span.toFrame * FRAME_MS, startMs, durationMs)
    const timeOf = (place: number) => {
      const frame = beginnings[place]
      return frame === undefined ? endMs : within(pieceMs + frame * TIMESTAMP_MS, startMs, endMs)
    }
    const tokens = text.map(
      ({ place, token }): TimedToken => ({
        bytes: tokenizer.bytesOf(token.id),
        startMs: timeOf(place),
        endMs: timeOf(place + 1),
        probability: Math.exp(token.logprob),
        ...(withTokens && { logprob: token.logprob }),
      }),
    )
    return { ...segmentOf(tokens, startMs, endMs), noSpeechProb: noSpeechProbability }
  })
}

export type Head = readonly [layer: number, head: number]

type Shape = Pick<WhisperShape, 'vocabulary' | 'textLayers' | 'textHeads' | 'audioLayers'>

const ENGLISH = 51_864
const MULTILINGUAL = 51_865
const WITH_CANTONESE = 51_866

/** Keys: encoder layers, decoder layers, heads, vocabulary. Values: layer.head. large-v1 has large-v2's shape. */
const PUBLISHED: Record<string, string> = {
  [`4 4 6 ${ENGLISH}`]: '1.0 2.0 2.5 3.0 3.1 3.2 3.3 3.4',
  [`4 4 6 ${MULTILINGUAL}`]: '2.2 3.0 3.2 3.3 3.4 3.5',
  [`6 6 8 ${ENGLISH}`]: '3.3 4.7 5.1 5.5 5.7',
  [`6 6 8 ${MULTILINGUAL}`]: '3.1 4.2 4.3 4.7 5.1 5.2 5.4 5.6',
  [`12 12 12 ${ENGLISH}`]:
    '6.6 7.0 7.3 7.8 8.2 8.5 8.7 9.0 9.4 9.8 9.10 10.0 10.1 10.2 10.3 10.6 10.11 11.2 11.4',
  [`12 12 12 ${MULTILINGUAL}`]: '5.3 5.9 8.0 8.4 8.7 8.8 9.0 9.7 9.9 10.5',
  [`24 24 16 ${ENGLISH}`]:
    '11.4 14.1 14.12 14.14 15.4 16.0 16.4 16.9 17.12 17.14 18.7 18.10 18.15 20.0 20.3 20.9 20.14 21.12',
  [`24 24 16 ${MULTILINGUAL}`]: '13.15 15.4 15.15 16.1 20.0 23.4',
  [`32 32 20 ${MULTILINGUAL}`]:
    '10.12 13.17 16.11 16.12 16.13 17.15 17.16 18.4 18.11 18.19 19.11 21.2 21.3 22.3 22.9 22.12 23.5 23.7 23.13 25.5 26.1 26.12 27.15',
  [`32 32 20 ${WITH_CANTONESE}`]: '7.0 10.17 12.18 13.12 16.1 17.14 19.11 21.4 24.1 25.6',
  [`32 4 20 ${WITH_CANTONESE}`]: '2.4 2.11 3.3 3.6 3.11 3.14',
}

const headOf = (text: string) => text.split('.').map(Number) as [layer: number, head: number]

/** For any other model: the upper half of its layers follows the speech better than the lower half. */
const upperHalf = ({ textLayers, textHeads }: Shape): Head[] => {
  const first = Math.floor(textLayers / 2)
  const count = (textLayers - first) * textHeads
  return Array.from({ length: count }, (_, i) => [first + Math.floor(i / textHeads), i % textHeads])
}

/** Sorted by layer, then head. */
export const alignmentHeads = (shape: Shape): Head[] => {
  const { audioLayers, textLayers, textHeads, vocabulary } = shape
  const published = PUBLISHED[`${audioLayers} ${textLayers} ${textHeads} ${vocabulary}`]
  return published ? published.split(' ').map(headOf) : upperHalf(shape)
}

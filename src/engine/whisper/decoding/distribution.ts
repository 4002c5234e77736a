// The distribution over the allowed tokens of one step: log-probabilities, the best token, samples. Reads the logits in place.

import { LOGITS_IN_BLOCK } from '../../../../wasm/whisper/interface.ts'
import { blocksOf, type Logits, type Range, rangeOfBlock } from '../logits.ts'
import type { SpecialTokens } from './tokenizer.ts'

/** Of the special tokens only the end and the timestamps are ever allowed. */
export type Allowed = {
  text: boolean
  /** whether the text may be empty, or begin with a lone space */
  blank: boolean
  /** the ids of the allowed timestamps, `to` excluded */
  timestamps: { from: number; to: number }
}

export type ChosenToken = {
  id: number
  logprob: number
  /** the likeliest timestamp at this position, used as the start of a text without one */
  timestamp: number
}

export type Distribution = {
  best(): ChosenToken
  /** @param random from 0 to below 1 */
  draw(random: number): ChosenToken
  /** likeliest first */
  top(count: number): ChosenToken[]
}

/** The token that is a lone space, in GPT-2 and so in every Whisper model. */
const SPACE = 220

const STEPS = 256
/** 52,000 tokens that are each e^24 times less likely than the likeliest add up to 2 in a million. */
const REACH = 24
const POWERS = Float64Array.from({ length: STEPS * REACH }, (_, step) => Math.exp(-step / STEPS))

/**
 * e^(−x / STEPS), at most 1e-5 too small and exactly 1 for 0. A table with linear interpolation takes a third of the time
 * of Math.exp.
 */
const power = (x: number) => {
  if (!(x < STEPS * REACH)) return 0
  const step = x | 0
  return POWERS[step]! * (1 - (x - step) * (1 / STEPS))
}

type Scaled = { max: number; scale: number }

const sumOfPowers = (values: Float32Array, { from, to }: Range, { max, scale }: Scaled) => {
  const stepsPerLogit = scale * STEPS
  let sum = 0
  for (let i = from; i < to; i += 1) sum += power((max - values[i]!) * stepsPerLogit)
  return sum
}

/** The block sums hold for scale 1 only; any other scale recomputes the sum. */
const sumOf = ({ values, maxima, sums }: Logits, range: Range, scaled: Scaled) => {
  if (scaled.scale !== 1) return sumOfPowers(values, range, scaled)
  const { before, first, last, after } = blocksOf(range, values.length)
  let sum = sumOfPowers(values, before, scaled) + sumOfPowers(values, after, scaled)
  for (let block = first; block < last; block += 1) {
    const less = scaled.max - maxima[block]!
    if (less < REACH) sum += sums[block]! * Math.exp(-less)
  }
  return sum
}

/** The first index of the maximum; the first of the range if all are NaN. */
const indexOfMax = ({ values, maxima }: Logits, range: Range) => {
  const { before, first, last, after } = blocksOf(range, values.length)
  let at = range.from
  let max = Number.NEGATIVE_INFINITY
  const look = ({ from, to }: Range) => {
    for (let i = from; i < to; i += 1) {
      if (!(values[i]! > max)) continue
      max = values[i]!
      at = i
    }
  }
  look(before)
  let best = -1
  for (let block = first; block < last; block += 1) {
    if (!(maxima[block]! > max)) continue
    max = maxima[block]!
    best = block
  }
  if (best >= 0)
    at = Math.max(0, values.subarray(0, (best + 1) * LOGITS_IN_BLOCK).indexOf(max, best * LOGITS_IN_BLOCK))
  look(after)
  return at
}

const bestOf = ({ values }: Logits, candidates: number[]) =>
  candidates.reduce((best, id) => (values[id]! > values[best]! ? id : best))

/** The probability of one token among the whole vocabulary. */
export const probabilityOf = (logits: Logits, id: number) => {
  const { values } = logits
  const all = { from: 0, to: values.length }
  const max = values[indexOfMax(logits, all)]!
  return Math.exp(values[id]! - max) / sumOf(logits, all, { max, scale: 1 })
}

/** The text tokens and the end token, whose ids are adjacent. Without `blank`, excludes the lone space and the end. */
const textRanges = ({ text, blank }: Allowed, end: number): Range[] => {
  if (!text) return [{ from: end, to: end + 1 }]
  if (blank) return [{ from: 0, to: end + 1 }]
  return [
    { from: 0, to: SPACE },
    { from: SPACE + 1, to: end },
  ]
}

const largestOf = ({ values, maxima }: Logits, ranges: Range[], count: number) => {
  const ids: number[] = []
  let least = Number.NEGATIVE_INFINITY
  const look = ({ from, to }: Range) => {
    for (let i = from; i < to; i += 1) {
      const value = values[i]!
      if (!(value > least)) continue
      let at = ids.length
      while (at > 0 && values[ids[at - 1]!]! < value) at -= 1
      ids.splice(at, 0, i)
      if (ids.length > count) ids.pop()
      if (ids.length === count) least = values[ids[count - 1]!]!
    }
  }
  for (const range of ranges) {
    const { before, first, last, after } = blocksOf(range, values.length)
    look(before)
    for (let block = first; block < last; block += 1)
      if (maxima[block]! > least) look(rangeOfBlock(block, values.length))
    look(after)
  }
  return ids
}

const drawFrom = (values: Float32Array, ranges: Range[], random: number, { max, scale }: Scaled) => {
  const total = ranges.reduce((sum, range) => sum + sumOfPowers(values, range, { max, scale }), 0)
  let left = random * total
  let last = ranges[0]!.from
  for (const { from, to } of ranges) {
    for (let i = from; i < to; i += 1) {
      const share = power((max - values[i]!) * scale * STEPS)
      if (share === 0) continue
      left -= share
      last = i
      if (left < 0) return i
    }
  }
  return last
}

export type DistributionOptions = {
  /** not modified; the result is valid as long as they are */
  logits: Logits
  allowed: Allowed
  tokens: SpecialTokens
  /** 0 counts as 1, because callers then take `best` */
  temperature: number
}

/** If the timestamps are together likelier than any text token, only they are allowed. Log-probabilities remain those among all. */
export const distributionOf = ({
  logits,
  allowed,
  tokens,
  temperature,
}: DistributionOptions): Distribution => {
  const { values } = logits
  const texts = textRanges(allowed, tokens.end)
  const times = allowed.timestamps.from < allowed.timestamps.to ? [allowed.timestamps] : []
  const scale = temperature > 0 ? 1 / temperature : 1
  const bestText = bestOf(
    logits,
    texts.map((range) => indexOfMax(logits, range)),
  )
  const bestTime = times.map((range) => indexOfMax(logits, range))[0]
  const best = bestTime === undefined ? bestText : bestOf(logits, [bestText, bestTime])
  const max = values[best]!
  const sumOfAll = (ranges: Range[]) =>
    ranges.reduce((total, range) => total + sumOf(logits, range, { max, scale }), 0)
  const timeSum = sumOfAll(times)
  const logSum = Math.log(timeSum + sumOfAll(texts))
  const onlyTimes = timeSum > Math.exp((values[bestText]! - max) * scale)
  const ranges = onlyTimes ? times : [...texts, ...times]
  const chosen = (id: number): ChosenToken => ({
    id,
    logprob: (values[id]! - max) * scale - logSum,
    timestamp: bestTime ?? tokens.firstTimestamp,
  })

  return {
    best: () => chosen(onlyTimes && bestTime !== undefined ? bestTime : best),
    draw: (random) => chosen(drawFrom(values, ranges, random, { max, scale })),
    top: (count) => largestOf(logits, ranges, count).map(chosen),
  }
}

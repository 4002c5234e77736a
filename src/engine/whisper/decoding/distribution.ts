// What the logits of one step say about the tokens that are allowed: log-probabilities, the best, a drawn one.
// Which tokens are allowed is rules.ts. Looks at the logits where they are and copies none.

import type { SpecialTokens } from './special-tokens.ts'

/** Marks other than the end and the timestamps never come. */
export type Allowed = {
  text: boolean
  /** whether the text may be empty, or begin with nothing but a space */
  blank: boolean
  /** the ids of the timestamps that may come, before `to` */
  timestamps: { from: number; to: number }
}

export type ChosenToken = {
  id: number
  logprob: number
  /** the likeliest timestamp at this place, by which a text that begins without one is dated */
  timestamp: number
}

export type Distribution = {
  best(): ChosenToken
  /** @param random from 0 to below 1 */
  draw(random: number): ChosenToken
  /** the likeliest first */
  top(count: number): ChosenToken[]
}

type Range = { from: number; to: number }

/** The token of GPT-2, and so of every Whisper model, that is nothing but a space. */
const SPACE = 220

const STEPS = 256
/** 52 thousand tokens that are each e^24 times less likely than the likeliest are together 2 in a million. */
const REACH = 24
const POWERS = Float64Array.from({ length: STEPS * REACH }, (_, step) => Math.exp(-step / STEPS))

/**
 * e to the power of −x / STEPS, at most a hundred-thousandth too small and 1 for 0: a table and a straight line take
 * a third of the time of Math.exp.
 */
const power = (x: number) => {
  if (!(x < STEPS * REACH)) return 0
  const step = x | 0
  return POWERS[step]! * (1 - (x - step) * (1 / STEPS))
}

type Scaled = { max: number; scale: number }

const sumOfPowers = (logits: Float32Array, { from, to }: Range, { max, scale }: Scaled) => {
  const stepsPerLogit = scale * STEPS
  let sum = 0
  for (let i = from; i < to; i += 1) sum += power((max - logits[i]!) * stepsPerLogit)
  return sum
}

const indexOfMax = (logits: Float32Array, { from, to }: Range) => {
  let at = from
  let max = Number.NEGATIVE_INFINITY
  for (let i = from; i < to; i += 1) {
    const value = logits[i]!
    if (value > max) {
      max = value
      at = i
    }
  }
  return at
}

const bestOf = (logits: Float32Array, candidates: number[]) =>
  candidates.reduce((best, id) => (logits[id]! > logits[best]! ? id : best))

/** The probability of one token among all there are. */
export const probabilityOf = (logits: Float32Array, id: number) => {
  const all = { from: 0, to: logits.length }
  const max = logits[indexOfMax(logits, all)]!
  return Math.exp(logits[id]! - max) / sumOfPowers(logits, all, { max, scale: 1 })
}

/** Of text and end, which lie side by side. A text that is a blank is a space or an end. */
const textRanges = ({ text, blank }: Allowed, end: number): Range[] => {
  if (!text) return [{ from: end, to: end + 1 }]
  if (blank) return [{ from: 0, to: end + 1 }]
  return [
    { from: 0, to: SPACE },
    { from: SPACE + 1, to: end },
  ]
}

const largestOf = (logits: Float32Array, ranges: Range[], count: number) => {
  const ids: number[] = []
  let least = Number.NEGATIVE_INFINITY
  for (const { from, to } of ranges) {
    for (let i = from; i < to; i += 1) {
      const value = logits[i]!
      if (!(value > least)) continue
      let at = ids.length
      while (at > 0 && logits[ids[at - 1]!]! < value) at -= 1
      ids.splice(at, 0, i)
      if (ids.length > count) ids.pop()
      if (ids.length === count) least = logits[ids[count - 1]!]!
    }
  }
  return ids
}

const drawFrom = (logits: Float32Array, ranges: Range[], random: number, { max, scale }: Scaled) => {
  const total = ranges.reduce((sum, range) => sum + sumOfPowers(logits, range, { max, scale }), 0)
  let left = random * total
  let last = ranges[0]!.from
  for (const { from, to } of ranges) {
    for (let i = from; i < to; i += 1) {
      const share = power((max - logits[i]!) * scale * STEPS)
      if (share === 0) continue
      left -= share
      last = i
      if (left < 0) return i
    }
  }
  return last
}

export type DistributionOptions = {
  /** [vocabulary], not changed; what is returned is valid as long as they are */
  logits: Float32Array
  allowed: Allowed
  tokens: SpecialTokens
  /** 0 is 1 here: it means that the best is taken */
  temperature: number
}

/** If the timestamps are together likelier than any text, only they can come; log-probabilities stay those among all. */
export const distributionOf = ({
  logits,
  allowed,
  tokens,
  temperature,
}: DistributionOptions): Distribution => {
  const texts = textRanges(allowed, tokens.end)
  const times = allowed.timestamps.from < allowed.timestamps.to ? [allowed.timestamps] : []
  const scale = temperature > 0 ? 1 / temperature : 1
  const bestText = bestOf(
    logits,
    texts.map((range) => indexOfMax(logits, range)),
  )
  const bestTime = times.map((range) => indexOfMax(logits, range))[0]
  const best = bestTime === undefined ? bestText : bestOf(logits, [bestText, bestTime])
  const max = logits[best]!
  const sumOf = (ranges: Range[]) =>
    ranges.reduce((total, range) => total + sumOfPowers(logits, range, { max, scale }), 0)
  const timeSum = sumOf(times)
  const logSum = Math.log(timeSum + sumOf(texts))
  const onlyTimes = timeSum > Math.exp((logits[bestText]! - max) * scale)
  const ranges = onlyTimes ? times : [...texts, ...times]
  const chosen = (id: number): ChosenToken => ({
    id,
    logprob: (logits[id]! - max) * scale - logSum,
    timestamp: bestTime ?? tokens.firstTimestamp,
  })

  return {
    best: () => chosen(onlyTimes && bestTime !== undefined ? bestTime : best),
    draw: (random) => chosen(drawFrom(logits, ranges, random, { max, scale })),
    top: (count) => largestOf(logits, ranges, count).map(chosen),
  }
}

// Compares log-probabilities over the allowed tokens with a softmax in float64.

import { describe, expect, test } from 'bun:test'
import {
  type Allowed,
  distributionOf,
  probabilityOf,
} from '../../../../src/engine/whisper/decoding/distribution.ts'
import { createRandom } from '../../../../src/engine/whisper/decoding/sample.ts'
import { specialTokensOf } from '../../../../src/engine/whisper/decoding/tokenizer.ts'
import { summedLogits } from '../summed-logits.ts'

const tokens = specialTokensOf(51_864)
const { end, firstTimestamp, vocabulary } = tokens
const SPACE = 220

const anything: Allowed = { text: true, blank: true, timestamps: { from: firstTimestamp, to: vocabulary } }
const textOnly: Allowed = { ...anything, timestamps: { from: firstTimestamp, to: firstTimestamp } }

const noise = (seed: number) => {
  const random = createRandom(seed)
  return Float32Array.from({ length: vocabulary }, () => 20 * random() - 10)
}

/** All other tokens are practically impossible. */
const logitsOf = (likely: Record<number, number>) => {
  const logits = new Float32Array(vocabulary).fill(-80)
  for (const [id, logit] of Object.entries(likely)) logits[Number(id)] = logit
  return logits
}

const distribution = (logits: Float32Array, allowed: Allowed, temperature = 0) =>
  distributionOf({ logits: summedLogits(logits), allowed, tokens, temperature })

const softmax = (logits: Float32Array, isAllowed: (id: number) => boolean, temperature = 1) => {
  const powers = Array.from(logits, (logit, id) => (isAllowed(id) ? Math.exp(logit / temperature) : 0))
  const sum = powers.reduce((total, power) => total + power, 0)
  return powers.map((power) => power / sum)
}

describe('the log-probability of the best', () => {
  const isText = (id: number) => id <= end

  test.each([
    [0, 1],
    [0.4, 0.4],
  ])('is that among all allowed tokens at temperature %p', (temperature, scale) => {
    const logits = noise(1)
    logits[4711] = 12
    const exact = softmax(logits, isText, scale)
    const best = distribution(logits, textOnly, temperature).best()
    expect(best.id).toBe(4711)
    expect(best.logprob).toBeCloseTo(Math.log(exact[4711]!), 4)
  })

  test('is that among the whole vocabulary for a single probability', () => {
    const logits = noise(2)
    expect(probabilityOf(summedLogits(logits), 77)).toBeCloseTo(softmax(logits, () => true)[77]!, 8)
  })

  test('does not depend on very unlikely tokens', () => {
    expect(distribution(logitsOf({ 5: 3 }), textOnly).best()).toMatchObject({
      id: 5,
      logprob: expect.closeTo(0, 6),
    })
  })
})

describe('never returns', () => {
  test('a control token between the end and the timestamps', () => {
    const logits = noise(3)
    logits.fill(50, end + 1, firstTimestamp)
    expect(distribution(logits, anything).best().id).not.toBeWithin(end + 1, firstTimestamp)
    for (const { id } of distribution(logits, anything).top(20))
      expect(id).not.toBeWithin(end + 1, firstTimestamp)
  })

  test('a lone space or an end where no blank is allowed', () => {
    const logits = logitsOf({ [SPACE]: 9, [end]: 8, 42: 1 })
    expect(distribution(logits, textOnly).best().id).toBe(SPACE)
    expect(distribution(logits, { ...textOnly, blank: false }).best()).toMatchObject({
      id: 42,
      logprob: expect.closeTo(0, 6),
    })
  })

  test('text where only a timestamp or the end may follow', () => {
    const logits = logitsOf({ 42: 9, [end]: 2, [firstTimestamp + 10]: 1 })
    expect(distribution(logits, { ...anything, text: false }).best().id).toBe(end)
  })

  test('a timestamp out of bounds', () => {
    const timestamps = { from: firstTimestamp + 10, to: firstTimestamp + 20 }
    const logits = logitsOf({
      [firstTimestamp + 9]: 9,
      [firstTimestamp + 20]: 9,
      [firstTimestamp + 15]: 5,
      1: -5,
    })
    const best = distribution(logits, { ...anything, timestamps }).best()
    expect(best).toEqual({
      id: firstTimestamp + 15,
      logprob: expect.closeTo(0, 3),
      timestamp: firstTimestamp + 15,
    })
  })
})

describe('timestamps that are together likelier than any text', () => {
  const three = { [firstTimestamp + 1]: 1, [firstTimestamp + 2]: 1.1, [firstTimestamp + 3]: 1 }

  test('are chosen, though each is less likely than the text', () => {
    const best = distribution(logitsOf({ 7: 1.9, ...three }), anything).best()
    const shares = [1.9, 1, 1.1, 1].map(Math.exp)
    const sum = shares.reduce((total, share) => total + share)
    expect(best).toMatchObject({
      id: firstTimestamp + 2,
      logprob: expect.closeTo(Math.log(shares[2]! / sum), 4),
    })
  })

  test('are the only tokens drawn', () => {
    const next = distribution(logitsOf({ 7: 1.9, ...three }), anything, 1)
    for (let i = 0; i < 50; i += 1) expect(next.draw(i / 50).id).toBeGreaterThan(firstTimestamp)
  })

  test('are the likeliest tokens', () => {
    const ids = distribution(logitsOf({ 7: 1.9, 8: 1.8, ...three }), anything)
      .top(4)
      .map(({ id }) => id)
    expect(ids.slice(0, 3).toSorted()).toEqual([1, 2, 3].map((step) => firstTimestamp + step))
    expect(Math.min(...ids)).toBeGreaterThanOrEqual(firstTimestamp)
  })

  test('are compared with text at the sampling temperature', () => {
    // at 1 three timestamps are together likelier than the text, at 0.5 their squares are not
    const likely = {
      7: Math.log(0.35),
      ...Object.fromEntries([1, 2, 3].map((i) => [firstTimestamp + i, Math.log(0.2)])),
    }
    const drawn = (temperature: number) => distribution(logitsOf(likely), anything, temperature).draw(0).id
    expect(drawn(1)).toBeGreaterThan(firstTimestamp)
    expect(drawn(0.5)).toBe(7)
  })

  test('are not chosen if the text is likelier', () => {
    expect(distribution(logitsOf({ 7: 2.3, ...three }), anything).best().id).toBe(7)
  })
})

describe('drawing', () => {
  test('returns the log-probability of the drawn token at its temperature', () => {
    const next = distribution(logitsOf({ 3: 0, 9: 1 }), textOnly, 0.5)
    const sum = 1 + Math.exp(2)
    expect(next.draw(0)).toMatchObject({ id: 3, logprob: expect.closeTo(Math.log(1 / sum), 4) })
    expect(next.draw(0.9)).toMatchObject({ id: 9, logprob: expect.closeTo(Math.log(Math.exp(2) / sum), 4) })
  })

  test('draws each token in proportion to its probability', () => {
    const next = distribution(
      logitsOf({ 3: Math.log(0.2), 9: Math.log(0.5), [end]: Math.log(0.3) }),
      textOnly,
      1,
    )
    const counts = new Map<number, number>()
    for (let i = 0; i < 100; i += 1) {
      const { id } = next.draw((i + 0.5) / 100)
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    expect(Object.fromEntries(counts)).toEqual({ 3: 20, 9: 50, [end]: 30 })
  })

  test('draws unlikely tokens more often at a higher temperature', () => {
    const logits = logitsOf({ 3: 0, 9: 2 })
    const threesOfHundred = (temperature: number) => {
      const next = distribution(logits, textOnly, temperature)
      return Array.from({ length: 100 }, (_, i) => next.draw((i + 0.5) / 100).id).filter((id) => id === 3)
        .length
    }
    expect(threesOfHundred(0.2)).toBe(0)
    expect(threesOfHundred(1)).toBe(12)
  })
})

test('returns the requested number of tokens, likeliest first', () => {
  const top = distribution(logitsOf({ 8: 1, 5: 3, 2: 2, 11: 0 }), textOnly).top(3)
  expect(top.map(({ id }) => id)).toEqual([5, 2, 8])
})

test('does not modify the logits', () => {
  const logits = noise(4)
  const before = logits.slice()
  const next = distribution(logits, anything, 0.6)
  next.best()
  next.draw(0.5)
  next.top(6)
  expect(logits).toEqual(before)
})

test('returns some token for NaN logits, without an error', () => {
  const next = distribution(new Float32Array(vocabulary).fill(Number.NaN), anything, 0.2)
  expect(next.best().id).toBeWithin(0, vocabulary)
  expect(next.draw(0.9).id).toBeWithin(0, vocabulary)
})

test('finds the same tokens as a plain search, for any allowed range', () => {
  const random = createRandom(7)
  const at = (most: number) => Math.floor(random() * most)
  for (let round = 0; round < 20; round += 1) {
    const logits = noise(round).map((logit) => Math.round(8 * logit) / 8)
    const from = firstTimestamp + at(1501)
    const timestamps = { from, to: from + at(vocabulary - from + 1) }
    const allowed = { text: round % 4 > 0, blank: round % 2 > 0, timestamps }
    const isText = (id: number) =>
      allowed.text ? id <= end && (allowed.blank || (id !== SPACE && id !== end)) : id === end
    const isTime = (id: number) => id >= timestamps.from && id < timestamps.to
    const ids = [...logits.keys()].filter((id) => isText(id) || isTime(id))
    const mass = (which: number[]) => which.reduce((sum, id) => sum + Math.exp(logits[id]!), 0)
    const [texts, times] = [ids.filter(isText), ids.filter(isTime)]
    const onlyTimes = mass(times) > Math.max(...texts.map((id) => Math.exp(logits[id]!)))
    const ordered = (onlyTimes ? times : ids).toSorted((a, b) => logits[b]! - logits[a]! || a - b)
    const next = distribution(logits, allowed)
    expect(next.best().id).toBe(ordered[0]!)
    expect(next.top(6).map(({ id }) => id)).toEqual(ordered.slice(0, 6))
    expect(next.best().logprob).toBeCloseTo(logits[ordered[0]!]! - Math.log(mass(ids)), 4)
  }
})

// Uses made-up texts of a vocabulary of five words.

import { expect, test } from 'bun:test'
import { type DifferenceOptions, differenceOf, verdictOn, whenRounding } from './agreement-report.ts'
import type { Comparison } from './comparison.ts'
import type { RecordedTokens } from './recorded-tokens.ts'

const vocabulary = [' Add', ' milk', ',', ' Ad', ' café'].map((word) => new TextEncoder().encode(word))

const textOf = (tokens: number[]) =>
  tokens
    .map((id) => new TextDecoder().decode(vocabulary[id]))
    .join('')
    .trim()

const recorded = (tokens: number[], probability: number): RecordedTokens => ({
  engine: 'made up',
  model: { name: 'none', sha256: '' },
  utterances: {
    one: {
      text: textOf(tokens),
      tokens,
      probabilities: tokens.map(() => probability),
      samples: { count: 0, crc32: 0 },
    },
  },
})

const beside = (theirs: number[], tokens: number[], sampled = false): Comparison => ({
  ...{ name: 'one', said: 'Add milk, café', reference: 'Add milk, café', sampled, tokens },
  ...{ ours: textOf(tokens), theirs: textOf(theirs), sameText: false, sameTimes: false },
})

const reasonFor = (
  theirs: number[],
  tokens: number[],
  { sure = 0.9, sampled = false, rounded = null as number[] | null } = {},
) => {
  const options: DifferenceOptions = {
    ...{ theirs: recorded(theirs, sure), vocabulary },
    rounding: rounded && recorded(rounded, sure),
  }
  return differenceOf(beside(theirs, tokens, sampled), options).reason
}

test('gives a difference the first reason that applies', () => {
  expect(reasonFor([0, 1], [3, 1])).toBe('none')
  expect(reasonFor([0, 1], [3, 1], { sure: 0.5 })).toBe('doubt')
  expect(reasonFor([0, 1], [0, 1, 4])).toBe('end')
  expect(reasonFor([0, 1], [3, 1], { sampled: true })).toBe('sampled')
  expect(reasonFor([0, 1], [3, 1], { rounded: [3, 1] })).toBe('rounding')
  expect(reasonFor([0, 1], [3, 1], { rounded: [3, 4], sure: 0.5 })).toBe('doubt')
})

test('replaces shout’s text by its text with rounding', () => {
  const [one] = whenRounding([beside([0, 1], [3, 1])], recorded([3, 1], 0.9))
  expect(one).toMatchObject({ theirs: 'Ad milk', sameText: true })
  expect(whenRounding([{ ...one!, name: 'other' }], recorded([3, 1], 0.9))[0]!.name).toBe('other')
})

test('passes if 19 of 20 texts agree, and fails with 18', () => {
  const same = { ...beside([0, 1, 2, 4], [0, 1, 2, 4]), sameText: true, sameTimes: true }
  const other = { ...same, sameText: false }
  expect(verdictOn([...Array<Comparison>(19).fill(same), other], 20).passes).toBe(true)
  expect(verdictOn([...Array<Comparison>(18).fill(same), other, other], 20).passes).toBe(false)
  // a failed utterance is not compared, but counts
  expect(verdictOn(Array<Comparison>(18).fill(same), 20).passes).toBe(false)
})

test('fails with a word error rate more than 0.5 points above whisper.cpp; captions are not words', () => {
  const right = { ...beside([0, 1, 2, 4], [0, 1, 2, 4]), sameText: true, ours: '[ Silence ] Add milk, café' }
  expect(verdictOn([right], 1).passes).toBe(true)
  expect(verdictOn([{ ...right, ours: 'Ad milk, café' }], 1).passes).toBe(false)
})

import { expect, test } from 'bun:test'
import { divergenceOf, divergesAtTime } from './divergence.ts'

const vocabulary = [' Add', ' milk', ',', ' Ad', ' café'].map((word) => new TextEncoder().encode(word))

/** " Add milk, café" between two timestamps. */
const recorded = {
  text: 'Add milk, café',
  tokens: [50_363, 0, 1, 2, 4, 50_400],
  probabilities: [0.9, 0.5, 0.8, 0.7, 0.6, 0.1],
  samples: { count: 16_000, crc32: 0 },
}

test.each([
  ['Ad milk', ' Add', 0.5],
  ['Add Milk, café', ' milk', 0.8],
  ['Add milk café', ',', 0.7],
  ['Add milk, cafe', ' café', 0.6],
  ['', ' Add', 0.5],
])('%p differs first at %p', (ours, token, probability) => {
  expect(divergenceOf(vocabulary, ours, recorded)).toEqual({ token, probability })
})

test('a longer text differs where shout ends', () => {
  expect(divergenceOf(vocabulary, 'Add milk, café and', recorded)).toEqual({ token: null, probability: null })
  const nothing = { ...recorded, tokens: [], probabilities: [] }
  expect(divergenceOf(vocabulary, 'Thank you', nothing)).toEqual({ token: null, probability: null })
})

test.each([
  [[50_363, 0, 1, 2, 4, 50_400], false],
  [[50_363, 0, 1, 2, 4, 50_401], true],
  [[0, 1, 2, 4, 50_400], true],
  [[50_363, 3, 1, 2, 4, 50_400], false],
  [[50_363, 0, 50_380, 2, 4, 50_400], true],
])('%p differs first at a timestamp: %p', (tokens, isTime) => {
  expect(divergesAtTime(tokens, recorded)).toBe(isTime)
})

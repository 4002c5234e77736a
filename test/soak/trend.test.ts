// Slopes that a harness judges by: that they are right, and that a wild value does not bend them.

import { expect, test } from 'bun:test'
import { settled, slopePerHour } from './trend.ts'

const series = (...values: number[]) => values.map((value, index) => ({ atHours: index / 10, value }))

test('a steady rise is told per hour, whatever a few wild values say', () => {
  expect(slopePerHour(series(100, 101, 102, 103, 104))).toBeCloseTo(10)
  expect(slopePerHour(series(100, 101, 500, 103, 104, 105, 20))).toBeCloseTo(10)
})

test('what goes up and down about a value has no slope, and neither has a single look', () => {
  expect(slopePerHour(series(50, 53, 50, 53, 50, 53, 50))).toBeCloseTo(0)
  expect(slopePerHour(series(50))).toBe(0)
})

test('the first third of a run does not count', () => {
  expect(settled([1, 2, 3, 4, 5, 6, 7])).toEqual([3, 4, 5, 6, 7])
  expect(settled([1])).toEqual([1])
})

import { expect, test } from 'bun:test'
import { createRandom } from '../support/random.ts'
import { settled, trendOf } from './trend.ts'

const series = (...values: number[]) => values.map((value, index) => ({ atHours: index / 10, value }))

test('returns a steady rise per hour, unaffected by outliers', () => {
  expect(trendOf(series(100, 101, 102, 103, 104)).perHour).toBeCloseTo(10)
  expect(trendOf(series(100, 101, 500, 103, 104, 105, 20)).perHour).toBeCloseTo(10)
})

test('returns no slope for values that alternate, or for a single value', () => {
  expect(trendOf(series(50, 53, 50, 53, 50, 53, 50)).perHour).toBeCloseTo(0)
  expect(trendOf(series(50)).perHour).toBe(0)
})

test('returns no bounds for too few values', () => {
  expect(trendOf(series(50))).toEqual({ perHour: 0, low: -Infinity, high: Infinity })
  expect(trendOf(series(50, 51, 52)).high).toBe(Infinity)
})

test('the true slope is outside the bounds in about five of a hundred series', () => {
  const random = createRandom(4)
  const isOutside = () => {
    const { low, high } = trendOf(series(...Array.from({ length: 16 }, (_, at) => at * 0.3 + random() * 6)))
    return low > 3 || high < 3
  }
  const outside = Array.from({ length: 1000 }, isOutside).filter(Boolean).length
  expect(outside).toBeGreaterThan(20)
  expect(outside).toBeLessThan(80)
})

test('drops the first third of a run', () => {
  expect(settled([1, 2, 3, 4, 5, 6, 7])).toEqual([3, 4, 5, 6, 7])
  expect(settled([1])).toEqual([1])
})

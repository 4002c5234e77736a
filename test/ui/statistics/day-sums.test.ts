import { expect, test } from 'bun:test'
import { axisEnd, barsOf } from '../../../src/ui/statistics/day-sums.ts'

const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, at) => {
    const date = new Date(Date.parse(first) + at * 86_400_000).toISOString().slice(0, 10)
    return { date, captures: 1, words: 10, duration_ms: 1000 }
  })

test('a bar is a day for up to a year', () => {
  const { by, bars } = barsOf(daysFrom('2026-01-01', 366))
  expect([by, bars.length]).toEqual(['day', 366])
})

test('a bar is a month for longer periods, and no word is lost', () => {
  const { by, bars } = barsOf(daysFrom('2024-12-31', 731))
  expect(by).toBe('month')
  expect(bars).toHaveLength(25)
  expect(bars[0]).toEqual({ date: '2024-12-01', captures: 1, words: 10, duration_ms: 1000 })
  expect(bars[1]).toEqual({ date: '2025-01-01', captures: 31, words: 310, duration_ms: 31_000 })
  expect(bars.reduce((sum, { words }) => sum + words, 0)).toBe(7310)
})

test('an axis ends at a round number that shows the largest value and has a whole middle', () => {
  expect([0, 1, 2, 3, 9, 10, 11, 35, 99, 100, 101, 3500].map(axisEnd)).toEqual([
    2, 2, 2, 4, 10, 10, 20, 40, 100, 100, 200, 4000,
  ])
})

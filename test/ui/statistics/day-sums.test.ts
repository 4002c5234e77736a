import { expect, test } from 'bun:test'
import { barsOf } from '../../../src/ui/statistics/day-sums.ts'

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

// Totals per day, summed by month if there are too many days to chart.

import type { UsageStatistics } from '../server/wire.ts'

export type DaySum = UsageStatistics['daily'][number]

/** A little more than a year. */
const MAX_BARS = 400

/** @returns each bar with its first day */
export function barsOf(daily: readonly DaySum[]): { by: 'day' | 'month'; bars: DaySum[] } {
  if (daily.length <= MAX_BARS) return { by: 'day', bars: [...daily] }
  const months = Map.groupBy(daily, ({ date }) => date.slice(0, 7))
  const bars = [...months].map(([month, days]) => ({
    date: `${month}-01`,
    captures: sumOf(days, 'captures'),
    words: sumOf(days, 'words'),
    duration_ms: sumOf(days, 'duration_ms'),
  }))
  return { by: 'month', bars }
}

/** The end of an axis from 0 that shows `most`: a round number whose half is whole. */
export function axisEnd(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  return [1, 2, 4, 6, 8, 10].map((times) => times * unit).find((end) => end >= most && end % 2 === 0)!
}

/** Evenly spaced items, with the first and the last. */
export function evenly<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items]
  return Array.from({ length: count }, (_, at) => items[Math.round((at * (items.length - 1)) / (count - 1))]!)
}

const sumOf = (days: readonly DaySum[], name: 'captures' | 'words' | 'duration_ms'): number =>
  days.reduce((sum, day) => sum + day[name], 0)

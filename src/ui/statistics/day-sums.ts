// Totals per day, summed by month if there are too many days to chart.

import type { UsageStatistics } from '../server/wire.ts'

export type DaySum = UsageStatistics['daily'][number]

/** A little more than a year. */
const MOST_BARS = 400

/** @returns each bar with its first day */
export function barsOf(daily: readonly DaySum[]): { by: 'day' | 'month'; bars: DaySum[] } {
  if (daily.length <= MOST_BARS) return { by: 'day', bars: [...daily] }
  const months = Map.groupBy(daily, ({ date }) => date.slice(0, 7))
  const bars = [...months].map(([month, days]) => ({
    date: `${month}-01`,
    captures: sumOf(days, 'captures'),
    words: sumOf(days, 'words'),
    duration_ms: sumOf(days, 'duration_ms'),
  }))
  return { by: 'month', bars }
}

const sumOf = (days: readonly DaySum[], name: 'captures' | 'words' | 'duration_ms'): number =>
  days.reduce((sum, day) => sum + day[name], 0)

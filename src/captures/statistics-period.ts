// The period of a statistic and the period it is compared with: calendar days, or a span that the client chose.

import { monthStart, QUARTER_MS, type TimeZone, weekdayOf, yearStart } from '../lib/time-zone.ts'

/** Periods that end today, and `all`. */
export const CALENDAR_PERIODS = ['today', 'week', 'month', 'year', 'all'] as const
export type CalendarPeriod = (typeof CALENDAR_PERIODS)[number]
export const STATISTICS_PERIODS = [...CALENDAR_PERIODS, 'custom'] as const
export type StatisticsPeriod = (typeof STATISTICS_PERIODS)[number]

/** From `from` (inclusive) until `until` (exclusive). */
export type TimeSpan = { from: Date; until: Date }

export type PeriodQuery = {
  period: CalendarPeriod
  /** either of them makes a custom span */
  since: Date | null
  until: Date | null
}

export type Period = {
  name: StatisticsPeriod
  /** null: all captures */
  spans: TimeSpan[] | null
  firstDay: number
  lastDay: number
  /** the period to compare with; null: none */
  before: TimeSpan[] | null
}

type Now = {
  now: Date
  zone: TimeZone
  /** time of the first capture; null without captures */
  first: Date | null
}

export function periodOf({ period, since, until }: PeriodQuery, at: Now): Period {
  if (since !== null || until !== null) return customPeriod({ since, until }, at)
  const { now, zone, first } = at
  const today = dayOfTime(zone, now)
  if (period === 'all') {
    const firstDay = Math.min(dayOfTime(zone, first ?? now), today)
    return { name: 'all', spans: null, firstDay, lastDay: today, before: null }
  }
  const { start, earlier } = startsOf(period, today)
  // The same days of the week, month or year before, as far as it has them: a Tuesday is not compared with a week.
  const lastEarlier = Math.min(earlier + (today - start), start - 1)
  return {
    name: period,
    spans: spansOf(zone, start, today),
    firstDay: start,
    lastDay: today,
    before: spansOf(zone, earlier, lastEarlier),
  }
}

function startsOf(period: Exclude<CalendarPeriod, 'all'>, today: number): { start: number; earlier: number } {
  switch (period) {
    case 'today':
      return { start: today, earlier: today - 1 }
    case 'week': {
      const start = today - weekdayOf(today)
      return { start, earlier: start - 7 }
    }
    case 'month':
      return { start: monthStart(today), earlier: monthStart(today, -1) }
    case 'year':
      return { start: yearStart(today), earlier: yearStart(today, -1) }
  }
}

/** Compared with a span of the same length just before it. */
function customPeriod(
  { since, until }: { since: Date | null; until: Date | null },
  { now, zone, first }: Now,
): Period {
  const end = until ?? new Date(Math.max(now.getTime(), since?.getTime() ?? 0) + 1)
  const from = since ?? new Date(Math.min(first?.getTime() ?? end.getTime(), end.getTime()))
  const earlier = new Date(2 * from.getTime() - end.getTime())
  return {
    name: 'custom',
    spans: [{ from, until: end }],
    firstDay: dayOfTime(zone, from),
    lastDay: dayOfTime(zone, new Date(Math.min(end.getTime() - 1, now.getTime()))),
    before: since === null ? null : [{ from: earlier, until: from }],
  }
}

export const dayOfTime = (zone: TimeZone, time: Date): number =>
  zone.dayOf(Math.floor(time.getTime() / QUARTER_MS))

const spansOf = (zone: TimeZone, firstDay: number, lastDay: number): TimeSpan[] =>
  zone.quartersOf(firstDay, lastDay).map(({ from, until }) => ({
    from: new Date(from * QUARTER_MS),
    until: new Date(until * QUARTER_MS),
  }))

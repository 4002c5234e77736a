// The span of time that the dates in a search query select.

import { DAY_MS, dateText, QUARTER_MS, startOfDay, type TimeZone } from '../../lib/time-zone.ts'
import type { QueryDate } from '../../text/query-dates.ts'

type Span = { since?: Date | undefined; until?: Date | undefined }

/** Null if one of them is no date. */
export function spanOfDates(dates: readonly QueryDate[], zone: TimeZone, now: Date): Span | null {
  let span: Span = {}
  for (const { operator, value } of dates) {
    const days = daysOf(value, zone.dayOf(Math.floor(now.getTime() / QUARTER_MS)))
    if (days === null) return null
    const [start, end] = days.map((day) => new Date(startOfDay(zone, day)))
    if (operator === 'before') span = narrowed(span, { until: start })
    else span = narrowed(span, operator === 'after' ? { since: end } : { since: start, until: end })
  }
  return span
}

/** Both spans at once. */
export const narrowed = (one: Span, other: Span): Span => ({
  since: latest(one.since, other.since),
  until: earliest(one.until, other.until),
})

const latest = (one: Date | undefined, other: Date | undefined) =>
  one === undefined || (other !== undefined && other > one) ? other : one
const earliest = (one: Date | undefined, other: Date | undefined) =>
  one === undefined || (other !== undefined && other < one) ? other : one

/** The first day and the day after the last, in days since 1970. */
function daysOf(value: string, today: number): [number, number] | null {
  if (value === 'today') return [today, today + 1]
  if (value === 'yesterday') return [today - 1, today]
  const [whole, year, month, day] = /^([12]\d{3})(?:-(\d\d))?(?:-(\d\d))?$/.exec(value) ?? []
  if (whole === undefined) return null
  const [y, m, d] = [Number(year), Number(month ?? 1), Number(day ?? 1)]
  const first = Date.UTC(y, m - 1, d) / DAY_MS
  if (dateText(first) !== `${year}-${month ?? '01'}-${day ?? '01'}`) return null
  if (day !== undefined) return [first, first + 1]
  return [first, (month === undefined ? Date.UTC(y + 1, 0) : Date.UTC(y, m)) / DAY_MS]
}

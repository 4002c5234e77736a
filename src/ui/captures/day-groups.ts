// Groups captures that are sorted by time: today, yesterday, the previous 7 and 30 days, then by month.

import { pageLocale, strings } from '../strings/strings.ts'

const NAMED = ['today', 'yesterday', 'week', 'month'] as const

/** A named group, or the month as `2026-05`. */
export type DayGroupKey = (typeof NAMED)[number] | (string & {})

type Dated = { recorded_at: string }

/** In the order of the list; calendar days in the browser's time zone. */
export function groupsByDay<Item extends Dated>(
  items: readonly Item[],
  now = new Date(),
): { key: DayGroupKey; items: Item[] }[] {
  const groups: { key: DayGroupKey; items: Item[] }[] = []
  for (const item of items) {
    const key = groupOf(new Date(item.recorded_at), now)
    const last = groups.at(-1)
    if (last?.key === key) last.items.push(item)
    else groups.push({ key, items: [item] })
  }
  return groups
}

function groupOf(moment: Date, now: Date): DayGroupKey {
  if (moment >= daysBefore(now, 0)) return 'today'
  if (moment >= daysBefore(now, 1)) return 'yesterday'
  if (moment >= daysBefore(now, 7)) return 'week'
  if (moment >= daysBefore(now, 30)) return 'month'
  return `${moment.getFullYear()}-${String(moment.getMonth() + 1).padStart(2, '0')}`
}

/** The start of the day, so many days ago. */
export const daysBefore = (now: Date, days: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)

export function dayGroupName(key: DayGroupKey): string {
  const named = NAMED.find((name) => name === key)
  if (named) return strings.value.captures.days[named]
  const month = new Date(`${key}-15T12:00:00`)
  return new Intl.DateTimeFormat(pageLocale.value, { year: 'numeric', month: 'long' }).format(month)
}

// Parses a date and time (RFC 3339) or a plain day. Stricter than the format check of the schema, which accepts anything
// that Date parses: the day must exist.

import { DAY_MS, startOfDay, type TimeZone } from '../../lib/time-zone.ts'

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i
export const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** Error messages; they follow the name of the field. */
export const NO_MOMENT = 'must be a day and time that exist, such as 2026-01-31T12:00:00Z'
export const NO_DAY_OR_MOMENT =
  'must be a day that exists, such as 2026-01-31, or a day and time, such as 2026-01-31T12:00:00Z'

/** Null if the text is invalid, or outside the years 1 to 9999 that the database supports. */
export function parseMoment(text: string): Date | null {
  const [year, month, day] = (RFC_3339.exec(text) ?? []).slice(1).map(Number)
  if (!year || !month || !day || !isDay(year, month, day)) return null
  return withinYears(new Date(text))
}

/** A plain day means its start in the time zone. Null as in `parseMoment`. */
export function dayOrMomentOf(text: string, zone: TimeZone): Date | null {
  const [year, month, day] = (DAY.exec(text) ?? []).slice(1).map(Number)
  if (year === undefined) return parseMoment(text)
  if (!year || !month || !day || !isDay(year, month, day)) return null
  const inUtc = Date.parse(`${text}T00:00:00Z`)
  // Time zones did not exist then, and Date reads two-digit years as years of the 20th century.
  if (year < 1000) return new Date(inUtc)
  return withinYears(new Date(startOfDay(zone, inUtc / DAY_MS)))
}

/** The offset may lead out of the four-digit years. The year of an invalid date is NaN, so it is rejected. */
function withinYears(moment: Date): Date | null {
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999 ? moment : null
}

/** Date itself overflows: it reads 30 February as 2 March. */
const isDay = (year: number, month: number, day: number): boolean =>
  month <= 12 && new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day

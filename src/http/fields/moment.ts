// Reads a moment that a client wrote, as the document promises: RFC 3339, of a day that exists; or a plain day.
// The format check of the schema stands before it, but lets through whatever Date can make sense of.

import { DAY_MS, startOfDay, type TimeZone } from '../../lib/time-zone.ts'

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i
export const DAY = /^(\d{4})-(\d\d)-(\d\d)$/

/** What is wrong with a text that is none, after the name of its field. */
export const NO_MOMENT = 'must be a day and time that exist, such as 2026-01-31T12:00:00Z'
export const NO_DAY_OR_MOMENT =
  'must be a day that exists, such as 2026-01-31, or a day and time, such as 2026-01-31T12:00:00Z'

/** Null when it is no moment, or none between the years 1 and 9999 that a database can be asked for. */
export function parseMoment(text: string): Date | null {
  const [year, month, day] = (RFC_3339.exec(text) ?? []).slice(1).map(Number)
  if (!year || !month || !day || !isDay(year, month, day)) return null
  return withinYears(new Date(text))
}

/** A plain day is its beginning in a place. Null like that of `momentOf`. */
export function dayOrMomentOf(text: string, zone: TimeZone): Date | null {
  const [year, month, day] = (DAY.exec(text) ?? []).slice(1).map(Number)
  if (year === undefined) return parseMoment(text)
  if (!year || !month || !day || !isDay(year, month, day)) return null
  const inUtc = Date.parse(`${text}T00:00:00Z`)
  // Before there were zones; two-digit years are of another century to Date.
  if (year < 1000) return new Date(inUtc)
  return withinYears(new Date(startOfDay(zone, inUtc / DAY_MS)))
}

/** The offset may lead out of the years that four digits can tell; an invalid date is in no year. */
function withinYears(moment: Date): Date | null {
  const year = moment.getUTCFullYear()
  return year >= 1 && year <= 9999 ? moment : null
}

/** Date itself counts on: it takes 30 February for 2 March. */
const isDay = (year: number, month: number, day: number): boolean =>
  month <= 12 && new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day

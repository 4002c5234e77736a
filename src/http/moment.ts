// Reads a moment that a client wrote, as the document promises: RFC 3339, of a day that exists.
// The format check of the schema stands before it, but lets through whatever Date can make sense of.

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i

/** What is wrong with a text that is none, after the name of its field. */
export const NO_MOMENT = 'must be a day and time that exist, such as 2026-01-31T12:00:00Z'

/** Null when it is no moment, or none between the years 1 and 9999 that a database can be asked for. */
export function momentOf(text: string): Date | null {
  const [year, month, day] = (RFC_3339.exec(text) ?? []).slice(1).map(Number)
  if (!year || !month || !day || !isDay(year, month, day)) return null
  const moment = new Date(text)
  // The offset may lead out of the years that four digits can tell; an invalid date is in no year.
  const utcYear = moment.getUTCFullYear()
  return utcYear >= 1 && utcYear <= 9999 ? moment : null
}

/** Date itself counts on: it takes 30 February for 2 March. */
const isDay = (year: number, month: number, day: number): boolean =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day

// Calendar days and local hours in a time zone, including daylight saving time and moved date lines.
// Counts quarters of an hour since 1970: every UTC offset is a whole number of them, and clocks change at one.

export const QUARTER_MS = 15 * 60_000
const QUARTERS_A_DAY = 96
export const DAY_MS = QUARTERS_A_DAY * QUARTER_MS
/** No time zone changes its offset and changes it back within this many quarters. */
const BLOCK = 7 * QUARTERS_A_DAY
/** An upper bound of UTC offsets, in quarters: zones range from −12 to +14 hours. */
const FURTHEST = 60

export type TimeZone = {
  name: string
  /** the local calendar day, as days since 1970-01-01 */
  dayOf(quarter: number): number
  /** UTC offsets in quarters over a range; each applies up to `until`, the last one without end */
  clocks(from: number, to: number): { ahead: number; until: number | null }[]
  /** the quarters of a range of days, both included: one span, except in zones that set clocks back at midnight */
  quartersOf(firstDay: number, lastDay: number): { from: number; until: number }[]
}

/** Null for an unknown time zone. Accepts names of the IANA database only, no numeric offsets. */
export function timeZone(name: string): TimeZone | null {
  const clock = /^[A-Za-z]/.test(name) ? clockOf(name) : null
  if (clock === null) return null
  const blocks = new Map<number, Block>()
  const blockOf = (quarter: number): Block => {
    const start = Math.floor(quarter / BLOCK) * BLOCK
    const known = blocks.get(start)
    if (known !== undefined) return known
    const block = readBlock(clock, start)
    blocks.set(start, block)
    return block
  }
  const aheadAt = (quarter: number): number => {
    const { before, change, after } = blockOf(quarter)
    return quarter < change ? before : after
  }
  const dayOf = (quarter: number): number => Math.floor((quarter + aheadAt(quarter)) / QUARTERS_A_DAY)
  return {
    name,
    dayOf,
    clocks(from, to) {
      const clocks: ReturnType<TimeZone['clocks']> = []
      let ahead = aheadAt(from)
      for (let quarter = from; quarter < to + BLOCK; quarter += BLOCK) {
        const { before, change, after } = blockOf(quarter)
        if (before === after || change <= from) continue
        clocks.push({ ahead: before, until: change })
        ahead = after
      }
      return [...clocks, { ahead, until: null }]
    },
    quartersOf(firstDay, lastDay) {
      const spans: { from: number; until: number }[] = []
      const end = (lastDay + 1) * QUARTERS_A_DAY + FURTHEST
      let from: number | null = null
      for (let quarter = firstDay * QUARTERS_A_DAY - FURTHEST; quarter <= end; quarter++) {
        const day = dayOf(quarter)
        const isInside = day >= firstDay && day <= lastDay
        if (isInside) from ??= quarter
        else if (from !== null) {
          spans.push({ from, until: quarter })
          from = null
        }
      }
      return spans
    },
  }
}

/** The start of a day in milliseconds since 1970. A day that the zone skipped starts with the next one. */
export function startOfDay(zone: TimeZone, day: number): number {
  let quarter = day * QUARTERS_A_DAY - FURTHEST
  while (zone.dayOf(quarter) < day) quarter++
  return quarter * QUARTER_MS
}

/** The UTC offset before and after the change in a week, and the quarter of the change. */
type Block = { before: number; change: number; after: number }

function readBlock(clock: (quarter: number) => number, start: number): Block {
  const [before, after] = [clock(start), clock(start + BLOCK)]
  let [last, change] = [start, start + BLOCK]
  while (before !== after && change - last > 1) {
    const middle = Math.floor((last + change) / 2)
    if (clock(middle) === before) last = middle
    else change = middle
  }
  return { before, change, after }
}

/** A function that returns the UTC offset in a quarter, in quarters. */
function clockOf(name: string): ((quarter: number) => number) | null {
  const numbers = {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  } as const
  try {
    const format = new Intl.DateTimeFormat('en-US', { ...numbers, hourCycle: 'h23', timeZone: name })
    return (quarter) => {
      const ms = quarter * QUARTER_MS
      const parts = Object.fromEntries(
        format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]),
      )
      const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts
      return Math.round((Date.UTC(year, month - 1, day, hour, minute) - ms) / QUARTER_MS)
    }
  } catch {
    return null
  }
}

const modulo = (number: number, by: number): number => ((number % by) + by) % by

/** For example 2026-01-31. */
export const dateText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

/** 0 is Monday. */
export const weekdayOf = (day: number): number => modulo(day + 3, 7)

/** The first day of the month of `day`, moved by `months`. */
export function monthStart(day: number, months = 0): number {
  const date = new Date(day * DAY_MS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / DAY_MS
}

export function yearStart(day: number, years = 0): number {
  return Date.UTC(new Date(day * DAY_MS).getUTCFullYear() + years, 0, 1) / DAY_MS
}

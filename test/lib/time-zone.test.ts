import { expect, test } from 'bun:test'
import { dateText, monthStart, QUARTER_MS, timeZone, weekdayOf, yearStart } from '../../src/lib/time-zone.ts'

const quarter = (time: string) => Math.floor(Date.parse(time) / QUARTER_MS)
const localTime = (tz: string, time: string) => {
  const zone = timeZone(tz)!
  const at = quarter(time)
  const { ahead } = zone.clocks(at, at)[0]!
  return `${dateText(zone.dayOf(at))} ${((((at + ahead) % 96) + 96) % 96) >> 2}`
}

test('returns local days and hours', () => {
  expect(localTime('UTC', '2026-01-01T00:00:00Z')).toBe('2026-01-01 0')
  expect(localTime('Europe/Berlin', '2026-03-29T00:59:00Z')).toBe('2026-03-29 1')
  expect(localTime('Europe/Berlin', '2026-03-29T01:00:00Z')).toBe('2026-03-29 3')
  expect(localTime('Asia/Kathmandu', '2026-01-01T18:14:00Z')).toBe('2026-01-01 23')
  expect(localTime('Asia/Kathmandu', '2026-01-01T18:15:00Z')).toBe('2026-01-02 0')
  expect(localTime('Pacific/Apia', '2011-12-30T09:59:00Z')).toBe('2011-12-29 23')
  expect(localTime('Pacific/Apia', '2011-12-30T10:00:00Z')).toBe('2011-12-31 0')
  expect(localTime('America/St_Johns', '1969-12-31T12:00:00Z')).toBe('1969-12-31 8')
})

test('reports every change of the UTC offset at its quarter', () => {
  const year = [quarter('2026-01-01T00:00:00Z'), quarter('2026-12-31T00:00:00Z')] as const
  expect(timeZone('Europe/Berlin')!.clocks(...year)).toEqual([
    { ahead: 4, until: quarter('2026-03-29T01:00:00Z') },
    { ahead: 8, until: quarter('2026-10-25T01:00:00Z') },
    { ahead: 4, until: null },
  ])
  expect(timeZone('Asia/Kathmandu')!.clocks(...year)).toEqual([{ ahead: 23, until: null }])
})

test('a day has as many quarters as its offset changes leave it', () => {
  const lengthOf = (tz: string, date: string) => {
    const day = Date.parse(`${date}T00:00:00Z`) / 86_400_000
    return timeZone(tz)!
      .quartersOf(day, day)
      .map(({ from, until }) => until - from)
  }
  expect(lengthOf('Europe/Berlin', '2026-03-29')).toEqual([92])
  expect(lengthOf('Europe/Berlin', '2026-10-25')).toEqual([100])
  expect(lengthOf('Australia/Lord_Howe', '2026-04-05')).toEqual([98])
  expect(lengthOf('Pacific/Apia', '2011-12-30')).toEqual([])
  // The clocks went back from midnight to 23:00.
  expect(lengthOf('America/Asuncion', '2023-03-25')).toEqual([100])
})

test('months and years follow the calendar, and weeks begin on Monday', () => {
  const day = Date.parse('2028-03-31T00:00:00Z') / 86_400_000
  expect(dateText(monthStart(day))).toBe('2028-03-01')
  expect(dateText(monthStart(day, -1))).toBe('2028-02-01')
  expect(dateText(yearStart(day, -1))).toBe('2027-01-01')
  expect([0, 1, 2].map((more) => weekdayOf(day + more))).toEqual([4, 5, 6])
  expect(weekdayOf(-4)).toBe(6)
})

test('returns null for unknown time zones', () => {
  for (const name of ['', '+02:00', 'Mars/Olympus', 'Europe/Berlin; drop table', '2'])
    expect(timeZone(name)).toBeNull()
})

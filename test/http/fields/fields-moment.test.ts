// Dates and times: RFC 3339, on days that exist.

import { expect, test } from 'bun:test'
import { dayOrMomentOf, parseMoment } from '../../../src/http/fields/fields.ts'
import { timeZone } from '../../../src/lib/time-zone.ts'

test('reads a time in any time zone and precision', () => {
  const same = ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z', '2026-01-31t13:00:00.0+01:00']
  for (const text of same) expect(parseMoment(text)?.toISOString(), text).toBe('2026-01-31T12:00:00.000Z')
  expect(parseMoment('2024-02-29T00:00:00Z')?.toISOString()).toBe('2024-02-29T00:00:00.000Z')
  expect(parseMoment('9999-12-31T23:59:59Z')?.getUTCFullYear()).toBe(9999)
})

const WRONG: [why: string, text: string][] = [
  ['days that do not exist', '2026-02-30T00:00:00Z'],
  ['29 February of other years', '2025-02-29T00:00:00Z'],
  ['the month 13', '2026-13-01T00:00:00Z'],
  ['the hour 25', '2026-01-01T25:00:00Z'],
  ['offsets that do not exist', '2026-01-01T00:00:00+99:99'],
  ['the year 0', '0000-01-01T00:00:00Z'],
  ['what is in the year 0 elsewhere', '0001-01-01T00:00:00+23:59'],
  ['what is after the year 9999 elsewhere', '9999-12-31T23:59:59-23:59'],
  ['a day alone', '2026-01-01'],
  ['a moment of no zone', '2026-01-01T00:00:00'],
  ['a day that Americans read differently', '1/2/2026'],
  ['the words of a Date', 'Sat Nov 21 2026 10:00:00 GMT+0000 (UTC)'],
]
for (const [why, text] of WRONG) {
  test(`rejects ${why}`, () => expect(parseMoment(text)).toBeNull())
}

const beginnings: [why: string, day: string, zone: string, moment: string][] = [
  ['begins at midnight there', '2026-11-22', 'Europe/Berlin', '2026-11-21T23:00:00.000Z'],
  ['begins later in summer’s west', '2026-07-01', 'America/New_York', '2026-07-01T04:00:00.000Z'],
  ['may begin at one', '2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ['that was left out is the one after it', '2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ['may be the first of all', '0001-01-01', 'UTC', '0001-01-01T00:00:00.000Z'],
]
for (const [why, day, zone, moment] of beginnings) {
  test(`a day ${why}`, () => expect(dayOrMomentOf(day, timeZone(zone)!)?.toISOString()).toBe(moment))
}

test('reads a time independently of the zone', () => {
  const text = '2026-01-31T13:00:00+01:00'
  expect(dayOrMomentOf(text, timeZone('Asia/Tokyo')!)?.toISOString()).toBe('2026-01-31T12:00:00.000Z')
})

for (const day of [
  '2026-02-30',
  '2026-13-01',
  '2026-1-1',
  '0000-12-31',
  '2026-11',
  '2026-11-22Z',
  '22.11.2026',
])
  test(`rejects ${day} as a day`, () => expect(dayOrMomentOf(day, timeZone('UTC')!)).toBeNull())

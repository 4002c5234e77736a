// Dates in a search query, from the query to the captures that it finds. On a real database; the recogniser is a stub.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listCapturesRoute } from '../../../src/http/captures/captures.ts'
import { spanOfDates } from '../../../src/http/captures/query-dates.ts'
import { timeZone } from '../../../src/lib/time-zone.ts'
import { parseDates } from '../../../src/text/query-dates.ts'
import { finishedCapture, openArchive } from '../../support/archive.ts'
import { webOf } from '../../support/web.ts'

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
type Json = Record<string, any>

const archive = await openArchive()
afterAll(() => archive[Symbol.asyncDispose]())
const { call } = await webOf([listCapturesRoute(archive.captures)])

const RECORDED = ['2024-12-31T22:30:00Z', '2025-06-15T12:00:00Z', '2025-06-30T23:30:00Z']
beforeAll(async () => {
  for (const time of RECORDED) await finishedCapture(archive, { recordedAt: new Date(time) })
})

const search = async (q: string, more = ''): Promise<{ status: number; body: Json }> => {
  const response = await call(`/captures?q=${encodeURIComponent(q)}&tz=Europe/Berlin${more}`)
  return { status: response.status, body: (await response.json()) as Json }
}
const found = async (q: string, more?: string) => {
  const { body } = await search(q, more)
  return body.items.map(({ recorded_at: time }: Json) => RECORDED.indexOf(time.replace('.000', ''))).sort()
}

test('days, months and years are those of the time zone, and before and after exclude them', async () => {
  expect(await found('on:2024-12-31')).toEqual([0])
  expect(await found('on:2025')).toEqual([1, 2])
  expect(await found('on:2025-06')).toEqual([1])
  expect(await found('on:2025-07-01')).toEqual([2])
  expect(await found('before:2025')).toEqual([0])
  expect(await found('after:2025-06-15')).toEqual([2])
  expect(await found('after:2024')).toEqual([1, 2])
  expect(await found('on:today')).toEqual([])
})

test('dates narrow words, filters and each other', async () => {
  expect(await found('hello after:2024 before:2025-07')).toEqual([1])
  expect(await found('zebra after:2024')).toEqual([])
  expect(await found('hello OR zebra after:2024')).toEqual([1, 2])
  expect(await found('-zebra hello after:2025-06-15')).toEqual([2])
  expect(await found('after:2024', '&until=2025-06-20')).toEqual([1])
  expect(await found('before:2025-07', '&since=2025-06-01')).toEqual([1])
  expect(await found('after:2025 before:2025')).toEqual([])
  expect((await search('on:2025')).body.items[0]).toMatchObject({ highlight: null })
})

test('a date that does not exist or is next to OR is an error of the query', async () => {
  for (const q of [
    'on:2025-02-30',
    'before:2025-6',
    'after:11/2025',
    'on:20251',
    'on:0001',
    'hello OR on:2025',
  ])
    expect(await search(q)).toMatchObject({
      status: 422,
      body: { code: 'invalid_request', errors: [{ in: 'query', path: '/q' }] },
    })
})

test('today and yesterday are days of the time zone', () => {
  const now = new Date('2026-03-01T23:30:00Z')
  const spanIn = (zone: string, q: string) => spanOfDates(parseDates(q).dates, timeZone(zone)!, now)
  expect(spanIn('Europe/Berlin', 'on:today')).toEqual({
    since: new Date('2026-03-01T23:00:00Z'),
    until: new Date('2026-03-02T23:00:00Z'),
  })
  expect(spanIn('UTC', 'on:yesterday')).toEqual({
    since: new Date('2026-02-28T00:00:00Z'),
    until: new Date('2026-03-01T00:00:00Z'),
  })
  expect(spanIn('UTC', 'before:today')).toEqual({ since: undefined, until: new Date('2026-03-01T00:00:00Z') })
})

// The routes for statistics and search on a real database; the recogniser is a stub.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { createUsage } from '../../../src/captures/statistics.ts'
import { deleteCaptureRoute, listCapturesRoute } from '../../../src/http/captures/captures.ts'
import { appsRoute, StatisticsSchema, statisticsRoute } from '../../../src/http/captures/stats.ts'
import { finishedCapture, openArchive, said } from '../../support/archive.ts'
import { webOf } from '../../support/web.ts'

// biome-ignore lint/suspicious/noExplicitAny: the expectations check the shape of the response
type Json = Record<string, any>

const texts = [
  'The new office is near the station.',
  'Send the report to the office.',
  'Bonjour tout le monde',
]
const archive = await openArchive({
  transcribe: async () => ({ ok: true, value: said(texts.shift() ?? 'more') }),
})
afterAll(() => archive[Symbol.asyncDispose]())
const usage = createUsage({
  database: archive.database,
  clock: () => new Date(),
  typingWpm: () => 45,
  styleFor: ({ category }) => (category === 'email' ? '0190b6a5-7c00-7000-8000-000000000004' : null),
})
const { call } = await webOf([
  listCapturesRoute(archive.captures),
  deleteCaptureRoute(archive.captures),
  statisticsRoute(usage),
  appsRoute(usage),
])
const get = async (path: string) => {
  const response = await call(path)
  return { status: response.status, body: (await response.json()) as Json }
}

beforeAll(async () => {
  await finishedCapture(archive, { appName: 'Mail', appId: 'com.apple.mail' })
  await finishedCapture(archive, { appName: 'mail' })
  await finishedCapture(archive)
})

test('returns the statistics of today in the documented format', async () => {
  const { status, body } = await get('/captures/stats?period=today&tz=Europe/Berlin')
  expect(status).toBe(200)
  expect(Value.Check(StatisticsSchema, body)).toBe(true)
  expect(body).toMatchObject({
    ...{ period: 'today', tz: 'Europe/Berlin', total_captures: 3, total_words: 17, average_words: 5.7 },
    ...{ total_duration_ms: 4800, words_per_minute: 212.5, time_saved_seconds: 18, current_streak: 1 },
    ...{ apps_used: 1, previous: { captures: 0, words: 0, change_percent: null } },
    by_source: [{ source: 'dictation', captures: 3 }],
  })
  expect(body.daily).toHaveLength(1)
})

test('lists applications with kind and style; captures without an application are one item', async () => {
  const { body } = await get('/captures/apps')
  expect(body.total).toBe(2)
  expect(body.items).toMatchObject([
    {
      ...{ app_id: 'com.apple.mail', app_name: 'Mail', category: 'email', capture_count: 2, word_count: 13 },
      ...{ percentage: 66.7, writing_style_id: '0190b6a5-7c00-7000-8000-000000000004' },
    },
    { app_id: null, app_name: null, category: null, capture_count: 1, writing_style_id: null },
  ])
  expect((await get('/captures/apps?limit=1&offset=1')).body.items).toHaveLength(1)
})

test('refuses invalid dates and times, all at once', async () => {
  const { status, body } = await get('/captures/stats?period=week&since=2026-02-30T00:00:00Z&tz=%2B02:00')
  expect([status, body.code]).toEqual([422, 'invalid_request'])
  expect(body.errors.map((fault: Json) => fault.path)).toEqual(['/tz', '/since', '/period'])
  const spans = await get('/captures/stats?since=2000-01-01T00:00:00Z&until=1999-01-01T00:00:00Z')
  expect(spans.body.errors.map((fault: Json) => fault.path)).toEqual(['/until'])
  const centuries = await get('/captures/stats?since=1800-01-01T00:00:00Z')
  expect(centuries.body.errors.map((fault: Json) => fault.path)).toEqual(['/since'])
})

test('accepts any custom span', async () => {
  for (const span of [
    'until=9999-12-31T00:00:00Z',
    'until=0002-01-01T00:00:00Z',
    'since=2030-01-01T00:00:00Z',
    'since=2030-01-01T00:00:00Z&until=2031-01-01T00:00:00Z',
  ])
    expect(await get(`/captures/stats?${span}`)).toMatchObject({ status: 200, body: { period: 'custom' } })
  const { body } = await get('/captures/stats?until=9999-12-31T00:00:00Z&tz=UTC')
  expect(body).toMatchObject({ total_captures: 3, active_days: 1 })
})

test('ranks search results and marks matches; searches the trash only on request', async () => {
  const found = await get('/captures?q=off')
  expect(found.body.total).toBe(2)
  for (const { highlight } of found.body.items) expect(highlight).toContain('<mark>off</mark>ice')
  const [{ id }] = found.body.items
  await archive.captures.trash(id)
  expect((await get('/captures?q=off')).body.total).toBe(1)
  expect((await get('/captures/stats')).body.total_captures).toBe(2)
  const trashed = await get('/captures?q=off&trashed=true')
  expect(trashed.body.items.map((one: Json) => one.id)).toEqual([id])
  await archive.captures.restore(id)
  expect((await get('/captures?trashed=true')).body).toEqual({ items: [], total: 0 })
  expect((await get('/captures/stats')).body.total_captures).toBe(3)
})

test('still counts a deleted capture', async () => {
  const { body } = await get('/captures?q=bonjour')
  expect((await call(`/captures/${body.items[0].id}`, { method: 'DELETE' })).status).toBe(200)
  expect((await get('/captures?q=bonjour')).body.total).toBe(0)
  expect((await get('/captures/stats')).body).toMatchObject({ total_captures: 3, total_words: 17 })
})

test('a plain date is the start of that day in the time zone', async () => {
  const dayIn = (zone: string, ahead = 0) =>
    new Date(Date.now() + ahead * 86_400_000).toLocaleDateString('sv', { timeZone: zone })
  const total = (await get('/captures')).body.total
  // For some hours both are on the next day: the zones are 25 hours apart.
  for (const tz of ['Pacific/Kiritimati', 'Pacific/Midway']) {
    const found = async (query: string) => (await get(`/captures?tz=${tz}&${query}`)).body.total
    expect(await found(`since=${dayIn(tz)}`)).toBe(total)
    expect(await found(`until=${dayIn(tz)}`)).toBe(0)
    expect(await found(`until=${dayIn(tz, 1)}`)).toBe(total)
    const { body } = await get(`/captures/stats?since=${dayIn(tz)}&tz=${tz}`)
    // One of them was deleted.
    expect(body).toMatchObject({ period: 'custom', total_captures: total + 1 })
    expect(body.daily.map(({ date }: Json) => date)).toEqual([dayIn(tz)])
  }
})

test('refuses dates and time zones that do not exist, all at once', async () => {
  const { status, body } = await get('/captures?since=2026-02-30&until=22.11.2026&tz=Mars/Base&starred=maybe')
  expect([status, body.errors.map((fault: Json) => fault.path).toSorted()]).toEqual([
    422,
    ['/since', '/starred', '/tz', '/until'],
  ])
})

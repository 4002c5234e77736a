// Statistics on a real database, compared with a simple calculation: capture by capture, with the calendar of Intl.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { buryCaptures, type IndexedCapture, saveCaptures } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import type { Capture } from '../../src/captures/capture.ts'
import { toRemains, toRow } from '../../src/captures/capture-index.ts'
import { newCapture } from '../../src/captures/new-capture.ts'
import { type Statistics, type StatisticsQuery, statisticsOf } from '../../src/captures/statistics.ts'
import { timeZone } from '../../src/lib/time-zone.ts'
import { newId } from '../../src/lib/uuid.ts'
import { fields } from '../support/archive.ts'
import { createTestFolder, type TestFolder } from '../support/database.ts'
import fc, { numRuns } from '../support/fast-check.ts'

let folder: TestFolder
let database: Database

beforeAll(async () => {
  folder = await createTestFolder()
  database = await folder.open()
})

afterAll(async () => {
  await database.close()
  await folder[Symbol.asyncDispose]()
})

type Spoken = {
  at: Date
  words: number
  durationMs: number | null
  app: string | null
  source: Capture['source']
  place: 'kept' | 'trashed' | 'gone'
  status: Capture['status']
  language: string | null
}

function captureOf(spoken: Spoken): Capture {
  const id = newId(spoken.at)
  const kind = { mediaType: 'audio/wav', extension: 'wav' } as never
  const created = newCapture({
    incoming: { bytes: 1, sha256: '0'.repeat(64), kind },
    fields: fields({ source: spoken.source, appName: spoken.app }),
    ...{ now: spoken.at, id },
  })
  return {
    ...created,
    ...{ status: spoken.status, wordCount: spoken.words, durationMs: spoken.durationMs },
    ...{ detectedLanguage: spoken.language, sttModel: 'tiny', corrections: spoken.words % 3 },
    transcriptRefined: spoken.words % 2 === 0 ? 'refined' : null,
    trashedAt: spoken.place === 'trashed' ? spoken.at : null,
  }
}

const save = (one: Capture) => database.transaction(async (tx) => saveCaptures(tx, [await toRow(one)]))

async function fill(all: Spoken[]): Promise<void> {
  await database.run((orm) =>
    orm.execute('truncate captures, capture_facts, capture_days, deleted_captures cascade'),
  )
  const captures = all.map(captureOf)
  const rows: IndexedCapture[] = await Promise.all(captures.map((one) => toRow(one)))
  for (let from = 0; from < rows.length; from += 250)
    await database.transaction((tx) => saveCaptures(tx, rows.slice(from, from + 250)))
  const gone = captures.filter((_, index) => all[index]!.place === 'gone')
  for (let from = 0; from < gone.length; from += 250)
    await database.transaction((tx) =>
      buryCaptures(
        tx,
        gone.slice(from, from + 250).map((one) => toRemains(one, new Date())),
      ),
    )
}

const statistics = (query: Partial<StatisticsQuery> & { zone: StatisticsQuery['zone'] }, now: Date) =>
  statisticsOf(
    { database, clock: () => now, typingWpm: () => 45 },
    { period: 'all', since: null, until: null, app: null, source: null, ...query },
  )

const local = (tz: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: tz, hourCycle: 'h23', weekday: 'short' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' },
  })
  const weekdays = ['mån', 'tis', 'ons', 'tors', 'fre', 'lör', 'sön']
  return (time: Date) => {
    const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]))
    const date = `${part.year}-${part.month}-${part.day}`
    return { date, hour: Number(part.hour), weekday: weekdays.indexOf(part.weekday!.replace('.', '')) }
  }
}

const nextDate = (date: string, days = 1) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** The same numbers, calculated capture by capture. */
function expectedStatistics(
  all: Spoken[],
  tz: string,
  now: Date,
  inRange: (at: Date, date: string) => boolean,
) {
  const at = local(tz)
  const counted = all.filter(
    ({ place, status }) =>
      place === 'kept' || (place === 'gone' && (status === 'completed' || status === 'failed')),
  )
  const inside = counted.filter((one) => inRange(one.at, at(one.at).date))
  const dates = new Set(counted.map((one) => at(one.at).date))
  let longest = 0
  for (const date of dates) {
    if (dates.has(nextDate(date, -1))) continue
    let length = 0
    for (let day = date; dates.has(day); day = nextDate(day)) length++
    longest = Math.max(longest, length)
  }
  let current = 0
  const today = at(now).date
  for (let day = dates.has(today) ? today : nextDate(today, -1); dates.has(day); day = nextDate(day, -1))
    current++
  const hourly = Array.from({ length: 7 }, () => new Array<number>(24).fill(0))
  const perDay = new Map<string, { captures: number; words: number; durationMs: number }>()
  for (const one of inside) {
    const { date, hour, weekday } = at(one.at)
    hourly[weekday]![hour]!++
    const day = perDay.get(date) ?? { captures: 0, words: 0, durationMs: 0 }
    day.captures++
    day.words += one.words
    day.durationMs += one.durationMs ?? 0
    perDay.set(date, day)
  }
  const sum = (of: (one: Spoken) => number) => inside.reduce((total, one) => total + of(one), 0)
  return {
    totals: {
      captures: inside.length,
      words: sum((one) => one.words),
      durationMs: sum((one) => one.durationMs ?? 0),
    },
    activeDays: perDay.size,
    appsUsed: new Set(inside.flatMap(({ app }) => app ?? [])).size,
    failedCount: inside.filter(({ status }) => status === 'failed').length,
    refinedCount: inside.filter(({ words }) => words % 2 === 0).length,
    correctionsApplied: sum(({ words }) => words % 3),
    longestStreak: longest,
    currentStreak: current,
    hourly,
    perDay,
  }
}

function expectSame(found: Statistics, expected: ReturnType<typeof expectedStatistics>): void {
  const { perDay, ...numbers } = expected
  expect(found).toMatchObject(numbers)
  const spoken = found.daily.filter(({ captures }) => captures > 0)
  expect(new Map(spoken.map(({ date, ...sums }) => [date, sums]))).toEqual(
    new Map([...perDay].sort(([one], [other]) => (one < other ? -1 : 1))),
  )
  for (const [index, { date }] of found.daily.entries())
    if (index > 0) expect(date).toBe(nextDate(found.daily[index - 1]!.date))
}

/** Days with a change of the clocks or of the date line. */
const ZONES: [tz: string, around: string][] = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Asia/Kathmandu', '2026-05-01'],
  ['Pacific/Apia', '2011-12-30'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['America/Havana', '2025-11-02'],
  ['Africa/Casablanca', '2026-02-20'],
  ['UTC', '2026-06-15'],
]

const spokenAround = (day: string) =>
  fc.record<Spoken>({
    at: fc
      .integer({ min: -12 * 86_400, max: 12 * 86_400 })
      .map((seconds) => new Date(Date.parse(`${day}T12:00:00Z`) + seconds * 1000)),
    words: fc.nat(80),
    durationMs: fc.option(fc.nat(100_000)),
    app: fc.constantFrom(null, 'Mail', 'Slack', 'Zed'),
    source: fc.constantFrom('dictation', 'file'),
    place: fc.constantFrom('kept', 'kept', 'trashed', 'gone'),
    status: fc.constantFrom('completed', 'completed', 'failed', 'canceled'),
    language: fc.constantFrom('en', 'de', null),
  })

describe('matches a calculation capture by capture', () => {
  for (const [tz, day] of ZONES)
    test(`${tz} around ${day}`, async () => {
      const zone = timeZone(tz)!
      const dateOf = local(tz)
      await fc.assert(
        fc.asyncProperty(
          fc.array(spokenAround(day), { maxLength: 60 }),
          fc.nat(11 * 86_400),
          async (all, late) => {
            const now = new Date(Date.parse(`${day}T12:00:00Z`) + late * 1000)
            const past = all.filter(({ at }) => at <= now)
            await fill(past)
            expectSame(
              await statistics({ zone }, now),
              expectedStatistics(past, tz, now, () => true),
            )

            const today = dateOf(now)
            const monday = nextDate(today.date, -today.weekday)
            const week = await statistics({ zone, period: 'week' }, now)
            expectSame(
              week,
              expectedStatistics(past, tz, now, (_, date) => date >= monday && date <= today.date),
            )
            expect(week.daily.map(({ date }) => date)[0]).toBe(monday)
            const lastWeek = expectedStatistics(
              past,
              tz,
              now,
              (_, date) => date >= nextDate(monday, -7) && date <= nextDate(today.date, -7),
            )
            expect(week.previous).toMatchObject({
              captures: lastWeek.totals.captures,
              words: lastWeek.totals.words,
            })

            const since = new Date(now.getTime() - 3.3 * 86_400_000)
            const custom = await statistics({ zone, since, until: now }, now)
            expectSame(
              custom,
              expectedStatistics(past, tz, now, (at) => at >= since && at < now),
            )
          },
        ),
        { numRuns: numRuns(6) },
      )
    }, 120_000)
})

const spoken = (more: Partial<Spoken> & { at: Date }): Spoken => ({
  ...{ words: 10, durationMs: 4000, app: 'Mail', source: 'dictation', place: 'kept' },
  ...{ status: 'completed', language: 'en', ...more },
})

const BERLIN = timeZone('Europe/Berlin')!
const NOON = new Date('2026-06-17T10:00:00Z')

test('returns zeros, one day and no comparison without captures', async () => {
  await fill([])
  const none = await statistics({ zone: BERLIN }, NOON)
  expect(none).toMatchObject({
    totals: { captures: 0, words: 0, durationMs: 0 },
    ...{ wordsPerMinute: null, timeSavedSeconds: 0, currentStreak: 0, longestStreak: 0, activeDays: 0 },
    ...{ bySource: [], byModel: [], byLanguage: [], since: null },
    daily: [{ date: '2026-06-17', captures: 0, words: 0, durationMs: 0 }],
    previous: { captures: 0, words: 0, changePercent: null },
  })
})

test('calculates speed, saved time, groups and change', async () => {
  await fill([
    spoken({ at: NOON, words: 90, durationMs: 60_000 }),
    spoken({ at: NOON, words: 5, durationMs: null, language: null }),
    spoken({ at: NOON, words: 0, durationMs: 5000, status: 'failed', source: 'file' }),
    spoken({ at: new Date('2026-06-16T10:00:00Z'), words: 38 }),
  ])
  const today = await statistics({ zone: BERLIN, period: 'today' }, NOON)
  // 90 words take two minutes to type and one minute to dictate.
  expect(today).toMatchObject({ wordsPerMinute: 90, timeSavedSeconds: 60, failedCount: 1, currentStreak: 2 })
  expect(today.previous).toEqual({ captures: 1, words: 38, changePercent: 150 })
  expect(today.byLanguage).toEqual([
    { name: 'en', captures: 2, words: 90, durationMs: 65_000 },
    { name: null, captures: 1, words: 5, durationMs: 0 },
  ])
  expect(today.bySource.map(({ name, captures }) => [name, captures])).toEqual([
    ['dictation', 2],
    ['file', 1],
  ])
})

test('filters by application or source', async () => {
  await fill([
    spoken({ at: NOON, app: 'Mail' }),
    spoken({ at: NOON, app: 'MAIL', place: 'gone' }),
    spoken({ at: NOON, app: 'Zed', source: 'file' }),
  ])
  expect((await statistics({ zone: BERLIN, app: 'mail' }, NOON)).totals.captures).toBe(2)
  expect((await statistics({ zone: BERLIN, app: 'mail' }, NOON)).appsUsed).toBe(1)
  expect((await statistics({ zone: BERLIN, source: 'file' }, NOON)).totals.captures).toBe(1)
  expect((await statistics({ zone: BERLIN, app: 'no-such-app' }, NOON)).totals.captures).toBe(0)
})

test('compares a month with the same days of the month before, as far as it has them', async () => {
  await fill([
    spoken({ at: new Date('2026-03-31T10:00:00Z'), words: 3 }),
    spoken({ at: new Date('2026-02-28T10:00:00Z'), words: 2 }),
    spoken({ at: new Date('2026-01-31T10:00:00Z'), words: 1 }),
  ])
  const march = await statistics({ zone: BERLIN, period: 'month' }, new Date('2026-03-31T12:00:00Z'))
  expect(march.totals.words).toBe(3)
  expect(march.previous).toEqual({ captures: 1, words: 2, changePercent: 50 })
  expect(march.daily).toHaveLength(31)
})

test('recounts captures that change after they were counted', async () => {
  const at = NOON
  const captures = [spoken({ at }), spoken({ at, words: 20 }), spoken({ at, words: 40 })].map(captureOf)
  const bury = (one: Capture) => database.transaction((tx) => buryCaptures(tx, [toRemains(one, at)]))
  const counted = async () => {
    const { totals, correctionsApplied } = await statistics({ zone: BERLIN }, NOON)
    return [totals.captures, totals.words, correctionsApplied]
  }
  await fill([])
  for (const one of captures) await save(one)
  expect(await counted()).toEqual([3, 70, 4])
  const [first, second, third] = captures as [Capture, Capture, Capture]
  await save({ ...first, wordCount: 11, corrections: 5 })
  expect(await counted()).toEqual([3, 71, 8])
  await save({ ...first, starred: true })
  expect(await counted()).toEqual([3, 70, 4])
  await save({ ...second, trashedAt: at })
  expect(await counted()).toEqual([2, 50, 2])
  await save(second)
  await bury(third)
  expect(await counted()).toEqual([3, 70, 4])
  const canceled = captureOf(spoken({ at: new Date('2026-06-15T23:59:59.999Z'), status: 'canceled' }))
  await save(canceled)
  expect(await counted()).toEqual([4, 80, 5])
  await bury(canceled)
  expect(await counted()).toEqual([3, 70, 4])
})

test('counts captures that are saved during a read', async () => {
  await fill([])
  const days = Array.from({ length: 40 }, (_, index) => new Date(NOON.getTime() - (index % 5) * 86_400_000))
  await Promise.all(
    days.flatMap((at) => [save(captureOf(spoken({ at }))), statistics({ zone: BERLIN }, NOON)]),
  )
  expect((await statistics({ zone: BERLIN }, NOON)).totals).toMatchObject({ captures: 40, words: 400 })
})

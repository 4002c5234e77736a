// Statistics of dictation: how much, when and into which application, over a period. Counts every capture, deleted ones
// included.

import type { Database } from '../../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { dateText, monthStart, QUARTER_MS, type TimeZone, weekdayOf, yearStart } from '../lib/time-zone.ts'
import { fold } from '../text/fold.ts'
import type { Capture } from './capture.ts'
import {
  addCapture,
  type CountedCaptures,
  countedCaptures,
  everyPlace,
  groupsByApp,
  isKnownApp,
  isOfApp,
  type KindSums,
  noSums,
  type Selection,
  type Sums,
  sumsByKind,
  type UsedApp,
  usedApps,
} from './counted-captures.ts'

/** Periods that end today, and `all`. */
export const CALENDAR_PERIODS = ['today', 'week', 'month', 'year', 'all'] as const
export type CalendarPeriod = (typeof CALENDAR_PERIODS)[number]
export const STATISTICS_PERIODS = [...CALENDAR_PERIODS, 'custom'] as const
export type StatisticsPeriod = (typeof STATISTICS_PERIODS)[number]

/** From `from` (inclusive) until `until` (exclusive). */
export type TimeSpan = { from: Date; until: Date }

export type PeriodQuery = {
  period: CalendarPeriod
  /** either of them makes a custom span */
  since: Date | null
  until: Date | null
}

export type Period = {
  name: StatisticsPeriod
  /** null: all captures */
  spans: TimeSpan[] | null
  firstDay: number
  lastDay: number
  /** the period to compare with; null: none */
  before: TimeSpan[] | null
}

type Now = {
  now: Date
  zone: TimeZone
  /** time of the first capture; null without captures */
  first: Date | null
}

function periodOf({ period, since, until }: PeriodQuery, at: Now): Period {
  if (since !== null || until !== null) return customPeriod({ since, until }, at)
  const { now, zone, first } = at
  const today = dayOfTime(zone, now)
  if (period === 'all') {
    const firstDay = Math.min(dayOfTime(zone, first ?? now), today)
    return { name: 'all', spans: null, firstDay, lastDay: today, before: null }
  }
  const { start, earlier } = startsOf(period, today)
  // The same days of the week, month or year before, as far as it has them: a Tuesday is not compared with a week.
  const lastEarlier = Math.min(earlier + (today - start), start - 1)
  return {
    name: period,
    spans: spansOf(zone, start, today),
    firstDay: start,
    lastDay: today,
    before: spansOf(zone, earlier, lastEarlier),
  }
}

function startsOf(period: Exclude<CalendarPeriod, 'all'>, today: number): { start: number; earlier: number } {
  switch (period) {
    case 'today':
      return { start: today, earlier: today - 1 }
    case 'week': {
      const start = today - weekdayOf(today)
      return { start, earlier: start - 7 }
    }
    case 'month':
      return { start: monthStart(today), earlier: monthStart(today, -1) }
    case 'year':
      return { start: yearStart(today), earlier: yearStart(today, -1) }
  }
}

/** Compared with a span of the same length just before it. */
function customPeriod(
  { since, until }: { since: Date | null; until: Date | null },
  { now, zone, first }: Now,
): Period {
  const end = until ?? new Date(Math.max(now.getTime(), since?.getTime() ?? 0) + 1)
  const from = since ?? new Date(Math.min(first?.getTime() ?? end.getTime(), end.getTime()))
  const earlier = new Date(2 * from.getTime() - end.getTime())
  return {
    name: 'custom',
    spans: [{ from, until: end }],
    firstDay: dayOfTime(zone, from),
    lastDay: dayOfTime(zone, new Date(Math.min(end.getTime() - 1, now.getTime()))),
    before: since === null ? null : [{ from: earlier, until: from }],
  }
}

const dayOfTime = (zone: TimeZone, time: Date): number => zone.dayOf(Math.floor(time.getTime() / QUARTER_MS))

const spansOf = (zone: TimeZone, firstDay: number, lastDay: number): TimeSpan[] =>
  zone.quartersOf(firstDay, lastDay).map(({ from, until }) => ({
    from: new Date(from * QUARTER_MS),
    until: new Date(until * QUARTER_MS),
  }))

export type StatisticsQuery = PeriodQuery & {
  zone: TimeZone
  /** name or id of an application, in any case */
  app: string | null
  source: Capture['source'] | null
}

export type Statistics = {
  period: StatisticsPeriod
  /** null: since the first capture */
  since: Date | null
  /** null: no end */
  until: Date | null
  totals: Sums
  wordsPerMinute: number | null
  timeSavedSeconds: number
  typingWpm: number
  currentStreak: number
  longestStreak: number
  activeDays: number
  appsUsed: number
  refinedCount: number
  failedCount: number
  correctionsApplied: number
  bySource: (Sums & { name: Capture['source'] })[]
  byModel: (Sums & { name: string | null })[]
  byLanguage: (Sums & { name: string | null })[]
  daily: (Sums & { date: string })[]
  /** captures: seven days from Monday, of 24 hours each */
  hourly: number[][]
  previous: { captures: number; words: number; changePercent: number | null }
}

type Deps = { database: Database; clock: Clock; typingWpm: () => number }

export async function statisticsOf(deps: Deps, query: StatisticsQuery): Promise<Statistics> {
  const { database, clock } = deps
  const now = clock()
  const all = await countedCaptures(database)
  const first = all.at.length === 0 ? null : new Date(all.at[0]!)
  const period = periodOf(query, { now, zone: query.zone, first })
  const meant = selectMeant(all, query)
  const inPeriod = selectWithin(all, meant, period.spans)
  const before = period.before === null ? new Int32Array() : selectWithin(all, meant, period.before)
  const quarters = quartersThere(all, query.zone)

  const byKind = sumsByKind(all, inPeriod)
  const daily = dailyOf(sumsByDay(all, inPeriod, quarters), period)
  const earlier = { captures: before.length, words: wordsOf(all, before) }
  return {
    period: period.name,
    since: period.spans?.[0]?.from ?? first,
    until: period.spans?.at(-1)?.until ?? null,
    ...overall(byKind, deps.typingWpm()),
    ...streaksOf(sumsByDay(all, meant, quarters), dayOfTime(query.zone, now)),
    activeDays: daily.filter(({ captures }) => captures > 0).length,
    daily,
    hourly: hourlyOf(inPeriod, quarters),
    previous: { ...earlier, changePercent: changeOf(earlier.words, total(byKind, 'words')) },
  }
}

function selectMeant(all: CountedCaptures, { app, source }: StatisticsQuery): Selection {
  const every = everyPlace(all)
  if (app === null && source === null) return every
  const folded = app === null ? null : fold(app)
  const isMeant = all.kinds.map(
    (kind) => (source === null || kind.source === source) && (folded === null || isOfApp(kind, folded)),
  )
  return every.filter((place) => isMeant[all.kind[place]!])
}

function selectWithin({ at }: CountedCaptures, selection: Selection, spans: TimeSpan[] | null): Selection {
  if (spans === null) return selection
  const inNumbers = spans.map(({ from, until }) => ({ from: from.getTime(), until: until.getTime() }))
  return selection.filter((place) =>
    inNumbers.some(({ from, until }) => at[place]! >= from && at[place]! < until),
  )
}

function wordsOf({ words }: CountedCaptures, selection: Selection): number {
  let sum = 0
  for (let nth = 0; nth < selection.length; nth++) sum += words[selection[nth]!]!
  return sum
}

/** For each capture its local quarter hour, in quarters since 1970. */
function quartersThere({ at }: CountedCaptures, zone: TimeZone): Int32Array {
  const quarterAt = (place: number) => Math.floor((at[place] ?? 0) / QUARTER_MS)
  const clocks = zone.clocks(quarterAt(0), quarterAt(at.length - 1))
  const quarters = new Int32Array(at.length)
  let current = 0
  for (let place = 0; place < at.length; place++) {
    const quarter = quarterAt(place)
    while (clocks[current]!.until !== null && quarter >= clocks[current]!.until!) current++
    quarters[place] = quarter + clocks[current]!.ahead
  }
  return quarters
}

/** By local day since 1970-01-01. */
function sumsByDay(all: CountedCaptures, selection: Selection, quarters: Int32Array): Map<number, Sums> {
  const byDay = new Map<number, Sums>()
  let [day, sums] = [Number.NaN, noSums()]
  for (let nth = 0; nth < selection.length; nth++) {
    const place = selection[nth]!
    const dayThere = Math.floor(quarters[place]! / 96)
    if (dayThere !== day) {
      day = dayThere
      sums = byDay.get(day) ?? noSums()
      byDay.set(day, sums)
    }
    addCapture(sums, all, place)
  }
  return byDay
}

const dailyOf = (spoken: Map<number, Sums>, { firstDay, lastDay }: Pick<Period, 'firstDay' | 'lastDay'>) =>
  Array.from({ length: lastDay - firstDay + 1 }, (_, index) => ({
    date: dateText(firstDay + index),
    ...(spoken.get(firstDay + index) ?? noSums()),
  }))

/** Captures per hour of a week that begins on a Thursday, as 1970 did, rotated into weeks from Monday. */
function hourlyOf(selection: Selection, quarters: Int32Array): number[][] {
  const counts = new Int32Array(7 * 24)
  for (let nth = 0; nth < selection.length; nth++)
    counts[Math.floor(quarters[selection[nth]!]! / 4) % counts.length]!++
  const week = Array.from({ length: 7 }, (): number[] => [])
  for (let day = 0; day < 7; day++) week[weekdayOf(day)] = [...counts.subarray(day * 24, (day + 1) * 24)]
  return week
}

/** Days in a row. The current streak holds on a day without a dictation yet. */
function streaksOf(spoken: Map<number, Sums>, today: number) {
  const days = [...spoken.keys()].sort((one, other) => one - other)
  let longestStreak = 0
  let row = 0
  for (const [index, day] of days.entries()) {
    row = day - 1 === days[index - 1] ? row + 1 : 1
    longestStreak = Math.max(longestStreak, row)
  }
  let currentStreak = 0
  for (let day = spoken.has(today) ? today : today - 1; spoken.has(day); day--) currentStreak++
  return { currentStreak, longestStreak }
}

type Countable = 'captures' | 'words' | 'durationMs' | 'timedWords' | 'corrections'

const total = (kinds: KindSums[], what: Countable): number => kinds.reduce((sum, kind) => sum + kind[what], 0)

const sumsOfKinds = (kinds: KindSums[]): Sums => ({
  captures: total(kinds, 'captures'),
  words: total(kinds, 'words'),
  durationMs: total(kinds, 'durationMs'),
})

const SECOND_MS = 1000
const MINUTE_MS = 60_000

function overall(kinds: KindSums[], typingWpm: number) {
  // A failed capture has no speaking rate.
  const succeeded = kinds.filter(({ kind }) => !kind.failed)
  const [words, spokenMs] = [total(succeeded, 'timedWords'), total(succeeded, 'durationMs')]
  const typedMs = (words / typingWpm) * MINUTE_MS
  return {
    totals: sumsOfKinds(kinds),
    wordsPerMinute: spokenMs === 0 ? null : words / (spokenMs / MINUTE_MS),
    timeSavedSeconds: Math.max(0, Math.round((typedMs - spokenMs) / SECOND_MS)),
    typingWpm,
    appsUsed: groupsByApp(kinds.filter(isKnownApp)).length,
    refinedCount: total(
      kinds.filter(({ kind }) => kind.refined),
      'captures',
    ),
    failedCount: total(
      kinds.filter(({ kind }) => kind.failed),
      'captures',
    ),
    correctionsApplied: total(kinds, 'corrections'),
    bySource: groupedBy(kinds, ({ kind }) => kind.source),
    byModel: groupedBy(kinds, ({ kind }) => kind.model),
    byLanguage: groupedBy(kinds, ({ kind }) => kind.language),
  }
}

/** Most used first. */
function groupedBy<Name>(kinds: KindSums[], nameOf: (one: KindSums) => Name): (Sums & { name: Name })[] {
  const groups = Map.groupBy(kinds, nameOf)
  const summed = [...groups].map(([name, group]) => {
    return { name, ...sumsOfKinds(group) }
  })
  return summed.sort(
    (one, other) =>
      other.captures - one.captures ||
      other.words - one.words ||
      (String(one.name) < String(other.name) ? -1 : 1),
  )
}

/** In words; null if there is nothing to compare with. */
const changeOf = (before: number, now: number): number | null =>
  before === 0 ? null : ((now - before) / before) * 100

export type Usage = {
  statistics(query: StatisticsQuery): Promise<Statistics>
  /** most used first; `writingStyleId` is the style for texts dictated into the application */
  apps(page: { limit: number; offset: number }): Promise<{ items: AppWithStyle[]; total: number }>
}

export type AppWithStyle = UsedApp & { writingStyleId: string | null }

type UsageDeps = {
  database: Database
  clock: Clock
  /** typing speed of the user, in words per minute */
  typingWpm: () => number
  styleFor: (app: Pick<UsedApp, 'appId' | 'appName' | 'category'>) => string | null
}

export const createUsage = (deps: UsageDeps): Usage => ({
  statistics: (query) => statisticsOf(deps, query),
  async apps(page) {
    const { items, total } = await usedApps(deps.database, page)
    return { items: items.map((app) => ({ ...app, writingStyleId: deps.styleFor(app) })), total }
  },
})

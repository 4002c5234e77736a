// How much was spoken, when, and into what: everything that was captured, also what was deleted since.
// What is in the trash does not count; which time is meant is statistics-period.ts, the sums are db/statistics.ts.

import type { Database } from '../../db/database.ts'
import {
  type Clocks,
  type Counted,
  countsByHour,
  type KindSums,
  type Sums,
  sumsByDay,
  sumsByKind,
  sumsOf,
  timesOfCaptures,
} from '../../db/statistics.ts'
import type { Clock } from '../lib/clock.ts'
import { dateText, QUARTER_MS, type TimeZone, weekdayOf } from '../lib/time-zone.ts'
import { fold } from '../text/fold.ts'
import { groupsByApp, isKnownApp, isOfApp } from './app-identity.ts'
import type { CaptureSource } from './capture.ts'
import {
  dayOfTime,
  type Period,
  type PeriodQuery,
  periodOf,
  type StatisticsPeriod,
} from './statistics-period.ts'

export type StatisticsQuery = PeriodQuery & {
  zone: TimeZone
  /** name or id of an application, whatever the case */
  app: string | null
  source: CaptureSource | null
}

export type Statistics = {
  period: StatisticsPeriod
  /** null: from the beginning */
  since: Date | null
  /** null: to the end */
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
  bySource: (Sums & { name: CaptureSource })[]
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
  const times = await database.run(timesOfCaptures)
  const period = periodOf(query, { now, zone: query.zone, first: times?.first ?? null })
  const kinds = await kindsMeant(database, query)
  const counted: Counted = { spans: period.spans, kinds }
  const clocks = clocksOf(query.zone, times)

  const byKind = await database.run((orm) => sumsByKind(orm, counted))
  const ever = await database.run((orm) => sumsByDay(orm, { spans: null, kinds }, clocks))
  const days = period.spans === null ? ever : await database.run((orm) => sumsByDay(orm, counted, clocks))
  const hours = await database.run((orm) => countsByHour(orm, counted, clocks))
  const before = { spans: period.before, kinds }
  const earlier = period.before === null ? NOTHING : await database.run((orm) => sumsOf(orm, before))

  const spoken = new Set(ever.map(({ day }) => day))
  const daily = dailyOf(days, period)
  return {
    period: period.name,
    since: period.spans?.[0]?.from ?? times?.first ?? null,
    until: period.spans?.at(-1)?.until ?? null,
    ...overall(byKind, deps.typingWpm()),
    ...streaksOf(spoken, dayOfTime(query.zone, now)),
    activeDays: daily.filter(({ captures }) => captures > 0).length,
    daily,
    hourly: hourlyOf(hours),
    previous: { ...earlier, changePercent: changeOf(earlier.words, total(byKind, 'words')) },
  }
}

const NOTHING = { captures: 0, words: 0 }

/** Null: all kinds. */
async function kindsMeant(
  database: Database,
  { app, source }: Pick<StatisticsQuery, 'app' | 'source'>,
): Promise<string[] | null> {
  if (app === null && source === null) return null
  const all = await database.run((orm) => sumsByKind(orm, { spans: null, kinds: null }))
  return all
    .filter(({ kind }) => source === null || kind.source === source)
    .filter(({ kind }) => app === null || isOfApp(kind, fold(app)))
    .map(({ kindText }) => kindText)
}

function clocksOf(zone: TimeZone, times: { first: Date; last: Date } | null): Clocks {
  const quarter = (time: Date) => Math.floor(time.getTime() / QUARTER_MS)
  return times === null ? [{ ahead: 0, until: null }] : zone.clocks(quarter(times.first), quarter(times.last))
}

function dailyOf(
  spoken: (Sums & { day: number })[],
  { firstDay, lastDay }: Pick<Period, 'firstDay' | 'lastDay'>,
) {
  const days = Array.from({ length: lastDay - firstDay + 1 }, (_, index) => ({
    ...{ date: dateText(firstDay + index), captures: 0, words: 0, durationMs: 0 },
  }))
  for (const { day, captures, words, durationMs } of spoken)
    Object.assign(days[day - firstDay] ?? {}, { captures, words, durationMs })
  return days
}

/** Captures of the hours of a week that begins on a Thursday, as 1970 did, from Monday on. */
function hourlyOf(hours: { hour: number; captures: number }[]): number[][] {
  const week = Array.from({ length: 7 }, () => new Array<number>(24).fill(0))
  for (const { hour, captures } of hours) week[weekdayOf(Math.floor(hour / 24))]![hour % 24] = captures
  return week
}

function add(sums: Sums, more: Sums): void {
  sums.captures += more.captures
  sums.words += more.words
  sums.durationMs += more.durationMs
}

/** Days in a row. The current row still stands when today nothing was said yet. */
function streaksOf(spoken: Set<number>, today: number) {
  const days = [...spoken].sort((one, other) => one - other)
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

const SECOND_MS = 1000
const MINUTE_MS = 60_000

function overall(kinds: KindSums[], typingWpm: number) {
  const totals = {
    captures: total(kinds, 'captures'),
    words: total(kinds, 'words'),
    durationMs: total(kinds, 'durationMs'),
  }
  // What failed tells nothing of how fast somebody speaks.
  const heard = kinds.filter(({ kind }) => !kind.failed)
  const [words, spokenMs] = [total(heard, 'timedWords'), total(heard, 'durationMs')]
  const typedMs = (words / typingWpm) * MINUTE_MS
  return {
    totals,
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
    bySource: groupedBy(kinds, ({ kind }) => kind.source as CaptureSource),
    byModel: groupedBy(kinds, ({ kind }) => kind.model),
    byLanguage: groupedBy(kinds, ({ kind }) => kind.language),
  }
}

/** The most used first. */
function groupedBy<Name>(kinds: KindSums[], nameOf: (one: KindSums) => Name): (Sums & { name: Name })[] {
  const groups = Map.groupBy(kinds, nameOf)
  const summed = [...groups].map(([name, group]) => {
    const sums = { captures: 0, words: 0, durationMs: 0 }
    for (const one of group) add(sums, one)
    return { name, ...sums }
  })
  return summed.sort(
    (one, other) =>
      other.captures - one.captures ||
      other.words - one.words ||
      (String(one.name) < String(other.name) ? -1 : 1),
  )
}

/** In words; null where there is nothing to compare with. */
const changeOf = (before: number, now: number): number | null =>
  before === 0 ? null : ((now - before) / before) * 100

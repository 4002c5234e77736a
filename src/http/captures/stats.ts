import { type Static, type TObject, Type } from '@sinclair/typebox'
import { CaptureSchema } from '../../captures/capture.ts'
import {
  type AppWithStyle,
  CALENDAR_PERIODS,
  STATISTICS_PERIODS,
  type Statistics,
  type Usage,
} from '../../captures/statistics.ts'
import { fail, type Result } from '../../lib/result.ts'
import { nullable, oneOf, uuid } from '../../lib/schema.ts'
import { DAY_MS } from '../../lib/time-zone.ts'
import { type ParsedSpan, readSpan, type SpanFields, spanFields } from '../fields/fields.ts'
import type { Fault } from '../kernel/problem.ts'
import { defineRoute, jsonContent, ok, orFieldErrors } from '../kernel/route.ts'
import { dateTime, listOf, pageQuery, strictObject, text } from '../kernel/schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const number = (description: string) => Type.Number({ minimum: 0, description })

const sums = {
  captures: count('number of captures'),
  words: count('words in their texts'),
  duration_ms: count('total length of the recordings'),
}

const groups = <Group extends TObject>(group: Group) => Type.Array(group, { description: 'most used first' })

export const StatisticsSchema = strictObject(
  {
    period: oneOf(STATISTICS_PERIODS, { description: '`custom` if `since` or `until` was given' }),
    since: nullable(dateTime(), { description: 'start of the period; null if there is no capture yet' }),
    until: nullable(dateTime(), { description: 'end of the period; null: the most recent capture' }),
    tz: text({ description: 'time zone of these days and hours' }),
    total_captures: count(
      'number of captures, including failed and deleted ones; captures in the trash do not count',
    ),
    total_words: sums.words,
    total_duration_ms: sums.duration_ms,
    average_words: number('words per capture'),
    words_per_minute: nullable(Type.Number({ minimum: 0 }), {
      description: 'speaking rate; null if no duration is known',
    }),
    time_saved_seconds: count('how much longer typing the words would have taken than speaking them'),
    typing_wpm: number('typing speed in words per minute, from the settings'),
    current_streak: count(
      'consecutive days with a capture, up to today or yesterday, regardless of the period',
    ),
    longest_streak: count('longest run of consecutive days with a capture, of all time'),
    active_days: count('days with a capture'),
    apps_used: count('number of known applications'),
    refined_count: count('captures whose text was refined or corrected'),
    failed_count: count('captures that could not be transcribed'),
    corrections_applied: count('passages that the dictionary changed'),
    by_source: groups(
      strictObject({ source: CaptureSchema.properties.source, ...sums }, { $id: 'SourceStatistics' }),
    ),
    by_model: groups(strictObject({ model: nullable(Type.String()), ...sums }, { $id: 'ModelStatistics' })),
    by_language: groups(
      strictObject({ language: nullable(Type.String()), ...sums }, { $id: 'LanguageStatistics' }),
    ),
    daily: Type.Array(
      strictObject({ date: Type.String({ format: 'date' }), ...sums }, { $id: 'DayStatistics' }),
      {
        description: 'one entry for every day of the period up to today, without gaps',
      },
    ),
    hourly: Type.Array(Type.Array(Type.Integer({ minimum: 0 }), { minItems: 24, maxItems: 24 }), {
      minItems: 7,
      maxItems: 7,
      description: 'captures per weekday, from Monday, and hour of the day',
    }),
    previous: strictObject(
      {
        captures: count('number of captures'),
        words: count('words in their texts'),
        change_percent: nullable(Type.Number(), {
          description: 'change in the number of words since then; null if there were none',
        }),
      },
      {
        description:
          'the same days of the previous period; for a custom span, the span of equal length before it',
      },
    ),
  },
  { $id: 'Statistics' },
)

const rounded = (value: number): number => Math.round(value * 10) / 10

const wireSums = ({ captures, words, durationMs }: Statistics['totals']) => ({
  captures,
  words,
  duration_ms: durationMs,
})

function wireStatistics(statistics: Statistics, tz: string): Static<typeof StatisticsSchema> {
  const { totals, previous } = statistics
  const { captures, words, durationMs } = totals
  const perMinute = statistics.wordsPerMinute
  return {
    period: statistics.period,
    since: statistics.since?.toISOString() ?? null,
    until: statistics.until?.toISOString() ?? null,
    tz,
    total_captures: captures,
    total_words: words,
    total_duration_ms: durationMs,
    average_words: captures === 0 ? 0 : rounded(words / captures),
    words_per_minute: perMinute === null ? null : rounded(perMinute),
    time_saved_seconds: statistics.timeSavedSeconds,
    typing_wpm: statistics.typingWpm,
    current_streak: statistics.currentStreak,
    longest_streak: statistics.longestStreak,
    active_days: statistics.activeDays,
    apps_used: statistics.appsUsed,
    refined_count: statistics.refinedCount,
    failed_count: statistics.failedCount,
    corrections_applied: statistics.correctionsApplied,
    by_source: statistics.bySource.map(({ name, ...one }) => ({ source: name, ...wireSums(one) })),
    by_model: statistics.byModel.map(({ name, ...one }) => ({ model: name, ...wireSums(one) })),
    by_language: statistics.byLanguage.map(({ name, ...one }) => ({ language: name, ...wireSums(one) })),
    daily: statistics.daily.map(({ date, ...day }) => ({ date, ...wireSums(day) })),
    hourly: statistics.hourly,
    previous: {
      captures: previous.captures,
      words: previous.words,
      change_percent: previous.changePercent === null ? null : rounded(previous.changePercent),
    },
  }
}

const day = { date: '2026-01-31', captures: 2, words: 90, duration_ms: 60_000 }
const { date: _date, ...daySums } = day

const statisticsExample: Static<typeof StatisticsSchema> = {
  period: 'today',
  since: '2026-01-30T23:00:00.000Z',
  until: '2026-01-31T23:00:00.000Z',
  tz: 'Europe/Berlin',
  total_captures: 2,
  total_words: 90,
  total_duration_ms: 60_000,
  average_words: 45,
  words_per_minute: 90,
  time_saved_seconds: 60,
  typing_wpm: 45,
  current_streak: 3,
  longest_streak: 12,
  active_days: 1,
  apps_used: 1,
  refined_count: 2,
  failed_count: 0,
  corrections_applied: 4,
  by_source: [{ source: 'dictation', ...daySums }],
  by_model: [{ model: 'base-q5_1', ...daySums }],
  by_language: [{ language: 'en', ...daySums }],
  daily: [day],
  hourly: Array.from({ length: 7 }, (_, weekday) =>
    Array.from({ length: 24 }, (_, hour) => (weekday === 5 && hour === 9 ? 2 : 0)),
  ),
  previous: { captures: 1, words: 60, change_percent: 50 },
}

const AppUseSchema = strictObject(
  {
    app_id: nullable(Type.String()),
    app_name: nullable(Type.String(), {
      description: 'null, like `app_id`, for captures without an application',
    }),
    category: nullable(Type.String(), { description: 'such as `email`; null if unknown' }),
    capture_count: count('number of captures'),
    word_count: count('words in their texts'),
    duration_ms: count('total length of the recordings'),
    percentage: Type.Number({ minimum: 0, maximum: 100, description: 'share of all captures' }),
    writing_style_id: nullable(uuid(), { description: 'writing style that is applied to its texts' }),
    first_used_at: dateTime(),
    last_used_at: dateTime(),
  },
  { $id: 'AppUse', description: 'Dictation into one application.' },
)

export const AppUseListSchema = listOf(AppUseSchema, { $id: 'AppUseList' })

const wireApp = (app: AppWithStyle): Static<typeof AppUseSchema> => ({
  app_id: app.appId,
  app_name: app.appName,
  category: app.category,
  capture_count: app.captures,
  word_count: app.words,
  duration_ms: app.durationMs,
  percentage: rounded(app.percentage),
  writing_style_id: app.writingStyleId,
  first_used_at: app.first.toISOString(),
  last_used_at: app.last.toISOString(),
})

const appExample: Static<typeof AppUseSchema> = {
  app_id: 'com.apple.mail',
  app_name: 'Mail',
  category: 'email',
  capture_count: 12,
  word_count: 480,
  duration_ms: 290_000,
  percentage: 40,
  writing_style_id: '0190b6a5-7c00-7000-8000-000000000004',
  first_used_at: '2026-01-02T08:00:00.000Z',
  last_used_at: '2026-01-31T09:00:00.000Z',
}

/** The response contains an entry for every day. */
const MAX_DAYS = 3700

export const statisticsRoute = (usage: Usage) =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures/stats',
      operationId: 'getStatistics',
      summary: 'Get dictation statistics',
      description:
        'For the current day, week (from Monday), month or year in a time zone, for all time, or for a custom span. Deleted captures count too, unless they were deleted before they had a transcript. Captures in the trash do not count until they are restored or the trash is emptied. Transcribing a capture again does not add a capture.',
      tag: 'statistics',
      query: strictObject({
        period: Type.Optional(
          oneOf(CALENDAR_PERIODS, {
            description: 'period that ends now; not together with `since` or `until`. Default: `all`',
          }),
        ),
        ...spanFields,
        app: Type.Optional(
          text({ description: 'name or id of an application', minLength: 1, maxLength: 500 }),
        ),
        source: Type.Optional(CaptureSchema.properties.source),
      }),
      resolve: ({ query }) => orFieldErrors(spanOf(query)),
      responses: ok('The statistics', jsonContent(StatisticsSchema, statisticsExample)),
    },
    async (_request, { query, found: { zone, since = null, until = null } }) => {
      const { period = 'all', app = null, source = null } = query
      const statistics = await usage.statistics({ period, since, until, zone, app, source })
      return Response.json(wireStatistics(statistics, zone.name))
    },
  )

const IN_QUERY = { in: 'query', path: '' } as const

/** Fails for what the schema cannot check. */
function spanOf(requested: SpanFields & { period?: string }): Result<ParsedSpan, Fault[]> {
  const span = readSpan(requested, IN_QUERY)
  const faults = span.ok ? faultsOf(span.value) : span.failure
  if (requested.period !== undefined && (requested.since !== undefined || requested.until !== undefined))
    faults.push({ in: 'query', path: '/period', message: 'must not be given together with since or until' })
  return span.ok && faults.length === 0 ? span : fail(faults)
}

function faultsOf({ since, until }: ParsedSpan): Fault[] {
  const faults: Fault[] = []
  const wrong = (name: string, message: string) => faults.push({ in: 'query', path: `/${name}`, message })
  if (since === undefined) return faults
  if (until !== undefined && until <= since) wrong('until', 'must be after since')
  const end = Math.min(until?.getTime() ?? Infinity, Date.now())
  if (end - since.getTime() > MAX_DAYS * DAY_MS)
    wrong('since', `must not be more than ${MAX_DAYS} days before the end`)
  return faults
}

export const appsRoute = (usage: Usage) =>
  defineRoute(
    {
      method: 'GET',
      path: '/captures/apps',
      operationId: 'listApps',
      summary: 'List the applications that received dictation',
      description:
        'Most used first, counted in the same way as in the statistics. Captures without an application form one item.',
      tag: 'statistics',
      query: strictObject(pageQuery),
      responses: ok(
        'One page of applications',
        jsonContent(AppUseListSchema, { items: [appExample], total: 1 }),
      ),
    },
    async (_request, { query: { limit = 50, offset = 0 } }) => {
      const { items, total } = await usage.apps({ limit, offset })
      return Response.json({ items: items.map(wireApp), total })
    },
  )

import { Type } from '@sinclair/typebox'
import { CaptureSchema } from '../../captures/capture.ts'
import { CALENDAR_PERIODS } from '../../captures/statistics-period.ts'
import type { Usage } from '../../captures/usage.ts'
import { fail, type Result } from '../../lib/result.ts'
import { oneOf } from '../../lib/schema.ts'
import { DAY_MS } from '../../lib/time-zone.ts'
import type { Fault } from '../contract/problem.ts'
import { defineRoute, orFieldErrors } from '../contract/route.ts'
import { strictObject, text } from '../contract/schema.ts'
import { type ParsedSpan, readSpan, type SpanFields, spanFields } from '../fields/span.ts'
import { StatisticsSchema, statisticsExample, wireStatistics } from './stats-schema.ts'

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
      responses: {
        200: {
          description: 'The statistics',
          content: { 'application/json': { schema: StatisticsSchema, example: statisticsExample } },
        },
      },
    },
    async (_request, { query, found: { zone, since = null, until = null } }) => {
      const { period = 'all', app = null, source = null } = query
      const statistics = await usage.statistics({ period, since, until, zone, app, source })
      return Response.json(wireStatistics(statistics, zone.name))
    },
  )

const IN_QUERY = { in: 'query', path: '' } as const

/** Fails for what the schema cannot check. */
function spanOf(asked: SpanFields & { period?: string }): Result<ParsedSpan, Fault[]> {
  const span = readSpan(asked, IN_QUERY)
  const faults = span.ok ? faultsOf(span.value) : span.failure
  if (asked.period !== undefined && (asked.since !== undefined || asked.until !== undefined))
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

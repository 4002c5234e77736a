// The `since`, `until` and `tz` fields of lists, bulk operations and statistics.

import { Type } from '@sinclair/typebox'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { type TimeZone, timeZone } from '../../lib/time-zone.ts'
import type { Fault } from '../contract/problem.ts'
import { dateTime, text } from '../contract/schema.ts'
import { DAY, dayOrMomentOf, NO_DAY_OR_MOMENT } from './moment.ts'

export const dayOrMoment = (description: string, zone: string) =>
  Type.Union([dateTime(), Type.String({ format: 'date', pattern: DAY.source })], {
    description: `${description}; a plain day such as 2026-01-31 means its start in ${zone}`,
  })

/** For query parameters and JSON bodies. */
export const spanFields = {
  since: Type.Optional(dayOrMoment('recorded at this time or later', '`tz`')),
  until: Type.Optional(dayOrMoment('recorded before this time', '`tz`')),
  tz: Type.Optional(
    text({
      description: "IANA time zone, such as `Europe/Berlin`; this computer's by default",
      minLength: 1,
      maxLength: 100,
    }),
  ),
}

export type SpanFields = { [name in 'since' | 'until' | 'tz']?: string | undefined }
export type ParsedSpan = { zone: TimeZone; since: Date | undefined; until: Date | undefined }

const NO_ZONE = 'must be a time zone of the IANA database, such as Europe/Berlin'

/** Failures are errors that the schema cannot find: days, times and time zones that do not exist. */
export function readSpan(
  { since, until, tz }: SpanFields,
  { in: place, path }: Pick<Fault, 'in' | 'path'>,
): Result<ParsedSpan, Fault[]> {
  const zone = timeZone(tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  const faults: Fault[] = []
  const wrong = (name: string, message: string) =>
    void faults.push({ in: place, path: `${path}/${name}`, message })
  if (zone === null) wrong('tz', NO_ZONE)
  const timeOf = (name: string, given: string | undefined): Date | undefined => {
    if (given === undefined) return undefined
    // Whether a day exists does not depend on the time zone.
    const time = dayOrMomentOf(given, zone ?? timeZone('UTC')!)
    if (time === null) wrong(name, NO_DAY_OR_MOMENT)
    return time ?? undefined
  }
  const span = { since: timeOf('since', since), until: timeOf('until', until) }
  return zone === null || faults.length > 0 ? fail(faults) : succeed({ zone, ...span })
}

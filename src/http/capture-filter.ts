// Which captures are meant, told by their words and properties: the filters of the list and of work on many.
// Lists, sorts and counts nothing.

import { type Static, Type } from '@sinclair/typebox'
import { CAPTURE_SOURCES, CAPTURE_STATUSES } from '../captures/capture.ts'
import type { CapturesMeant } from '../captures/list-captures.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { momentOf, NO_MOMENT } from './moment.ts'
import type { Fault } from './problem.ts'
import { dateTime, flag, oneOf, type strictObject, text } from './schema.ts'

/** As query parameters, and as keys of a `filter` in JSON. */
export const captureFilterFields = {
  q: Type.Optional(
    text({
      description:
        'words, which may go on (`off` finds office), or a "quoted phrase", in any language, whatever the case and the accents; all of it must be in the title or the text',
      minLength: 1,
      maxLength: 500,
    }),
  ),
  source: Type.Optional(oneOf(CAPTURE_SOURCES)),
  app: Type.Optional(text({ description: 'name or id of an application', minLength: 1, maxLength: 500 })),
  language: Type.Optional(text({ description: 'ISO 639-1', pattern: '^[a-z]{2,3}$' })),
  status: Type.Optional(oneOf(CAPTURE_STATUSES)),
  model: Type.Optional(text({ description: 'such as `tiny.en-q5_1`', minLength: 1, maxLength: 100 })),
  audio_sha256: Type.Optional(
    text({ description: 'of the recording, as captures have it', pattern: '^[0-9a-f]{64}$' }),
  ),
  since: Type.Optional(dateTime({ description: 'created then or later' })),
  until: Type.Optional(dateTime({ description: 'created before' })),
  starred: Type.Optional(flag({})),
  trashed: Type.Optional(flag({ description: 'those in the trash, and no others', default: false })),
}

export type WireCaptureFilter = Static<ReturnType<typeof strictObject<typeof captureFilterFields>>>

/** Failures name what the schema cannot see: days and times that do not exist. */
export function readCaptureFilter(
  { since, until, audio_sha256: audioSha256, ...filter }: WireCaptureFilter,
  at: Pick<Fault, 'in' | 'path'>,
): Result<CapturesMeant, Fault[]> {
  const times = { since: timeOf(since), until: timeOf(until) }
  const faults = Object.entries(times).flatMap(([name, time]) =>
    time === null ? [{ in: at.in, path: `${at.path}/${name}`, message: NO_MOMENT }] : [],
  )
  if (faults.length > 0) return fail(faults)
  return succeed({ ...filter, audioSha256, since: times.since ?? undefined, until: times.until ?? undefined })
}

/** Null when it was given and is none. */
const timeOf = (text: string | undefined): Date | null | undefined =>
  text === undefined ? undefined : momentOf(text)

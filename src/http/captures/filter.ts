import { type Static, Type } from '@sinclair/typebox'
import { CaptureSchema } from '../../captures/capture.ts'
import type { CapturesMeant } from '../../captures/list-captures.ts'
import { type Result, succeed } from '../../lib/result.ts'
import type { Fault } from '../contract/problem.ts'
import { flag, type strictObject, text } from '../contract/schema.ts'
import { readSpan, spanFields } from '../fields/span.ts'

/** As query parameters, and as keys of a `filter` in JSON. */
export const captureFilterFields = {
  q: Type.Optional(
    text({
      description:
        'word prefixes (`off` finds office) or a "quoted phrase", in any language; case and accents are ignored. All of them must occur in the title or the text',
      minLength: 1,
      maxLength: 500,
    }),
  ),
  source: Type.Optional(CaptureSchema.properties.source),
  app: Type.Optional(text({ description: 'name or id of an application', minLength: 1, maxLength: 500 })),
  language: Type.Optional(text({ description: 'ISO 639-1', pattern: '^[a-z]{2,3}$' })),
  status: Type.Optional(CaptureSchema.properties.status),
  model: Type.Optional(text({ description: 'such as `base-q5_1`', minLength: 1, maxLength: 100 })),
  audio_sha256: Type.Optional(
    text({
      description: 'SHA-256 of the recording, as in `audio_sha256` of a capture',
      pattern: '^[0-9a-f]{64}$',
    }),
  ),
  ...spanFields,
  starred: Type.Optional(flag({})),
  trashed: Type.Optional(flag({ description: 'true lists only captures in the trash', default: false })),
}

type WireCaptureFilter = Static<ReturnType<typeof strictObject<typeof captureFilterFields>>>

/** Fails for values that the schema cannot check: dates, times and time zones that do not exist. */
export function readCaptureFilter(
  { since: from, until: to, tz, audio_sha256: audioSha256, ...filter }: WireCaptureFilter,
  at: Pick<Fault, 'in' | 'path'>,
): Result<CapturesMeant, Fault[]> {
  const span = readSpan({ since: from, until: to, tz }, at)
  if (!span.ok) return span
  const { since, until } = span.value
  return succeed({ ...filter, audioSha256, since, until })
}

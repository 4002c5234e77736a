import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import {
  type Capture,
  CaptureSchema,
  type CaptureVersion,
  type IsExpected,
  CaptureSchema as Kept,
  CaptureVersionSchema as Version,
} from '../../captures/capture.ts'
import type { CaptureSelection, CaptureSummary, CapturesMeant } from '../../captures/capture-index.ts'
import { newCapture } from '../../captures/new-capture.ts'
import { MAX_TAG_LENGTH } from '../../captures/tags.ts'
import { fail, type Result, succeed } from '../../lib/result.ts'
import { nullable, uuid } from '../../lib/schema.ts'
import { wireMapper, wireProperties } from '../../lib/schema-mapping.ts'
import { firstCharacters } from '../../lib/shorten.ts'
import { parseDates } from '../../text/query-dates.ts'
import { readSpan, spanFields } from '../fields/fields.ts'
import { EXAMPLE_CAPTURE, SegmentSchema, warningsField, wireSegment } from '../fields/segment.ts'
import { type Fault, invalidRequest } from '../kernel/problem.ts'
import { jsonContent, type Lookup, type ParsedRequest } from '../kernel/route.ts'
import { flag, strictObject, text } from '../kernel/schema.ts'
import { matchesEtag } from '../server/file-response.ts'
import { narrowed, spanOfDates } from './query-dates.ts'

type Texts = Pick<Capture, 'transcriptRefined' | 'transcriptRaw'>

/** The text to use. */
export const textOf = ({ transcriptRefined, transcriptRaw }: Texts): string =>
  transcriptRefined ?? transcriptRaw

const TITLE_WORDS = 8
/** For scripts without spaces, where a whole transcript is one word. */
const TITLE_CHARACTERS = 120

/** The title set by the user; else the file's name, else the first words. */
export function titleOf(capture: Texts & Pick<Capture, 'title' | 'fileName'>): string {
  const words = textOf(capture).split(/\s+/, TITLE_WORDS + 1)
  const few = words.slice(0, TITLE_WORDS).join(' ')
  const first = firstCharacters(few, TITLE_CHARACTERS)
  const isAll = words.length <= TITLE_WORDS && first === few
  return capture.title ?? capture.fileName ?? (isAll ? first : `${first} …`)
}

const { id, source, status, error, language, detectedLanguage, languageProbability, durationMs, ...others } =
  Kept.properties
const { corrections: _counted, revision: _inside, segments: _inDetail, ...rest } = others

/** The public fields of a capture, including derived ones. Voicebox's field names are among them. */
const shown = {
  id,
  source,
  status,
  error,
  language,
  detectedLanguage,
  languageProbability,
  durationMs,
  text: text({
    description: 'the text to use: refined or corrected by hand, else the transcript',
  }),
  ...rest,
  title: text({ description: "title set by the user; else the file's name, else the first words" }),
}
const fields = wireProperties(shown)

export const CaptureWireSchema = strictObject(fields, {
  $id: 'Capture',
  description: 'A stored recording with its transcript.',
})

export const FoundCaptureSchema = strictObject(
  {
    ...fields,
    highlight: nullable(Type.String(), {
      description:
        'the passage that matched `q`: HTML in which everything except <mark> is escaped; null without `q`',
    }),
  },
  { $id: 'FoundCapture' },
)

export const CaptureDetailSchema = strictObject(
  { ...fields, segments: Type.Array(SegmentSchema) },
  { $id: 'CaptureDetail' },
)

export const RetranscribedCaptureSchema = strictObject(
  { ...CaptureDetailSchema.properties, warnings: warningsField },
  { $id: 'RetranscribedCapture' },
)

export const NewCaptureSchema = strictObject(
  {
    ...fields,
    auto_refine: Type.Boolean({
      description: 'the setting `auto_refine`; the client need not call refine, because the server does it',
    }),
    allow_auto_paste: Type.Boolean({ description: 'whether the client may paste the text automatically' }),
    warnings: warningsField,
  },
  { $id: 'NewCapture' },
)

/** The fields that decide which versions are removed first are internal. */
const { byHand: _by, replacedByHand: _replaced, ...shownOfVersion } = Version.properties

export const CaptureVersionWireSchema = strictObject(
  { ...wireProperties(shownOfVersion), segments: Type.Array(SegmentSchema) },
  { $id: 'CaptureVersion', description: 'An earlier transcript, stored when it was replaced.' },
)

const mapCapture = wireMapper(shown)

export const wireCapture = (capture: CaptureSummary): Static<typeof CaptureWireSchema> =>
  mapCapture({ ...capture, text: textOf(capture), title: titleOf(capture) })

const wireSegments = (segments: Capture['segments']) =>
  segments.map((segment, index) => wireSegment(segment, index, { words: true }))

export const wireCaptureDetail = (capture: Capture): Static<typeof CaptureDetailSchema> => ({
  ...wireCapture(capture),
  segments: wireSegments(capture.segments),
})

const mapVersion = wireMapper(shownOfVersion)

export const wireCaptureVersion = (version: CaptureVersion): Static<typeof CaptureVersionWireSchema> => ({
  ...mapVersion({ ...version, segments: [] }),
  segments: wireSegments(version.segments),
})

const WORDS = 'There is a new message from your office.'

/** Example in the OpenAPI document. */
export const captureExample: Static<typeof CaptureWireSchema> = wireCapture({
  ...newCapture({
    id: EXAMPLE_CAPTURE.id,
    incoming: {
      kind: { format: 'flac', extension: 'flac', mediaType: 'audio/flac' },
      bytes: 55_155,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
    fields: {
      source: 'file',
      language: null,
      sttModel: 'base-q5_1',
      fileName: 'message.flac',
      title: null,
      writingStyleId: null,
      appName: null,
      appId: null,
      appUrl: null,
      windowTitle: null,
    },
    now: new Date(EXAMPLE_CAPTURE.createdAt),
  }),
  status: 'completed',
  detectedLanguage: 'en',
  durationMs: 2380,
  transcriptRaw: WORDS,
  transcriptEngine: WORDS,
  wordCount: 8,
  audioPath: `captures/2026-01/${EXAMPLE_CAPTURE.id}.flac`,
  processingMs: { decode: 12.5, transcribe: 4210, refine: null },
})

export const segmentExample: Static<typeof SegmentSchema> = {
  id: 0,
  start: 0,
  end: 2.3,
  text: WORDS,
  language: 'en',
  avg_logprob: -0.21,
  no_speech_prob: null,
  words: [{ word: 'There', start: 0.1, end: 0.32, probability: 0.98 }],
}

export const captureParams = strictObject({ id: uuid({ description: 'ID of the capture' }) })

export const oneCapture = jsonContent(CaptureDetailSchema, {
  ...captureExample,
  segments: [segmentExample],
} satisfies Static<typeof CaptureDetailSchema>)

const etagOf = ({ revision }: Pick<Capture, 'revision'>): string => `"${revision}"`

/** OpenAPI description for responses with a capture. */
export const etagHeader = { ETag: 'revision of the capture, to be sent back in `If-Match`' }

/** OpenAPI description for requests that change a capture. */
export const ifMatchHeader = {
  'If-Match':
    'the `ETag` that the client last received; returns 412 if the capture has changed since. Without it, the last change wins.',
}

export const expectedBy = (request: Request): IsExpected => {
  const wanted = request.headers.get('if-match')
  return (capture) => wanted === null || matchesEtag(wanted, etagOf(capture))
}

/** @param body the capture in its wire form, possibly with further fields */
export const withEtag = (capture: Pick<Capture, 'revision'>, body: object): Response =>
  Response.json(body, { headers: { etag: etagOf(capture) } })

/** As query parameters, and as keys of a `filter` in JSON. */
export const captureFilterFields = {
  q: Type.Optional(
    text({
      description:
        'word prefixes (`off` finds office) or a "quoted phrase", in any language; case and accents are ignored. All of them must occur in the title or the text. `-word` excludes a word or a "phrase", `OR` between two of them accepts either. A word also finds its plural or singular and, if there are few matches, words with one typing error. `before:2026-11-01`, `on:2026-11` and `after:2025` select by the recording time, without that day, month or year itself for `before` and `after`; `today` and `yesterday` are days, too',
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
  id_tail: Type.Optional(
    text({
      description: 'last characters of the id; its first are the time, which captures share',
      pattern: '^[0-9a-f-]{1,36}$',
    }),
  ),
  ...spanFields,
  starred: Type.Optional(flag({})),
  tag: Type.Optional(text({ description: 'one tag, in any case', minLength: 1, maxLength: MAX_TAG_LENGTH })),
  trashed: Type.Optional(flag({ description: 'true lists only captures in the trash', default: false })),
}

type WireCaptureFilter = Static<ReturnType<typeof strictObject<typeof captureFilterFields>>>

/** Fails for values that the schema cannot check: dates, times and time zones that do not exist. */
export function readCaptureFilter(
  { q, since: from, until: to, tz, audio_sha256: audioSha256, id_tail: idTail, ...filter }: WireCaptureFilter,
  at: Pick<Fault, 'in' | 'path'>,
): Result<CapturesMeant, Fault[]> {
  const span = readSpan({ since: from, until: to, tz }, at)
  if (!span.ok) return span
  const { words, dates, isAmbiguous } = parseDates(q ?? '')
  const dated = spanOfDates(dates, span.value.zone, new Date())
  if (isAmbiguous || dated === null)
    return fail([{ ...at, path: `${at.path}/q`, message: isAmbiguous ? DATE_IN_OR : NO_DATE }])
  const { since, until } = narrowed(span.value, dated)
  const searched = words.trim() === '' ? undefined : words
  return succeed({ ...filter, q: searched, audioSha256, idTail, since, until })
}

const NO_DATE =
  'must have a date after before:, on: or after:, such as 2026-11-01, 2026-11, 2026, today or yesterday'
const DATE_IN_OR = 'must not have OR next to a date, which applies to the whole search'

/** A body may have up to 1 MB; this many ids take less than half of that. */
const MAX_IDS = 10_000

const captureFilter = strictObject(captureFilterFields, {
  $id: 'CaptureFilter',
  description:
    'Same fields as the query of GET /captures; an empty filter matches every capture that is not in the trash.',
})

export const selectionFields = {
  ids: Type.Optional(
    Type.Array(uuid(), {
      description: 'exactly these captures; not together with `filter`',
      minItems: 1,
      maxItems: MAX_IDS,
    }),
  ),
  filter: Type.Optional(captureFilter),
}

const IN_FILTER = { in: 'body', path: '/filter' } as const

/** Resolves the selection; checks that `ids` and `filter` exclude each other, and what the schema cannot check. */
export function resolveSelection(
  { json }: Pick<ParsedRequest, 'json'>,
  checkFilter: (filter: Record<string, unknown>) => Fault[] = () => [],
): Lookup<CaptureSelection> {
  if (!isObject(json)) return { problems: [] }
  const { ids, filter } = json
  if (filter === undefined)
    return ids === undefined
      ? refused([fault('/ids', 'or filter is required')])
      : found({ ids: ids as string[] })
  if (!isObject(filter)) return { problems: [] }
  const both = ids === undefined ? [] : [fault('/filter', 'must not be given together with ids')]
  // Fields that the schema rejects are already reported.
  const right = Object.entries(captureFilterFields).filter(([name, schema]) =>
    Value.Check(schema, filter[name]),
  )
  const meant = readCaptureFilter(Object.fromEntries(right.map(([name]) => [name, filter[name]])), IN_FILTER)
  const faults = [...both, ...(meant.ok ? [] : meant.failure), ...checkFilter(filter)]
  return meant.ok && faults.length === 0 ? found({ meant: meant.value }) : refused(faults)
}

const found = (which: CaptureSelection): Lookup<CaptureSelection> => ({ problems: [], found: which })
const refused = (faults: Fault[]): Lookup<CaptureSelection> => ({ problems: [invalidRequest(faults)] })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fault = (path: string, message: string): Fault => ({ in: 'body', path, message })

import { type Static, Type } from '@sinclair/typebox'
import {
  type Capture,
  type CaptureVersion,
  CaptureSchema as Kept,
  CaptureVersionSchema as Version,
} from '../../captures/capture.ts'
import { newCapture } from '../../captures/create-capture.ts'
import type { CaptureSummary } from '../../captures/index-row.ts'
import { nullable } from '../../lib/schema.ts'
import { wireMapper, wireProperties } from '../../lib/schema-mapping.ts'
import { strictObject, text } from '../contract/schema.ts'
import { EXAMPLE_CAPTURE } from '../fields/example.ts'
import { SegmentSchema, wireSegment } from '../fields/segment.ts'
import { warningsField } from '../fields/warnings.ts'
import { textOf, titleOf } from './display-title.ts'

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

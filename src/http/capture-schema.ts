// A capture on the wire: the shape that the contract promises, and the mapping from the domain's own.
// Voicebox's field names are kept among them.

import { type Static, Type } from '@sinclair/typebox'
import {
  CAPTURE_SOURCES,
  CAPTURE_STATUSES,
  type Capture,
  type CaptureVersion,
  REFINEMENT_STATUSES,
} from '../captures/capture.ts'
import { textOf, titleOf } from './capture-title.ts'
import { dateTime, nullable, oneOf, strictObject, text, uuid } from './schema.ts'
import { SegmentSchema, wireSegment } from './segment-schema.ts'
import { warningsField } from './warning.ts'

const maybeText = (description: string) => nullable(Type.String(), { description })
const count = (description: string) => Type.Integer({ minimum: 0, description })
const maybeMs = (description: string) => nullable(Type.Number({ minimum: 0 }), { description })

export const CaptureErrorSchema = strictObject(
  { code: Type.String(), message: Type.String() },
  { $id: 'CaptureError' },
)

const FlagsSchema = strictObject(
  { smart_cleanup: Type.Boolean(), self_correction: Type.Boolean(), preserve_technical: Type.Boolean() },
  { $id: 'RefinementFlags' },
)

const fields = {
  id: uuid({ description: 'UUIDv7: ids in the order of creation' }),
  source: oneOf(CAPTURE_SOURCES),
  status: oneOf(CAPTURE_STATUSES),
  error: nullable(CaptureErrorSchema, { description: 'why it failed, or was cancelled' }),
  language: maybeText('asked for; null is automatic'),
  detected_language: maybeText('ISO 639-1'),
  language_probability: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  duration_ms: nullable(Type.Integer({ minimum: 0 }), { description: 'null until it was decoded' }),
  text: text({
    description: 'the one to use: as it was refined or corrected by hand, else as it was understood',
  }),
  transcript_raw: text({ description: 'what was understood' }),
  transcript_engine: text({ description: 'as the engine gave it, never altered afterwards' }),
  transcript_refined: maybeText('as it was cleaned up or corrected by hand'),
  refinement_status: oneOf(REFINEMENT_STATUSES),
  stt_model: maybeText('the model that was used, or asked for'),
  llm_model: maybeText('the language model that refined it'),
  refinement_flags: nullable(FlagsSchema),
  writing_style_id: nullable(uuid()),
  word_count: count('words of the text'),
  audio_path: text({ description: 'below the data folder' }),
  audio_available: Type.Boolean(),
  audio_bytes: count('size of the recording'),
  audio_sha256: text({ description: 'of the recording, in hex', pattern: '^[0-9a-f]{64}$' }),
  audio_type: text({ description: 'media type, told from the bytes' }),
  title: text({ description: "as set; else the file's name, else the first words" }),
  file_name: maybeText('as the client named it, shortened where it is endless'),
  app_name: maybeText('the application it was spoken into'),
  app_id: maybeText('its identifier'),
  app_url: maybeText('the address of the page'),
  window_title: maybeText('the title of the window'),
  starred: Type.Boolean(),
  trashed_at: nullable(dateTime()),
  processing_ms: strictObject({
    decode: maybeMs('decoding'),
    transcribe: maybeMs('speech detection and recognition'),
    refine: maybeMs('cleaning up'),
  }),
  created_at: dateTime(),
  updated_at: dateTime(),
}

export const CaptureSchema = strictObject(fields, {
  $id: 'Capture',
  description: 'One recording that is kept, with what was understood of it.',
})

export const FoundCaptureSchema = strictObject(
  {
    ...fields,
    highlight: nullable(Type.String(), {
      description: 'where `q` matched: HTML with everything escaped but <mark>; null without `q`',
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
      description: 'whether the client should call refine: no, this server does it by itself',
    }),
    allow_auto_paste: Type.Boolean({ description: 'whether the client may paste the text by itself' }),
    warnings: warningsField,
  },
  { $id: 'NewCapture' },
)

export const CaptureVersionSchema = strictObject(
  {
    number: Type.Integer({ minimum: 1 }),
    stt_model: maybeText('the model that was used'),
    language: maybeText('asked for'),
    detected_language: maybeText('ISO 639-1'),
    transcript_raw: Type.String(),
    transcript_engine: Type.String(),
    transcript_refined: maybeText('as it was cleaned up or corrected by hand'),
    segments: Type.Array(SegmentSchema),
    created_at: dateTime({ description: 'when it was replaced' }),
  },
  { $id: 'CaptureVersion', description: 'An earlier transcript, kept when it was replaced.' },
)

type Summary = Omit<Capture, 'segments'>

export function wireCapture(capture: Summary): Static<typeof CaptureSchema> {
  const { refinementFlags: flags } = capture
  return {
    id: capture.id,
    source: capture.source,
    status: capture.status,
    error: capture.error,
    language: capture.language,
    detected_language: capture.detectedLanguage,
    language_probability: capture.languageProbability,
    duration_ms: capture.durationMs === null ? null : Math.round(capture.durationMs),
    text: textOf(capture),
    transcript_raw: capture.transcriptRaw,
    transcript_engine: capture.transcriptEngine,
    transcript_refined: capture.transcriptRefined,
    refinement_status: capture.refinementStatus,
    stt_model: capture.sttModel,
    llm_model: capture.llmModel,
    refinement_flags: flags && {
      smart_cleanup: flags.smartCleanup,
      self_correction: flags.selfCorrection,
      preserve_technical: flags.preserveTechnical,
    },
    writing_style_id: capture.writingStyleId,
    word_count: capture.wordCount,
    audio_path: capture.audioPath,
    audio_available: capture.audioAvailable,
    audio_bytes: capture.audioBytes,
    audio_sha256: capture.audioSha256,
    audio_type: capture.audioType,
    title: titleOf(capture),
    file_name: capture.fileName,
    app_name: capture.appName,
    app_id: capture.appId,
    app_url: capture.appUrl,
    window_title: capture.windowTitle,
    starred: capture.starred,
    trashed_at: capture.trashedAt?.toISOString() ?? null,
    processing_ms: capture.processingMs,
    created_at: capture.createdAt.toISOString(),
    updated_at: capture.updatedAt.toISOString(),
  }
}

const wireSegments = (segments: Capture['segments']) =>
  segments.map((segment, index) => wireSegment(segment, index, { words: true }))

export const wireCaptureDetail = (capture: Capture): Static<typeof CaptureDetailSchema> => ({
  ...wireCapture(capture),
  segments: wireSegments(capture.segments),
})

export const wireCaptureVersion = (version: CaptureVersion): Static<typeof CaptureVersionSchema> => ({
  number: version.number,
  stt_model: version.sttModel,
  language: version.language,
  detected_language: version.detectedLanguage,
  transcript_raw: version.transcriptRaw,
  transcript_engine: version.transcriptEngine,
  transcript_refined: version.transcriptRefined,
  segments: wireSegments(version.segments),
  created_at: version.createdAt.toISOString(),
})

const ID = '019ab1c2-7c3e-7d41-9a4e-3f6f0d1f9c11'
const MOMENT = '2026-01-31T12:00:00.000Z'
const WORDS = 'There is a new message from your office.'

/** For the document. */
export const captureExample: Static<typeof CaptureSchema> = {
  id: ID,
  source: 'file',
  status: 'completed',
  error: null,
  language: null,
  detected_language: 'en',
  language_probability: null,
  duration_ms: 2380,
  text: WORDS,
  transcript_raw: WORDS,
  transcript_engine: WORDS,
  transcript_refined: null,
  refinement_status: 'none',
  stt_model: 'base-q5_1',
  llm_model: null,
  refinement_flags: null,
  writing_style_id: null,
  word_count: 8,
  audio_path: `captures/2026-01/${ID}.flac`,
  audio_available: true,
  audio_bytes: 55_155,
  audio_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  audio_type: 'audio/flac',
  title: 'message.flac',
  file_name: 'message.flac',
  app_name: null,
  app_id: null,
  app_url: null,
  window_title: null,
  starred: false,
  trashed_at: null,
  processing_ms: { decode: 12.5, transcribe: 4210, refine: null },
  created_at: MOMENT,
  updated_at: MOMENT,
}

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

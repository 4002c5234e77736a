// A capture: one stored recording and its transcript. This schema is the source of the record (record-schema.ts) and of
// the wire form (http/); db/ owns the rows.

import { type Static, Type } from '@sinclair/typebox'
import { captures } from '../../db/schema.ts'
import { nullable, oneOf, uuid } from '../lib/schema.ts'

const text = (description: string) => Type.String({ description })
const maybeText = (description: string) => nullable(Type.String(), { description })
const count = (description: string) => Type.Integer({ minimum: 0, description })
const maybeMs = (description: string) => nullable(Type.Number({ minimum: 0 }), { description })
const maybeNumber = nullable(Type.Number())

export const CaptureErrorSchema = Type.Object(
  { code: Type.String(), message: Type.String() },
  { $id: 'CaptureError' },
)

export type CaptureError = Static<typeof CaptureErrorSchema>

/** The error of a capture that went into the trash before its transcription; restoring it queues the transcription. */
export const UNHEARD: CaptureError = {
  code: 'trashed',
  message: 'It was put into the trash before it was transcribed; restoring it has it transcribed.',
}

/**
 * The error of a capture whose recording broke off or was stopped during the upload. It stays, whatever was
 * transcribed.
 */
export const UPLOAD_INTERRUPTED: CaptureError = {
  code: 'upload_interrupted',
  message: 'The end of the recording did not arrive; what arrived of it is kept and transcribed.',
}

const FlagsSchema = Type.Object(
  { smartCleanup: Type.Boolean(), selfCorrection: Type.Boolean(), preserveTechnical: Type.Boolean() },
  { $id: 'RefinementFlags' },
)

/** In milliseconds, as from the engine; the wire form uses seconds. */
const SegmentSchema = Type.Object({
  startMs: Type.Number(),
  endMs: Type.Number(),
  text: Type.String(),
  /** missing in data that was stored before this field existed */
  language: Type.Optional(Type.String()),
  avgLogprob: maybeNumber,
  noSpeechProb: maybeNumber,
  words: Type.Array(
    Type.Object({
      word: Type.String(),
      startMs: Type.Number(),
      endMs: Type.Number(),
      probability: maybeNumber,
    }),
  ),
})

export const CaptureSchema = Type.Object({
  id: uuid({ description: 'UUIDv7: ids in the order of creation' }),
  source: oneOf(captures.source.enumValues),
  status: oneOf(captures.status.enumValues),
  error: nullable(CaptureErrorSchema, { description: 'why it failed, or was cancelled' }),
  language: maybeText('asked for; null is automatic'),
  detectedLanguage: maybeText('ISO 639-1'),
  languageProbability: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  durationMs: nullable(Type.Integer({ minimum: 0 }), { description: 'null until it was decoded' }),
  transcriptRaw: text('what was understood'),
  transcriptEngine: text('as the engine gave it, never altered afterwards'),
  transcriptRefined: maybeText('as it was cleaned up or corrected by hand'),
  refinementStatus: oneOf(captures.refinementStatus.enumValues),
  sttModel: maybeText('the model that was used, or asked for'),
  llmModel: maybeText('the language model that refined it'),
  refinementFlags: nullable(FlagsSchema),
  writingStyleId: nullable(uuid()),
  wordCount: count('words of the text'),
  /** relative to the data folder, with forward slashes */
  audioPath: text('below the data folder'),
  audioAvailable: Type.Boolean(),
  audioBytes: count('size of the recording'),
  audioSha256: Type.String({ description: 'of the recording, in hex', pattern: '^[0-9a-f]{64}$' }),
  audioType: text('media type, told from the bytes'),
  title: maybeText('set by a person'),
  fileName: maybeText('as the client named it, shortened where it is endless'),
  appName: maybeText('the application it was spoken into'),
  appId: maybeText('its identifier'),
  appUrl: maybeText('the address of the page'),
  windowTitle: maybeText('the title of the window'),
  starred: Type.Boolean(),
  trashedAt: nullable(Type.Date()),
  processingMs: Type.Object({
    decode: maybeMs('decoding'),
    transcribe: maybeMs('speech detection and recognition'),
    refine: maybeMs('cleaning up'),
  }),
  recordedAt: Type.Date({ description: 'when it was spoken: as the client said, else when it was received' }),
  createdAt: Type.Date({ description: 'when it was received' }),
  updatedAt: Type.Date(),
  corrections: count("how many passages of the engine's text the dictionary changed"),
  revision: count(
    'changes; the file beside the audio and the row carry the same number when nothing was cut off',
  ),
  segments: Type.Array(SegmentSchema),
})
export type Capture = Static<typeof CaptureSchema>
export type Segments = Capture['segments']

/** The application in which the user dictated; each part as the client sent it. */
export type AppContext = Pick<Capture, 'appName' | 'appId' | 'appUrl' | 'windowTitle'>

/** The fields that a user may change. */
export const CapturePatchSchema = Type.Pick(CaptureSchema, [
  'transcriptRefined',
  'title',
  'starred',
  'writingStyleId',
  'appName',
  'appId',
  'appUrl',
  'windowTitle',
])
/** `recordedAt` null: when the server received the recording */
export type CapturePatch = Partial<Static<typeof CapturePatchSchema> & { recordedAt: Date | null }>

/** An earlier state of a capture's transcript, stored when it is replaced. */
export const CaptureVersionSchema = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  sttModel: maybeText('the model that was used'),
  language: maybeText('asked for'),
  detectedLanguage: maybeText('ISO 639-1'),
  transcriptRaw: Type.String(),
  transcriptEngine: Type.String(),
  transcriptRefined: maybeText('as it was cleaned up or corrected by hand'),
  segments: Type.Array(SegmentSchema),
  createdAt: Type.Date({ description: 'when it was replaced' }),
  /** a user wrote it */
  byHand: Type.Optional(Type.Boolean()),
  /** a user wrote its replacement */
  replacedByHand: Type.Optional(Type.Boolean()),
})
export type CaptureVersion = Static<typeof CaptureVersionSchema>

// A capture: one recording that is kept, with what was understood of it.
// Its one schema: the record beside the audio (record-schema.ts) and the wire (http/) are made of it; db/ owns the rows.

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

/** Stands on a capture that went into the trash before it had a text; taking it out has it transcribed. */
export const UNHEARD: CaptureError = {
  code: 'trashed',
  message: 'It was put into the trash before it was transcribed; restoring it has it transcribed.',
}

/** Stands on a capture whose recording broke off or was stopped while it arrived, whatever was understood of it. */
export const UPLOAD_INTERRUPTED: CaptureError = {
  code: 'upload_interrupted',
  message: 'The end of the recording did not arrive; what arrived of it is kept and transcribed.',
}

const FlagsSchema = Type.Object(
  { smartCleanup: Type.Boolean(), selfCorrection: Type.Boolean(), preserveTechnical: Type.Boolean() },
  { $id: 'RefinementFlags' },
)

/** As the engine gives them; on the wire they count in seconds. */
const SegmentSchema = Type.Object({
  startMs: Type.Number(),
  endMs: Type.Number(),
  text: Type.String(),
  /** what was kept before this was told has none */
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

/** Where the recording was spoken into; each part as the client told it. */
export type AppContext = Pick<Capture, 'appName' | 'appId' | 'appUrl' | 'windowTitle'>

/** What a person may change of it. */
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
/** `recordedAt` null: when it was received */
export type CapturePatch = Partial<Static<typeof CapturePatchSchema> & { recordedAt: Date | null }>

/** An earlier state of a capture's transcript, kept when it is replaced. */
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
  /** a person wrote it */
  byHand: Type.Optional(Type.Boolean()),
  /** a person wrote what took its place */
  replacedByHand: Type.Optional(Type.Boolean()),
})
export type CaptureVersion = Static<typeof CaptureVersionSchema>

// A capture: one stored recording and its transcript, with its events and its delivery to the queue. The schema is the
// source of the record (record.ts) and of the wire form (http/); db/ owns the rows.

import { type Static, Type } from '@sinclair/typebox'
import type { Orm } from '../../db/database.ts'
import { captures, type JobRow } from '../../db/schema.ts'
import type { Publish } from '../lib/events.ts'
import { nullable, oneOf, uuid } from '../lib/schema.ts'
import type { Warning } from '../lib/warning.ts'

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
  appName: maybeText('name of the application that the user dictated into'),
  appId: maybeText('identifier of the application'),
  appUrl: maybeText('URL of the web page'),
  windowTitle: maybeText('title of the window'),
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

export const ANNOUNCED_EVENTS = [
  'capture.completed',
  'capture.failed',
  'capture.refined',
  'capture.deleted',
] as const
export type AnnouncedEvent = (typeof ANNOUNCED_EVENTS)[number]

/** An event that an external program receives, however long the delivery takes. */
export type CaptureAnnouncement = { event: AnnouncedEvent; captureId: string }

export type CaptureEvents = {
  /** called after the commit; reaches current listeners only */
  publish: Publish
  /**
   * Queues the announcement in the transaction of the change, so that it is neither lost nor sent for a change that was
   * rolled back; undefined if no webhook is set at the moment of the call
   */
  announcing: (announcement: CaptureAnnouncement) => ((tx: Orm) => Promise<void>) | undefined
}

type Told = Pick<CaptureEvents, 'publish'>

export const tellChanged = ({ publish }: Told, { id, status }: Pick<Capture, 'id' | 'status'>): void =>
  publish({ name: 'capture.updated', captureId: id, status })

type JobStateTold = 'waiting' | 'active' | 'completed' | 'failed' | 'canceled'

/** Publishes the new state of a job. While the job is active, src/jobs publishes its progress. */
export const tellJob = (
  { publish }: Told,
  { id, captureId }: Pick<JobRow, 'id' | 'captureId'>,
  state: JobStateTold,
): void =>
  publish({ name: 'job.progress', jobId: id, captureId, state, progress: state === 'completed' ? 1 : 0 })

/** A job, and the capture whose turn it needs. */
export type JobKey = Pick<JobRow, 'id' | 'captureId'>

/** A started job: its writes count only while this is its newest attempt. */
export type BegunJob = Pick<JobRow, 'id' | 'captureId' | 'attempts'>

/** `capture` is the state after the job; null if it is gone, or nothing is known of the job. */
export type Ending = {
  capture: Capture | null
  /** requested options that could not be applied */
  warnings: Warning[]
}

export type Delivery = {
  /** Queues waiting jobs in the transaction that wrote their rows. */
  send(tx: Orm, jobs: JobKey[]): Promise<void>
  /** Call it after the commit of a send: wakes the workers. */
  wake(): void
  /** Removes a job from the queue, in the transaction that ended it. */
  withdraw(tx: Orm, jobId: string): Promise<void>
  /** Delivers a job again after a pause, in the transaction that returned it to the queue. */
  retry(tx: Orm, jobId: string): Promise<void>
  /**
   * Call it after the commit that ended a job: stops its handler if it still runs, and wakes the callers that wait for
   * it.
   */
  ended(jobId: string, ending: Ending): void
  /** fires when the server stops: no job may be sent after that */
  closing: AbortSignal
}

export type IsExpected = (capture: Pick<Capture, 'revision'>) => boolean

export const changedMeanwhile = (id: string) => ({
  code: 'precondition_failed' as const,
  message: `Capture ${id} was changed meanwhile. Get it again, and send the change with its new ETag.`,
})

export const captureNotFound = (id: string) => ({
  code: 'capture_not_found' as const,
  message: `There is no capture ${id}.`,
})

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

export function countWords(text: string): number {
  let words = 0
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) words++
  return words
}

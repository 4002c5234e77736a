// A capture: one stored recording and its transcript, with its events and its delivery to the queue. The schema is the
// source of the record (record.ts) and of the wire form (http/); db/ owns the rows.

import { type Static, Type } from '@sinclair/typebox'
import type { Orm } from '../../db/database.ts'
import { captures, type JobRow } from '../../db/schema.ts'
import type { Publish } from '../lib/events.ts'
import { nullable, oneOf, uuid } from '../lib/schema.ts'
import type { Warning } from '../lib/warning.ts'
import type { TagChange } from './tags.ts'

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

/** The error of a capture that was trashed before its transcription; restoring it queues the transcription. */
export const TRASHED_UNTRANSCRIBED: CaptureError = {
  code: 'trashed',
  message: 'It was moved to the trash before it was transcribed. Restore it to transcribe it.',
}

/** The error of a capture whose upload was interrupted or stopped. It stays after the rest was transcribed. */
export const UPLOAD_INTERRUPTED: CaptureError = {
  code: 'upload_interrupted',
  message: 'The end of the recording did not arrive. The part that arrived is stored and transcribed.',
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
  language: maybeText('the requested language; null: detected'),
  detectedLanguage: maybeText('ISO 639-1'),
  languageProbability: nullable(Type.Number({ minimum: 0, maximum: 1 })),
  durationMs: nullable(Type.Integer({ minimum: 0 }), { description: 'null until the recording is decoded' }),
  transcriptRaw: text('the transcript, with the dictionary applied'),
  transcriptEngine: text("the engine's own text; never changed"),
  transcriptRefined: maybeText('the refined text, or the text as the user corrected it'),
  refinementStatus: oneOf(captures.refinementStatus.enumValues),
  sttModel: maybeText('the model that transcribed it; before that, the requested one'),
  llmModel: maybeText('the language model that refined it'),
  refinementFlags: nullable(FlagsSchema),
  writingStyleId: nullable(uuid()),
  wordCount: count('number of words in the text'),
  /** relative to the data folder, with forward slashes */
  audioPath: text('path in the data folder'),
  audioAvailable: Type.Boolean(),
  audioBytes: count('size of the recording'),
  audioSha256: Type.String({ description: 'SHA-256 of the recording, in hex', pattern: '^[0-9a-f]{64}$' }),
  audioType: text('media type, detected from the content'),
  title: maybeText('set by the user'),
  fileName: maybeText('file name that the client sent, shortened if it is very long'),
  appName: maybeText('name of the application that the user dictated into'),
  appId: maybeText('identifier of the application'),
  appUrl: maybeText('URL of the web page'),
  windowTitle: maybeText('title of the window'),
  starred: Type.Boolean(),
  tags: Type.Array(Type.String(), { description: 'in the order in which they were added' }),
  trashedAt: nullable(Type.Date()),
  processingMs: Type.Object({
    decode: maybeMs('decoding'),
    transcribe: maybeMs('speech detection and recognition'),
    refine: maybeMs('refinement'),
  }),
  recordedAt: Type.Date({
    description:
      'when the recording was made, according to the client; by default when the server received it',
  }),
  createdAt: Type.Date({ description: 'when the server received it' }),
  updatedAt: Type.Date(),
  corrections: count("how many passages of the engine's text the dictionary changed"),
  revision: count('number of changes; the copy beside the audio has the same number once it is written'),
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
  'tags',
  'writingStyleId',
  'appName',
  'appId',
  'appUrl',
  'windowTitle',
])
/** `recordedAt` null: when the server received the recording */
export type CapturePatch = Partial<Static<typeof CapturePatchSchema> & { recordedAt: Date | null }> &
  TagChange

/** An earlier state of a capture's transcript, stored when it is replaced. */
export const CaptureVersionSchema = Type.Object({
  number: Type.Integer({ minimum: 1 }),
  sttModel: maybeText('the model that was used'),
  language: maybeText('the requested language; null: detected'),
  detectedLanguage: maybeText('ISO 639-1'),
  transcriptRaw: Type.String(),
  transcriptEngine: Type.String(),
  transcriptRefined: maybeText('the refined text, or the text as the user corrected it'),
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

type Publishing = Pick<CaptureEvents, 'publish'>

export const publishChange = (
  { publish }: Publishing,
  { id, status }: Pick<Capture, 'id' | 'status'>,
): void => publish({ name: 'capture.updated', captureId: id, status })

type PublishedJobState = 'waiting' | 'active' | 'completed' | 'failed' | 'canceled'

/** Publishes the new state of a job. While the job is active, src/jobs publishes its progress. */
export const publishJobState = (
  { publish }: Publishing,
  { id, captureId }: Pick<JobRow, 'id' | 'captureId'>,
  state: PublishedJobState,
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
  message: `Capture ${id} has changed in the meantime. Get it again, and send the change with its new ETag.`,
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

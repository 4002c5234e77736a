// The rows of a new capture and of its jobs.

import type { JobRow, StoredJobRequest } from '../../db/schema.ts'
import type { IncomingAudio } from '../audio/audio-file.ts'
import { newId } from '../lib/uuid.ts'
import { type AppContext, type Capture, TRASHED_UNTRANSCRIBED, UPLOAD_INTERRUPTED } from './capture.ts'
import { audioPathOf, type InboxNote } from './capture-files.ts'
import { type RecordedJob, requestOf } from './record.ts'

export type CaptureFields = AppContext & {
  source: Capture['source']
  /** ISO 639-1; null is automatic */
  language: string | null
  /** null: the best model when the job runs */
  sttModel: string | null
  fileName: string | null
  title: string | null
  /** by default the time of receipt */
  recordedAt?: Date | undefined
  writingStyleId: string | null
  /** whether the text is refined; null: as in the settings when the job runs */
  refine: boolean | null
}

export type NewRows = {
  capture: Capture
  jobId: string
  job: JobRow | null
  shelved: StoredJobRequest | null
}

/** The capture for a recording in the inbox, from its note. */
export function newbornOf(incoming: Omit<IncomingAudio, 'path'>, note: InboxNote): NewRows {
  const { id, jobId, madeAt, isInterrupted, isDiscarded } = note
  const { refine, ...fields } = note.fields
  const born = newCapture({ incoming, fields, now: madeAt, id })
  const job = { ...firstJob(born, madeAt, refine), id: jobId }
  if (!isDiscarded)
    return {
      capture: { ...born, error: isInterrupted ? UPLOAD_INTERRUPTED : null },
      jobId,
      job,
      shelved: null,
    }
  const error = isInterrupted ? UPLOAD_INTERRUPTED : TRASHED_UNTRANSCRIBED
  const capture: Capture = { ...born, status: 'canceled', error, trashedAt: madeAt }
  return { capture, jobId, job: null, shelved: requestOf(job) }
}

const NO_CHOICES = { flags: null, writingStyleId: null, useLlm: null, llmModel: null }

/** The first job of a new capture. */
export const firstJob = (
  capture: Pick<Capture, 'id' | 'sttModel' | 'language'>,
  now: Date,
  refine: boolean | null = null,
): JobRow => ({
  id: newId(now),
  kind: 'transcribe',
  captureId: capture.id,
  state: 'waiting',
  progress: 0,
  attempts: 0,
  error: null,
  model: capture.sttModel,
  language: capture.language,
  prompt: null,
  keepRefined: false,
  refinement: refine === null ? null : { ...NO_CHOICES, refine },
  batchId: null,
  warnings: null,
  createdAt: now,
  startedAt: null,
  finishedAt: null,
})

/** A job in its initial state. */
export const jobOf = (captureId: string, { jobId, ...requested }: RecordedJob): JobRow => ({
  ...firstJob(
    { id: captureId, sttModel: requested.model, language: requested.language },
    requested.createdAt,
  ),
  ...requested,
  id: jobId,
})

type Newborn = {
  incoming: Omit<IncomingAudio, 'path'>
  fields: Omit<CaptureFields, 'refine'>
  now: Date
  id?: string
}

/** A capture with only its audio known. */
export function newCapture({ incoming, fields, now, id = newId(now) }: Newborn): Capture {
  return {
    ...fields,
    id,
    status: 'pending',
    error: null,
    detectedLanguage: null,
    languageProbability: null,
    durationMs: null,
    transcriptRaw: '',
    transcriptEngine: '',
    transcriptRefined: null,
    refinementStatus: 'none',
    llmModel: null,
    refinementFlags: null,
    wordCount: 0,
    corrections: 0,
    audioPath: audioPathOf(id, incoming.kind.extension),
    audioAvailable: true,
    audioBytes: incoming.bytes,
    audioSha256: incoming.sha256,
    audioType: incoming.kind.mediaType,
    starred: false,
    tags: [],
    trashedAt: null,
    processingMs: { decode: null, transcribe: null, refine: null },
    segments: [],
    recordedAt: fields.recordedAt ?? now,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  }
}

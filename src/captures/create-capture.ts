// Takes a recording into keeping: audio in its place, record beside it, then row and job, in this order.
// Receiving and recognising the audio came before (src/audio/incoming.ts); transcribing it is a job.

import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { countUnfinishedJobs } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import type { IncomingAudio } from '../audio/audio-file.ts'
import type { DecodeAhead } from '../audio/decode-ahead.ts'
import { LIVE_SUFFIX } from '../audio/incoming.ts'
import { DatabaseAwayError } from '../lib/database-away.ts'
import { diskSpace, isDiskFull } from '../lib/disk-space.ts'
import { makeFolder, removeDurably, syncFolder } from '../lib/durable.ts'
import type { Log } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { newId } from '../lib/uuid.ts'
import { type AppContext, type Capture, UPLOAD_INTERRUPTED } from './capture.ts'
import { audioPathOf, folderOf, recordPathOf } from './capture-files.ts'
import type { Archive } from './change-capture.ts'
import type { Delivery } from './delivery.ts'
import { enqueueFirst } from './enqueue-first.ts'
import { type CaptureRecord, newRecord, writeRecord } from './record.ts'

export type CaptureFields = AppContext & {
  source: Capture['source']
  /** ISO 639-1; null is automatic */
  language: string | null
  /** null is whatever is best when the job runs */
  sttModel: string | null
  fileName: string | null
  title: string | null
  /** unless given, when it was received */
  recordedAt?: Date | undefined
  writingStyleId: string | null
  /** whether the text is refined; null is as the settings say when the job runs */
  refine: boolean | null
}

export type Intaken = {
  incoming: IncomingAudio
  fields: CaptureFields
  /** its end did not arrive; it is kept and transcribed, and says so */
  interrupted?: boolean
}

export type NewCapture = {
  capture: Capture
  jobId: string
  /** false: the database is away, and capture and job appear in it when it is back */
  queued: boolean
}

export type IntakeFailure = { code: 'queue_full' | 'disk_full'; message: string }

export type Intake = Archive & {
  delivery: Delivery
  /** the job is given what comes of it */
  decodeAhead: DecodeAhead['begin']
  log: Log
  maxQueue: number
  minFreeBytes: number
  /** how many more may wait before they have to be counted again; only this process adds any */
  places: { left: number }
}

/** Whether there is room for one more; asked before a body is read, and again before it is kept. */
export async function checkDiskRoom(intake: Intake): Promise<Result<void, IntakeFailure>> {
  // Who comes after the others of this folder were closed must not keep anything behind their back.
  if (intake.delivery.closing.aborted) throw new DatabaseAwayError('the captures are closed')
  const { freeBytes } = await diskSpace(intake.dataFolder)
  if (freeBytes < intake.minFreeBytes) return diskFull
  if (intake.places.left <= 0) {
    const { waiting } = await intake.database.run(countUnfinishedJobs)
    intake.places.left = intake.maxQueue - waiting
  }
  if (intake.places.left > 0) return succeed(undefined)
  return fail({
    code: 'queue_full',
    message: 'Too many recordings wait to be transcribed; no more are taken until some are done.',
  })
}

/**
 * Keeps a recording and queues its transcription. On a failure the incoming file is gone or still the caller's to
 * remove. `queued` is false when the database failed after the record was written: the recording is safe, and is
 * indexed and queued as soon as the database lets it (or by the next start).
 */
export async function createCapture(
  intake: Intake,
  { incoming, fields: { refine, ...fields }, interrupted = false }: Intaken,
): Promise<Result<NewCapture, IntakeFailure>> {
  const room = await checkDiskRoom(intake)
  if (!room.ok) return room
  intake.places.left--
  const error = interrupted ? UPLOAD_INTERRUPTED : null
  const capture = { ...newCapture({ incoming, fields, now: intake.clock() }), error }
  return intake.lock(capture.id, async () => {
    const job = firstJob(capture, intake.clock(), refine)
    const promised = refine === null ? null : promiseOf(job)
    const { kind } = incoming
    const onMoved = (path: string) => intake.decodeAhead({ path, bytes: incoming.bytes, kind })
    const kept = await putInPlace(intake, incoming, { record: { capture, promised, shelved: null }, onMoved })
    if (!kept.ok) return kept
    const queued = await enqueueFirst(intake, { capture, job })
    if (queued) intake.log.debug({ phase: 'committed', captureId: capture.id }, 'committed')
    return succeed({ capture, jobId: job.id, queued })
  })
}

type Placing = {
  record: Pick<CaptureRecord, 'capture' | 'promised' | 'shelved'>
  /** the audio is where it stays, under this path, and the record is not written yet */
  onMoved?: (path: string) => void
}

/** Moves the audio to where it stays and writes the record; in the capture's turn. After a failure neither is there. */
export async function putInPlace(
  { dataFolder, log }: Intake,
  incoming: IncomingAudio,
  { record, onMoved }: Placing,
): Promise<Result<void, IntakeFailure>> {
  const { capture } = record
  const path = join(dataFolder, capture.audioPath)
  const said = (phase: string) => log.debug({ phase, captureId: capture.id }, phase)
  try {
    await makeFolder(folderOf(dataFolder, capture.id))
    // Made durable by the sync of the same folder that ends the writing of the record.
    await rename(incoming.path, path)
    said('moved')
    onMoved?.(path)
    await writeRecord(dataFolder, { ...newRecord(capture), ...record })
    // Its old name would make another capture of it at the next start, even where this one was deleted meanwhile.
    if (incoming.path.endsWith(LIVE_SUFFIX)) await syncFolder(dirname(incoming.path))
    said('journaled')
    return succeed(undefined)
  } catch (error) {
    // Not acknowledged, so it must not come back as a capture at the next start.
    await removeDurably(recordPathOf(dataFolder, capture.id)).catch(() => {})
    await removeDurably(path).catch(() => {})
    if (isDiskFull(error)) return diskFull
    throw error
  }
}

/** What only the job knows must outlive a power cut that takes it from the database. */
export const promiseOf = ({
  id,
  kind,
  model,
  language,
  prompt,
  keepRefined,
  refinement,
  batchId,
  createdAt,
}: JobRow) => ({
  jobId: id,
  kind,
  model,
  language,
  prompt,
  keepRefined,
  refinement,
  batchId,
  createdAt,
})

const NOTHING_ASKED = { flags: null, writingStyleId: null, useLlm: null, llmModel: null }

/** The job that a new capture waits for. */
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
  refinement: refine === null ? null : { ...NOTHING_ASKED, refine },
  batchId: null,
  createdAt: now,
  startedAt: null,
  finishedAt: null,
})

type Newborn = {
  incoming: Omit<IncomingAudio, 'path'>
  fields: Omit<CaptureFields, 'refine'>
  now: Date
  id?: string
}

/** A capture of which only the audio is known. */
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
    trashedAt: null,
    processingMs: { decode: null, transcribe: null, refine: null },
    segments: [],
    recordedAt: fields.recordedAt ?? now,
    createdAt: now,
    updatedAt: now,
    revision: 1,
  }
}

const diskFull = fail<IntakeFailure>({
  code: 'disk_full',
  message: 'The disk is almost full, so nothing was accepted. Make room and send the recording again.',
})

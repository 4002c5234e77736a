// Takes a recording into keeping: audio in its place, record beside it, then row and job, in this order.
// Receiving and recognising the audio came before (src/audio/incoming.ts); transcribing it is a job.

import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { countUnfinishedJobs } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import type { IncomingAudio } from '../audio/audio-file.ts'
import type { DecodeAhead } from '../audio/decode-ahead.ts'
import { LIVE_SUFFIX } from '../audio/incoming.ts'
import { withBallast } from '../lib/ballast.ts'
import { DatabaseAwayError } from '../lib/database-away.ts'
import { diskSpace, isDiskFull } from '../lib/disk-space.ts'
import { makeFolder, removeDurably, syncFolder } from '../lib/durable.ts'
import type { Log } from '../lib/log.ts'
import { persist } from '../lib/persist.ts'
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
  /**
   * The client has no copy: limits on new work do not apply, and after a failure the recording waits in the inbox until
   * it can be stored.
   */
  isOnlyCopy?: boolean
  /** when it was made; by default now */
  madeAt?: Date
}

export type NewCapture = {
  capture: Capture
  jobId: string
  /** false: the database is away, and capture and job appear in it when it is back */
  queued: boolean
}

export type RoomFailure = { code: 'queue_full' | 'disk_full'; message: string }
export type IntakeFailure = RoomFailure | { code: 'storage_unavailable'; message: string }

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
export async function checkDiskRoom(intake: Intake): Promise<Result<void, RoomFailure>> {
  checkOpen(intake)
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

/** Throws once the archive is closed: nothing may be stored after that. */
function checkOpen({ delivery }: Intake): void {
  if (delivery.closing.aborted) throw new DatabaseAwayError('the captures are closed')
}

/** Limits on new work do not apply to an only copy, which exists already. */
export const checkIntake = async (
  intake: Intake,
  { isOnlyCopy }: Pick<Intaken, 'isOnlyCopy'>,
): Promise<Result<void, IntakeFailure>> => {
  if (!isOnlyCopy) return checkDiskRoom(intake)
  checkOpen(intake)
  return succeed(undefined)
}

/**
 * Keeps a recording and queues its transcription. On a failure the incoming file is gone or still the caller's to
 * remove, unless it is an only copy. `queued` is false when the database failed after the record was written: the
 * recording is safe, and is indexed and queued as soon as the database lets it (or by the next start).
 */
export async function createCapture(
  intake: Intake,
  intaken: Intaken,
): Promise<Result<NewCapture, IntakeFailure>> {
  const { incoming, interrupted = false, madeAt = intake.clock() } = intaken
  const { refine, ...fields } = intaken.fields
  const room = await checkIntake(intake, intaken)
  if (!room.ok) return room
  intake.places.left--
  const error = interrupted ? UPLOAD_INTERRUPTED : null
  const capture = { ...newCapture({ incoming, fields, now: madeAt }), error }
  const job = firstJob(capture, madeAt, refine)
  const promised = refine === null ? null : promiseOf(job)
  const { kind, bytes } = incoming
  const onMoved = (path: string) => intake.decodeAhead({ path, bytes, kind })
  return takeIn(intake, intaken, capture.id, async () => {
    await putInPlace(intake, intaken, { record: { capture, promised, shelved: null }, onMoved })
    const queued = await enqueueFirst(intake, { capture, job })
    if (queued) intake.log.debug({ phase: 'committed', captureId: capture.id }, 'committed')
    return { capture, jobId: job.id, queued }
  })
}

/**
 * Does the work in the capture's turn. After a failure, the work on an only copy is repeated in the background, until it
 * succeeds or the captures are closed; the next start takes in what is left.
 */
export async function takeIn<T>(
  intake: Intake,
  { isOnlyCopy = false }: Intaken,
  id: string,
  work: () => Promise<T>,
): Promise<Result<T, IntakeFailure>> {
  const { dataFolder, delivery, log } = intake
  const inTurn = () =>
    intake.lock(id, () => {
      checkOpen(intake)
      return work()
    })
  try {
    return succeed(await (isOnlyCopy ? withBallast(dataFolder, inTurn) : inTurn()))
  } catch (error) {
    if (!isOnlyCopy && !isDiskFull(error)) throw error
    if (!isOnlyCopy) return diskFull
    const onFailure = (again: unknown) =>
      log.error(
        { captureId: id, reason: String(again) },
        'a recording waits in the inbox: it cannot be stored yet',
      )
    onFailure(error)
    const until = delivery.closing
    void persist(() => withBallast(dataFolder, inTurn), { until, onFailure, isRetry: true }).then(
      (stored) =>
        stored !== null && log.info({ captureId: id }, 'a recording that waited in the inbox is stored'),
    )
    return isDiskFull(error) ? waitingForRoom : waitingForStorage
  }
}

type Placing = {
  record: Pick<CaptureRecord, 'capture' | 'promised' | 'shelved'>
  /** the audio is where it stays, under this path, and the record is not written yet */
  onMoved?: (path: string) => void
}

/**
 * Moves the audio to where it stays and writes the record; in the capture's turn. After a failure neither is there; an
 * only copy is in the inbox again, or its record is there too, and the same call continues from either.
 */
export async function putInPlace(
  { dataFolder, log }: Intake,
  { incoming, isOnlyCopy = false }: Intaken,
  { record, onMoved }: Placing,
): Promise<void> {
  const { capture } = record
  const path = join(dataFolder, capture.audioPath)
  const said = (phase: string) => log.debug({ phase, captureId: capture.id }, phase)
  try {
    await makeFolder(folderOf(dataFolder, capture.id))
    // An earlier attempt may have moved it. Made durable by the sync of the same folder that ends the writing of the record.
    if (existsSync(incoming.path) || !existsSync(path)) await rename(incoming.path, path)
    said('moved')
    onMoved?.(path)
    await writeRecord(dataFolder, { ...newRecord(capture), ...record })
    // Its old name would make another capture of it at the next start, even where this one was deleted meanwhile.
    if (incoming.path.endsWith(LIVE_SUFFIX)) await syncFolder(dirname(incoming.path))
    said('journaled')
  } catch (error) {
    const recordPath = recordPathOf(dataFolder, capture.id)
    if (isOnlyCopy) {
      // Where that fails, too, the next start finds audio without a record, which it adopts as well.
      if (!existsSync(recordPath)) await rename(path, incoming.path).catch(() => {})
      throw error
    }
    // Not acknowledged, so it must not come back as a capture at the next start.
    await removeDurably(recordPath).catch(() => {})
    await removeDurably(path).catch(() => {})
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

const diskFull = fail<RoomFailure>({
  code: 'disk_full',
  message: 'The disk is almost full, so nothing was accepted. Make room and send the recording again.',
})

const waitingFor = (code: IntakeFailure['code'], problem: string, until: string) =>
  fail<IntakeFailure>({
    code,
    message: `${problem}. The recording is safe in its inbox and becomes a capture as soon as ${until}; do not send it again.`,
  })
const waitingForRoom = waitingFor('disk_full', 'The disk is full', 'there is room')
const waitingForStorage = waitingFor(
  'storage_unavailable',
  'The server cannot write to its data folder',
  'it can be stored',
)

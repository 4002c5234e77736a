// The jobs of a capture, as transactions: queue one, begin it, store its outcome, put it back, fail it.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { noteUncopied, setCaptureStatus } from '../../db/captures.ts'
import type { Orm } from '../../db/database.ts'
import { endJob, insertJob, type JobEnd, requeueJobs, startJob } from '../../db/jobs.ts'
import type { JobRow, StoredRefinement } from '../../db/schema.ts'
import type { DictatedTranscript } from '../dictation/dictation.ts'
import type { Log } from '../lib/log.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { newId } from '../lib/uuid.ts'
import type { Warning } from '../lib/warning.ts'
import type { Store } from '../store/store.ts'
import type { Refined } from '../writing/refined.ts'
import {
  type AnnouncedEvent,
  type BegunJob,
  type Capture,
  type CaptureError,
  captureNotFound,
  countWords,
  type Delivery,
  type JobKey,
  publishChange,
  publishJobState,
} from './capture.ts'
import {
  type Archive,
  type CaptureChange,
  type Current,
  changeCapture,
  currentState,
  JobOverError,
  type Replacement,
  refuseUnread,
} from './change-capture.ts'
import { checkDiskRoom, type Intake } from './create-capture.ts'
import { jobOf } from './new-capture.ts'
import type { RecordedJob } from './record.ts'

export type QueueFailure = {
  code: 'capture_not_found' | 'capture_busy' | 'capture_in_trash' | 'queue_full' | 'disk_full'
  message: string
  /** the conflicting job */
  conflictingId?: string
}

type Ask<F> = {
  /** a reason not to queue the job */
  refuse(current: Current): F | null
  job: Omit<RecordedJob, 'jobId' | 'createdAt'>
  /** the state of a capture without a transcript, which shows what it waits for */
  change: CaptureChange
}

/** Returns the id of the job. */
async function queueJob<F>(
  intake: Intake,
  id: string,
  { refuse, job: requested, change }: Ask<F>,
): Promise<Result<{ jobId: string }, QueueFailure | F>> {
  return intake.lock(id, async () => {
    const current = await currentState(intake, id)
    if (current === null) return fail(captureNotFound(id))
    refuseUnread(current)
    const refusal = refuse(current) ?? inTrash(current) ?? busyWith(current)
    if (refusal !== null) return fail(refusal)
    const room = await checkDiskRoom(intake)
    if (!room.ok) return room
    intake.places.left--

    const now = intake.clock()
    const job = jobOf(id, { ...requested, jobId: newId(now), createdAt: now })
    const enqueue = async (tx: Orm) => {
      await insertJob(tx, job)
      await intake.delivery.send(tx, [job])
    }
    if (current.capture.status === 'completed') {
      await intake.database.transaction(async (tx) => {
        await enqueue(tx)
        await noteUncopied(tx, [id])
      })
      intake.copies.wake()
    } else await changeCapture(intake, { current, change, alongside: enqueue })
    publishJobState(intake, job, 'waiting')
    intake.delivery.wake()
    return succeed({ jobId: job.id })
  })
}

const inTrash = ({ capture }: Current): QueueFailure | null =>
  capture.trashedAt && {
    code: 'capture_in_trash',
    message: `Capture ${capture.id} is in the trash. Restore it first.`,
    conflictingId: capture.id,
  }

const busyWith = ({ job }: Current): QueueFailure | null =>
  job && {
    code: 'capture_busy',
    message: `Job ${job.id} already works on this capture. Wait for it or cancel it.`,
    conflictingId: job.id,
  }

export type RetranscribeRequest = {
  /** null: the best model when the job runs */
  model: string | null
  /** ISO 639-1; null is automatic */
  language: string | null
  prompt: string | null
  /** whether the earlier refined text stays on top of the new transcript */
  keepRefined: boolean
  /** null: as in the settings when the job runs */
  refinement?: StoredRefinement | null
  /** the batch that requested it */
  batchId?: string | null
}

export type RetranscribeFailure = QueueFailure | { code: 'audio_gone'; message: string }

/** Returns the id of the job. */
export const retranscribeCapture = (
  intake: Intake,
  id: string,
  { refinement = null, batchId = null, ...requested }: RetranscribeRequest,
): Promise<Result<{ jobId: string }, RetranscribeFailure>> => {
  const { model, language } = requested
  return queueJob(intake, id, {
    refuse: ({ capture }) => (isAudioThere(intake.store, capture) ? null : AUDIO_GONE),
    job: { kind: 'retranscribe', ...requested, refinement, batchId },
    change: { status: 'pending', error: null, sttModel: model, language },
  })
}

/** The user may have removed a file of the data folder. */
const isAudioThere = ({ address, folder }: Store, { audioAvailable, audioPath }: Capture): boolean =>
  address === null ? existsSync(join(folder, audioPath)) : audioAvailable

const AUDIO_GONE = {
  code: 'audio_gone' as const,
  message: 'The audio of this capture is gone; only its text is left.',
}

export type RefineRequest = Omit<StoredRefinement, 'refine'>
export type RefineFailure = QueueFailure | { code: 'capture_has_no_text'; message: string }

/** Returns the id of the job. */
export const queueRefinement = (
  intake: Intake,
  id: string,
  requested: RefineRequest,
): Promise<Result<{ jobId: string }, RefineFailure>> =>
  queueJob(intake, id, {
    refuse: ({ capture, job }) =>
      job !== null || capture.status === 'completed'
        ? null
        : { code: 'capture_has_no_text' as const, message: whyThereIsNone(capture) },
    job: {
      kind: 'refine',
      model: null,
      language: null,
      prompt: null,
      keepRefined: false,
      batchId: null,
      refinement: { refine: true, ...requested },
    },
    change: {},
  })

const whyThereIsNone = ({ status, error }: Capture): string => {
  const why = error === null ? '' : ` ${error.message}`
  return `The capture is ${status}, so that there is no text to refine.${why} Transcribe it again first.`
}

export type JobWorkDeps = Archive & { delivery: Delivery; log: Log }

/** A job to run, with its capture in its current state. */
export type JobWork = { job: JobRow; capture: Capture }

/** Starts a job and counts the attempt; null if there is nothing left to do. */
export async function beginJob(deps: JobWorkDeps, { id, captureId }: JobKey): Promise<JobWork | null> {
  const { database, clock } = deps
  return deps.lock(captureId, async () => {
    const job = await database.run((orm) => startJob(orm, id, clock()))
    const current = job && (await currentState(deps, captureId))
    if (job === null || current === null) return null
    const { capture } = current
    if (capture.status === 'transcribing') publishChange(deps, capture)
    publishJobState(deps, job, 'active')
    return { job, capture }
  })
}

/** `refined` is null if the text stays as the dictionary left it. */
export type Transcribed = {
  transcript: DictatedTranscript
  refined: Refined | null
  /** requested options that could not be applied */
  warnings: Warning[]
}

/** False if the job was cancelled or restarted meanwhile; nothing is written then. */
export const completeTranscription = (
  deps: JobWorkDeps,
  key: BegunJob,
  transcribed: Transcribed,
): Promise<boolean> =>
  completeJob(deps, key, (current, job) => ({
    event: 'capture.completed',
    change: transcriptOf(current.capture, job, transcribed),
    replacement: { at: deps.clock(), by: 'server' },
    warnings: transcribed.warnings,
  }))

/** The same for a refinement. */
export const completeRefinement = (deps: JobWorkDeps, key: BegunJob, refined: Refined): Promise<boolean> =>
  completeJob(deps, key, ({ capture }) => {
    const former = capture.transcriptRefined
    // The replaced text may be the user's.
    const isRewritten = former !== null && former !== refined.text
    return {
      event: 'capture.refined',
      change: refinedAs(capture, refined),
      warnings: refined.warnings,
      replacement: isRewritten ? { at: deps.clock(), by: 'server' } : undefined,
    }
  })

function transcriptOf(before: Capture, job: JobRow, { transcript, refined }: Transcribed): CaptureChange {
  const { text, engineText, segments, language, languageProbability, model, durationMs } = transcript
  const keepsRefined = job.keepRefined && before.transcriptRefined !== null
  const change: CaptureChange = {
    status: 'completed',
    // An interrupted recording stays marked, whatever its text is.
    error: before.error?.code === 'upload_interrupted' ? before.error : null,
    language: job.language,
    detectedLanguage: language,
    languageProbability,
    durationMs: Math.round(durationMs),
    transcriptRaw: text,
    transcriptEngine: engineText,
    sttModel: model,
    corrections: transcript.corrections,
    processingMs: { ...transcript.processingMs, refine: keepsRefined ? before.processingMs.refine : null },
    segments,
    ...(keepsRefined ? { wordCount: countWords(before.transcriptRefined ?? text) } : unrefined(text)),
  }
  if (keepsRefined || refined === null) return change
  return { ...change, ...refinedAs({ ...before, ...change }, refined) }
}

const unrefined = (text: string) => ({
  transcriptRefined: null,
  refinementStatus: 'none' as const,
  refinementFlags: null,
  llmModel: null,
  wordCount: countWords(text),
})

const refinedAs = ({ processingMs }: Pick<Capture, 'processingMs'>, refined: Refined): CaptureChange => ({
  transcriptRefined: refined.text,
  refinementStatus: refined.status,
  refinementFlags: refined.flags,
  writingStyleId: refined.writingStyleId,
  llmModel: refined.llmModel,
  wordCount: countWords(refined.text),
  processingMs: { ...processingMs, refine: Math.round(refined.ms) },
})

type Outcome = {
  event: AnnouncedEvent
  change: CaptureChange
  replacement: Replacement | undefined
  warnings: Warning[]
}

async function completeJob(
  deps: JobWorkDeps,
  key: BegunJob,
  outcomeOf: (current: Current, job: JobRow) => Outcome,
): Promise<boolean> {
  const completed = await inTurn(deps, key, async (current, job) => {
    if (job.state !== 'active') return null
    const { event, warnings, ...outcome } = outcomeOf(current, job)
    const capture = await changeCapture(deps, {
      current,
      ...outcome,
      ended: endOf(deps, key, { state: 'completed', error: null, warnings }),
      alongside: endingDelivery(deps, key, event),
    })
    return { capture, warnings }
  })
  if (completed === null) return false
  deps.log.debug({ phase: 'result_committed', jobId: key.id }, 'result_committed')
  publishJobState(deps, key, 'completed')
  deps.delivery.ended(key.id, completed)
  return true
}

const endOf = (
  { clock }: JobWorkDeps,
  { id, attempts }: BegunJob,
  end: Pick<JobEnd, 'state' | 'error' | 'warnings'>,
): JobEnd => ({ id, ...end, now: clock(), attempt: attempts })

/** The writes that are committed with the end of a job. */
function endingDelivery(
  { delivery, announcing }: JobWorkDeps,
  { id, captureId }: JobKey,
  event: AnnouncedEvent,
): (tx: Orm) => Promise<void> {
  const announce = announcing({ event, captureId })
  return async (tx) => {
    await delivery.withdraw(tx, id)
    await announce?.(tx)
  }
}

/** Shows that the transcript exists and is being refined, if nothing was shown before. */
export async function showRefining(deps: JobWorkDeps, { captureId }: JobKey): Promise<void> {
  const shown = await deps.database.run((orm) =>
    setCaptureStatus(orm, { ids: [captureId], from: ['transcribing'], to: 'refining' }),
  )
  if (shown) publishChange(deps, { id: captureId, status: 'refining' })
}

/** Fails the job for good. An earlier transcript stays, and so does the capture's state. */
export async function failJob(deps: JobWorkDeps, key: BegunJob, error: CaptureError): Promise<void> {
  const ended = endOf(deps, key, { state: 'failed', error })
  const failed = await inTurn(deps, key, async (current) => {
    if (current.capture.status !== 'completed')
      return changeCapture(deps, {
        current,
        change: { status: 'failed', error },
        ended,
        alongside: endingDelivery(deps, key, 'capture.failed'),
      })
    await deps.database.transaction(async (tx) => {
      if (!(await endJob(tx, ended))) throw new JobOverError()
      await deps.delivery.withdraw(tx, key.id)
      await noteUncopied(tx, [key.captureId])
    })
    deps.copies.wake()
    return current.capture
  })
  if (failed === null) return
  publishJobState(deps, key, 'failed')
  deps.delivery.ended(key.id, { capture: failed, warnings: [] })
}

/**
 * Returns the job to the queue; false if the job has ended or another attempt has started. The attempt counts if the
 * job itself may have caused the stop.
 */
export async function putJobBack(
  deps: JobWorkDeps,
  key: BegunJob,
  { countAttempt }: { countAttempt: boolean },
): Promise<boolean> {
  const isPending = await inTurn(deps, key, ({ capture }) =>
    deps.database.transaction(async (tx) => {
      await requeueJobs(tx, [key.id], countAttempt)
      await deps.delivery.retry(tx, key.id)
      return setCaptureStatus(tx, { ids: [capture.id], from: ['transcribing', 'refining'], to: 'pending' })
    }),
  )
  if (isPending) publishChange(deps, { id: key.captureId, status: 'pending' })
  if (isPending === null) return false
  publishJobState(deps, key, 'waiting')
  return true
}

/** In the turn of the job's capture; null if job or capture are gone, or another attempt has started. */
async function inTurn<T>(
  deps: JobWorkDeps,
  { id, captureId, attempts }: BegunJob,
  work: (current: Current, job: JobRow) => Promise<T>,
): Promise<T | null> {
  return deps.lock(captureId, async () => {
    const current = await currentState(deps, captureId)
    const job = current?.job
    if (!current || job?.id !== id || job.attempts !== attempts) return null
    try {
      return await work(current, job)
    } catch (error) {
      if (error instanceof JobOverError) return null
      throw error
    }
  })
}

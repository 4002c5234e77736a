// The effect of every job on its capture: start, fail, return to the queue, and write the outcome.

import { join } from 'node:path'
import { noteUncopied, setCaptureStatus } from '../../db/captures.ts'
import type { Orm } from '../../db/database.ts'
import { endJob, type JobEnd, requeueJobs, startJob } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import type { DictatedTranscript } from '../dictation/dictation.ts'
import type { Log } from '../lib/log.ts'
import type { Refined } from '../writing/refined.ts'
import type { Capture, CaptureError } from './capture.ts'
import { type AnnouncedEvent, tellChanged, tellJob } from './capture-events.ts'
import {
  type Archive,
  type CaptureChange,
  type Current,
  changeCapture,
  currentState,
  JobOverError,
} from './change-capture.ts'
import type { BegunJob, Delivery, JobKey } from './delivery.ts'
import type { Replacement } from './versions.ts'
import { countWords } from './words.ts'

export type JobWorkDeps = Archive & { delivery: Delivery; log: Log }

/** A job to run, with its capture in its current state. */
export type JobWork = { job: JobRow; capture: Capture; audioFile: string }

/** Starts a job and counts the attempt; null if there is nothing left to do. */
export async function beginJob(deps: JobWorkDeps, { id, captureId }: JobKey): Promise<JobWork | null> {
  const { database, dataFolder, clock } = deps
  return deps.lock(captureId, async () => {
    const job = await database.run((orm) => startJob(orm, id, clock()))
    const current = job && (await currentState(deps, captureId))
    if (job === null || current === null) return null
    const { capture } = current
    if (capture.status === 'transcribing') tellChanged(deps, capture)
    tellJob(deps, job, 'active')
    return { job, capture, audioFile: join(dataFolder, capture.audioPath) }
  })
}

/** `refined` is null if the text stays as the dictionary left it. */
export type Transcribed = { heard: DictatedTranscript; refined: Refined | null }

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
      replacement: isRewritten ? { at: deps.clock(), by: 'server' } : undefined,
    }
  })

function transcriptOf(before: Capture, job: JobRow, { heard, refined }: Transcribed): CaptureChange {
  const { text, engineText, segments, language, languageProbability, model, durationMs } = heard
  const keepsRefined = job.keepRefined && before.transcriptRefined !== null
  const change: CaptureChange = {
    status: 'completed',
    // A recording that broke off stays marked, whatever its text is.
    error: before.error?.code === 'upload_interrupted' ? before.error : null,
    language: job.language,
    detectedLanguage: language,
    languageProbability,
    durationMs: Math.round(durationMs),
    transcriptRaw: text,
    transcriptEngine: engineText,
    sttModel: model,
    corrections: heard.corrections,
    processingMs: { ...heard.processingMs, refine: keepsRefined ? before.processingMs.refine : null },
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

type Outcome = { event: AnnouncedEvent; change: CaptureChange; replacement: Replacement | undefined }

async function completeJob(
  deps: JobWorkDeps,
  key: BegunJob,
  outcomeOf: (current: Current, job: JobRow) => Outcome,
): Promise<boolean> {
  const completed = await inTurn(deps, key, async (current, job) => {
    if (job.state !== 'active') return null
    const { event, ...outcome } = outcomeOf(current, job)
    return changeCapture(deps, {
      current,
      ...outcome,
      ended: endOf(deps, key, { state: 'completed', error: null }),
      alongside: endingDelivery(deps, key, event),
    })
  })
  if (completed === null) return false
  deps.log.debug({ phase: 'result_committed', jobId: key.id }, 'result_committed')
  tellJob(deps, key, 'completed')
  deps.delivery.ended(key.id, completed)
  return true
}

const endOf = (
  { clock }: JobWorkDeps,
  { id, attempts }: BegunJob,
  end: Pick<JobEnd, 'state' | 'error'>,
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
  if (shown) tellChanged(deps, { id: captureId, status: 'refining' })
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
  tellJob(deps, key, 'failed')
  deps.delivery.ended(key.id, failed)
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
  if (isPending) tellChanged(deps, { id: key.captureId, status: 'pending' })
  if (isPending === null) return false
  tellJob(deps, key, 'waiting')
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

// What every job does to its capture: begin, fail, be put back; and how an outcome is written.
// What the outcomes are is transcription-outcome.ts and refinement-outcome.ts; the jobs themselves are in src/jobs.

import { join } from 'node:path'
import { saveCapture, setCaptureStatus } from '../../db/captures.ts'
import type { Orm } from '../../db/database.ts'
import { endJob, type JobEnd, requeueJobs, startJob } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import type { Log } from '../lib/log.ts'
import type { Capture, CaptureError, CaptureVersion } from './capture.ts'
import { type AnnouncedEvent, tellChanged, tellJob } from './capture-events.ts'
import {
  type Archive,
  type CaptureChange,
  type Current,
  changeCapture,
  currentState,
  JobOverError,
  notePromise,
  stateOf,
} from './change-capture.ts'
import type { BegunJob, Delivery, JobKey } from './delivery.ts'
import { toRow } from './index-row.ts'
import { type CaptureRecord, isKept, readRecord } from './record.ts'

export type JobWorkDeps = Archive & { delivery: Delivery; log: Log }

/** A job that is to be done, and its capture as it stands. */
export type JobWork = { job: JobRow; capture: Capture; audioFile: string }

/** Takes a job up and counts the attempt; null when there is nothing to do any more. */
export async function beginJob(deps: JobWorkDeps, { id, captureId }: JobKey): Promise<JobWork | null> {
  const { database, dataFolder, clock } = deps
  return deps.lock(captureId, async () => {
    // What the rows say of the beginning is set right at the next start when the process dies after it.
    const job = await database.run((orm) => startJob(orm, id, clock()))
    if (job === null) return null
    const current = await recordOrRow(deps, captureId)
    if (current === null) return null
    if (current.lastJobId === id) {
      await commitJournaled(deps, current, id)
      return null
    }
    const { capture } = current
    if (capture.status === 'pending') tellChanged(deps, { id: captureId, status: 'transcribing' })
    tellJob(deps, job, 'active')
    return { job, capture, audioFile: join(dataFolder, capture.audioPath) }
  })
}

/** The record, which is read faster than its row; the row where the record is spoiled. */
async function recordOrRow(deps: JobWorkDeps, id: string): Promise<CaptureRecord | null> {
  const record = await readRecord(deps.dataFolder, id)
  return isKept(record) ? record : stateOf(deps, id, record)
}

/** The outcome was written, and then the process died before the index followed. */
async function commitJournaled(deps: JobWorkDeps, { capture }: CaptureRecord, jobId: string): Promise<void> {
  const state = capture.status === 'failed' || capture.status === 'canceled' ? capture.status : 'completed'
  const error = state === 'completed' ? null : capture.error
  const ended: JobEnd = { id: jobId, state, error, now: deps.clock() }
  await deps.database.transaction(async (tx) => {
    await endJob(tx, ended)
    await saveCapture(tx, toRow(capture))
    await deps.delivery.withdraw(tx, jobId)
  })
  tellChanged(deps, capture)
  tellJob(deps, { id: jobId, captureId: capture.id }, state)
  deps.delivery.ended(jobId, capture)
}

type Outcome = { event: AnnouncedEvent; change: CaptureChange; versions?: CaptureVersion[] }

/** False when the job was cancelled or begun again meanwhile, and then nothing is written. */
export async function completeJob(
  deps: JobWorkDeps,
  key: BegunJob,
  outcomeOf: (current: Current, job: JobRow) => Outcome,
): Promise<boolean> {
  const jobId = key.id
  const completed = await inTurn(deps, key, async (current, job) => {
    if (job.state !== 'active') return null
    const { event, ...outcome } = outcomeOf(current, job)
    return changeCapture(deps, {
      current,
      ...outcome,
      ended: { id: jobId, state: 'completed', error: null, now: deps.clock(), attempt: key.attempts },
      lastBatchId: job.batchId,
      onJournaled: () => deps.log.debug({ phase: 'result_journaled', jobId }, 'result_journaled'),
      alongside: endingDelivery(deps, key, event),
    })
  })
  if (completed === null) return false
  tellJob(deps, key, 'completed')
  deps.delivery.ended(jobId, completed)
  return true
}

/** What is committed with the end of a job. */
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

/** Shows that the text is there and being refined, where nothing was shown before. */
export async function showRefining(deps: JobWorkDeps, { captureId }: JobKey): Promise<void> {
  const shown = await deps.database.run((orm) =>
    setCaptureStatus(orm, { ids: [captureId], from: ['transcribing'], to: 'refining' }),
  )
  if (shown) tellChanged(deps, { id: captureId, status: 'refining' })
}

/** The job has failed for good. A transcript that was there before stays, and the capture with it. */
export async function failJob(deps: JobWorkDeps, key: BegunJob, error: CaptureError): Promise<void> {
  const end = { id: key.id, state: 'failed' as const, error, now: deps.clock(), attempt: key.attempts }
  const failed = await inTurn(deps, key, async (current) => {
    if (current.capture.status === 'completed') {
      await notePromise(deps, current, null)
      await deps.database.transaction(async (tx) => {
        if (!(await endJob(tx, end))) throw new JobOverError()
        await deps.delivery.withdraw(tx, key.id)
      })
      return current.capture
    }
    return changeCapture(deps, {
      current,
      change: { status: 'failed', error },
      ended: end,
      alongside: endingDelivery(deps, key, 'capture.failed'),
    })
  })
  if (failed === null) return
  tellJob(deps, key, 'failed')
  deps.delivery.ended(key.id, failed)
}

/** Back into the queue. The attempt counts when the job itself may have been the cause of the stop. */
export async function putJobBack(
  deps: JobWorkDeps,
  key: BegunJob,
  { countAttempt }: { countAttempt: boolean },
): Promise<void> {
  const isPending = await inTurn(deps, key, ({ capture }) =>
    deps.database.transaction(async (tx) => {
      await requeueJobs(tx, [key.id], countAttempt)
      await deps.delivery.retry(tx, key.id)
      return setCaptureStatus(tx, { ids: [capture.id], from: ['transcribing', 'refining'], to: 'pending' })
    }),
  )
  if (isPending) tellChanged(deps, { id: key.captureId, status: 'pending' })
  if (isPending !== null) tellJob(deps, key, 'waiting')
}

/** In the turn of the job's capture; null when job or capture are gone, or another attempt was begun. */
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

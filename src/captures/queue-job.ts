// Queues another job for a stored capture: a retranscription or a refinement. The current text stays until the job is
// done (job-work.ts).

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { noteUncopied } from '../../db/captures.ts'
import type { Orm } from '../../db/database.ts'
import { insertJob } from '../../db/jobs.ts'
import type { JobRow, StoredRefinement } from '../../db/schema.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { newId } from '../lib/uuid.ts'
import type { Capture } from './capture.ts'
import { tellJob } from './capture-events.ts'
import {
  type CaptureChange,
  type Current,
  changeCapture,
  currentState,
  refuseUnread,
} from './change-capture.ts'
import { checkDiskRoom, firstJob, type Intake } from './create-capture.ts'
import { captureNotFound } from './not-found.ts'
import type { PromisedJob } from './record.ts'

export type QueueFailure = {
  code: 'capture_not_found' | 'capture_busy' | 'capture_in_trash' | 'queue_full' | 'disk_full'
  message: string
  /** the conflicting job */
  conflictingId?: string
}

type Ask<F> = {
  /** a reason not to queue the job */
  refuse(current: Current): F | null
  job: Omit<PromisedJob, 'jobId' | 'createdAt'>
  /** the state of a capture without a transcript, which shows what it waits for */
  change: CaptureChange
}

/** Returns the id of the job. */
export async function queueJob<F>(
  intake: Intake,
  id: string,
  { refuse, job: asked, change }: Ask<F>,
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
    const job = jobOf(id, { ...asked, jobId: newId(now), createdAt: now })
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
    tellJob(intake, job, 'waiting')
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

/** A job in its initial state. */
export const jobOf = (captureId: string, { jobId, ...asked }: PromisedJob): JobRow => ({
  ...firstJob({ id: captureId, sttModel: asked.model, language: asked.language }, asked.createdAt),
  ...asked,
  id: jobId,
})

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
  { refinement = null, batchId = null, ...asked }: RetranscribeRequest,
): Promise<Result<{ jobId: string }, RetranscribeFailure>> => {
  const { model, language } = asked
  return queueJob(intake, id, {
    refuse: ({ capture }) => (existsSync(join(intake.dataFolder, capture.audioPath)) ? null : AUDIO_GONE),
    job: { kind: 'retranscribe', ...asked, refinement, batchId },
    change: { status: 'pending', error: null, sttModel: model, language },
  })
}

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
  asked: RefineRequest,
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
      refinement: { refine: true, ...asked },
    },
    change: {},
  })

const whyThereIsNone = ({ status, error }: Capture): string => {
  const why = error === null ? '' : ` ${error.message}`
  return `The capture is ${status}, so that there is no text to refine.${why} Transcribe it again first.`
}

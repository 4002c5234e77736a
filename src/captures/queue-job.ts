// Queues one more job for a capture that is kept, and writes down that it was promised.
// Which job that is, and whether the capture is fit for it, its callers say.

import type { Orm } from '../../db/database.ts'
import { insertJob } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { newId } from '../lib/uuid.ts'
import { tellJob } from './capture-events.ts'
import {
  type CaptureChange,
  type Current,
  changeCapture,
  currentState,
  notePromise,
} from './change-capture.ts'
import { checkDiskRoom, firstJob, type Intake } from './create-capture.ts'
import { captureNotFound } from './not-found.ts'
import type { PromisedJob } from './record.ts'

export type QueueFailure = {
  code: 'capture_not_found' | 'capture_busy' | 'capture_in_trash' | 'queue_full' | 'disk_full'
  message: string
  /** the job that stands in the way */
  conflictingId?: string
}

type Ask<F> = {
  /** a reason not to queue it */
  refuse(current: Current): F | null
  job: Omit<PromisedJob, 'jobId' | 'createdAt'>
  /** of a capture that has no transcript yet, so that it shows what it waits for */
  change: CaptureChange
}

/** The id of the job. */
export async function queueJob<F>(
  intake: Intake,
  id: string,
  { refuse, job: asked, change }: Ask<F>,
): Promise<Result<{ jobId: string }, QueueFailure | F>> {
  return intake.lock(id, async () => {
    const current = await currentState(intake, id)
    if (current === null) return fail(captureNotFound(id))
    const refusal = refuse(current) ?? inTrash(current) ?? busyWith(current)
    if (refusal !== null) return fail(refusal)
    const room = await checkDiskRoom(intake)
    if (!room.ok) return room
    intake.places.left--

    const now = intake.clock()
    const promised = { ...asked, jobId: newId(now), createdAt: now }
    const job = promisedJob(id, promised)
    const enqueue = async (tx: Orm) => {
      await insertJob(tx, job)
      await intake.delivery.send(tx, [job])
    }
    if (current.capture.status === 'completed') {
      await notePromise(intake, current, promised)
      await intake.database.transaction(enqueue)
    } else await changeCapture(intake, { current, change, promised, alongside: enqueue })
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

/** The job that keeps a promise, as it was first queued. */
export const promisedJob = (captureId: string, { jobId, ...asked }: PromisedJob): JobRow => ({
  ...firstJob({ id: captureId, sttModel: asked.model, language: asked.language }, asked.createdAt),
  ...asked,
  id: jobId,
})

// Moves captures into the trash and restores them.

import { insertJob } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import { withDiskReserve } from '../lib/disk-reserve.ts'
import { newId } from '../lib/uuid.ts'
import { canceledEnd } from './cancel-capture.ts'
import { type Capture, UNHEARD } from './capture.ts'
import { tellJob } from './capture-events.ts'
import { type Current, changeCapture, currentState } from './change-capture.ts'
import { firstJob, type Intake } from './create-capture.ts'
import { jobOf } from './queue-job.ts'
import { requestOf } from './record.ts'

/**
 * Null if there is no such capture. A capture that is already in the trash stays unchanged. Cancels its job, as a
 * cancel request does. Works on a full disk.
 */
export async function trashCapture(intake: Intake, id: string): Promise<Capture | null> {
  return intake.lock(id, () =>
    withDiskReserve(intake.dataFolder, async () => {
      const current = await currentState(intake, id)
      if (current === null || current.capture.trashedAt !== null) return current?.capture ?? null
      const { job, capture } = current
      const trashedAt = intake.clock()
      if (job === null) return changeCapture(intake, { current, change: { trashedAt } })
      const isTranscribed = capture.status === 'completed'
      const untranscribed = { status: 'canceled' as const, error: capture.error ?? UNHEARD }
      const trashed = await changeCapture(intake, {
        current,
        change: { trashedAt, ...(!isTranscribed && untranscribed) },
        ended: canceledEnd(job, trashedAt),
        ...(!isTranscribed && { shelved: requestOf(job) }),
        alongside: (tx) => intake.delivery.withdraw(tx, job.id),
      })
      tellJob(intake, job, 'canceled')
      intake.delivery.ended(job.id, trashed)
      return trashed
    }),
  )
}

/** Null if there is no such capture; a capture that is not in the trash stays unchanged. */
export async function restoreCapture(intake: Intake, id: string): Promise<Capture | null> {
  return intake.lock(id, async () => {
    const current = await currentState(intake, id)
    if (current === null || current.capture.trashedAt === null) return current?.capture ?? null
    const { capture } = current
    // A capture that the user cancelled has no error.
    const isUnheard = capture.status === 'canceled' && capture.error !== null
    if (!isUnheard) return changeCapture(intake, { current, change: { trashedAt: null } })
    const error = capture.error?.code === UNHEARD.code ? null : capture.error
    // Ignores the limit of the queue: a capture that was accepted before is not rejected now.
    intake.places.left--
    const job = jobAgain(current, intake.clock())
    const restored = await changeCapture(intake, {
      current,
      change: { trashedAt: null, status: 'pending', error },
      shelved: null,
      alongside: async (tx) => {
        await insertJob(tx, job)
        await intake.delivery.send(tx, [job])
      },
    })
    tellJob(intake, job, 'waiting')
    intake.delivery.wake()
    return restored
  })
}

/** The job with all of its options; earlier versions stored none of them. */
const jobAgain = ({ capture, shelved }: Current, now: Date): JobRow =>
  shelved === null
    ? firstJob(capture, now)
    : jobOf(capture.id, { ...shelved, batchId: null, jobId: newId(now), createdAt: now })

// Puts captures into the trash and takes them out again.
// Emptying it after some days is retention; removing a capture for good is remove-capture.ts.

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
 * Null where there is no such capture. One that is in the trash already stays as it is. Work on it is cancelled, as it
 * would be by a person. Works on a full disk, too.
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

/** Null where there is no such capture; one that is not in the trash stays as it is. */
export async function restoreCapture(intake: Intake, id: string): Promise<Capture | null> {
  return intake.lock(id, async () => {
    const current = await currentState(intake, id)
    if (current === null || current.capture.trashedAt === null) return current?.capture ?? null
    const { capture } = current
    // What a person cancelled carries no error.
    const isUnheard = capture.status === 'canceled' && capture.error !== null
    if (!isUnheard) return changeCapture(intake, { current, change: { trashedAt: null } })
    const error = capture.error?.code === UNHEARD.code ? null : capture.error
    // However full the queue is: one that was taken in before is not refused now.
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

/** With all that was asked of it; earlier versions of this program stored none of that. */
const jobAgain = ({ capture, shelved }: Current, now: Date): JobRow =>
  shelved === null
    ? firstJob(capture, now)
    : jobOf(capture.id, { ...shelved, batchId: null, jobId: newId(now), createdAt: now })

// The trash, and removing captures for good or their audio alone; stores what the statistics need.
// The rows are deleted first, in one transaction; the next start erases files that a crash left (recovery.ts).

import { buryCaptures, findDeleted } from '../../db/captures.ts'
import { insertJob } from '../../db/jobs.ts'
import { removeQuarantined } from '../../db/quarantine.ts'
import type { DeletedCaptureRow, JobRow } from '../../db/schema.ts'
import { withDiskReserve } from '../lib/disk-space.ts'
import { isId, newId } from '../lib/uuid.ts'
import { type Capture, type Delivery, publishJobState, TRASHED_UNTRANSCRIBED } from './capture.ts'
import { toRemains } from './capture-index.ts'
import { type Archive, type Current, canceledEnd, changeCapture, currentState } from './change-capture.ts'
import type { Intake } from './create-capture.ts'
import { eraseFiles } from './erase-files.ts'
import { firstJob, jobOf } from './new-capture.ts'
import { requestOf } from './record.ts'

type Deps = Archive & { delivery: Delivery }

type IsMeant = (current: Current) => boolean

/**
 * False if there is no such capture, or if `isMeant` rejects its state when its turn comes. Cancels a job on it. Works
 * on a full disk.
 * @throws if the disk fails. The capture is gone by then; a file that could not be erased is erased when the request is
 * repeated, or at the next start.
 */
export async function removeCapture(deps: Deps, id: string, isMeant: IsMeant = () => true): Promise<boolean> {
  if (!isId(id)) return false
  return deps.lock(id, () => withDiskReserve(deps.dataFolder, () => removeInTurn(deps, id, isMeant)))
}

async function removeInTurn(deps: Deps, id: string, isMeant: IsMeant): Promise<boolean> {
  const { database, dataFolder, delivery } = deps
  const current = await currentState(deps, id)
  if (current === null) {
    const deleted = await database.run((orm) => findDeleted(orm, id))
    if (deleted === null || deleted.audioPath === null) return false
    await eraseOrRetry(deps, deleted)
    return true
  }
  if (!isMeant(current)) return false
  // First, so that a crash leaves none of its text there.
  await removeQuarantined(dataFolder)
  const { capture, job } = current
  const remains = toRemains(capture, deps.clock())
  const announce = deps.announcing({ event: 'capture.deleted', captureId: id })
  await database.transaction(async (tx) => {
    // The job's row is deleted with the row of its capture.
    if (job !== null) await delivery.withdraw(tx, job.id)
    await buryCaptures(tx, [remains])
    await announce?.(tx)
  })
  if (job !== null) {
    publishJobState(deps, job, 'canceled')
    delivery.ended(job.id, { capture: null, warnings: [] })
  }
  deps.publish({ name: 'capture.deleted', captureId: id, status: null })
  await eraseOrRetry(deps, remains)
  return true
}

/** A shared store may be away; the files are then erased when it is back. The copies do it, as they retry anyway. */
async function eraseOrRetry(deps: Deps, remains: DeletedCaptureRow): Promise<void> {
  if (deps.store.address === null) await eraseFiles(deps, remains)
  else deps.copies.wake()
}

/**
 * Removes the audio for good; the text stays. False as in `removeCapture`. The file is erased first: a crash leaves a
 * capture with missing audio, which the next start marks.
 */
export async function removeAudio(archive: Archive, id: string, isMeant: IsMeant): Promise<boolean> {
  return archive.lock(id, () =>
    withDiskReserve(archive.dataFolder, async () => {
      const current = await currentState(archive, id)
      if (current === null || !isMeant(current)) return false
      await archive.store.remove(current.capture.audioPath)
      await changeCapture(archive, { current, change: { audioAvailable: false } })
      return true
    }),
  )
}

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
      const untranscribed = { status: 'canceled' as const, error: capture.error ?? TRASHED_UNTRANSCRIBED }
      const trashed = await changeCapture(intake, {
        current,
        change: { trashedAt, ...(!isTranscribed && untranscribed) },
        ended: canceledEnd(job, trashedAt),
        ...(!isTranscribed && { shelved: requestOf(job) }),
        alongside: (tx) => intake.delivery.withdraw(tx, job.id),
      })
      publishJobState(intake, job, 'canceled')
      intake.delivery.ended(job.id, { capture: trashed, warnings: [] })
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
    const error = capture.error?.code === TRASHED_UNTRANSCRIBED.code ? null : capture.error
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
    publishJobState(intake, job, 'waiting')
    intake.delivery.wake()
    return restored
  })
}

/** The job with all of its options; earlier versions stored none of them. */
const jobAgain = ({ capture, shelved }: Current, now: Date): JobRow =>
  shelved === null
    ? firstJob(capture, now)
    : jobOf(capture.id, { ...shelved, batchId: null, jobId: newId(now), createdAt: now })

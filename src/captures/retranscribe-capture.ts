// Queues another transcription of a capture that is kept.
// What it replaces stays until it is done, and as a version afterwards (transcription-work.ts).

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Orm } from '../../db/database.ts'
import { insertJob } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { newId } from '../lib/uuid.ts'
import { changeCapture, currentState, notePromise } from './change-capture.ts'
import { checkRoom, firstJob, type Intake } from './create-capture.ts'
import type { PromisedJob } from './record.ts'

export type RetranscribeRequest = {
  /** null is whatever is best when the job runs */
  model: string | null
  /** ISO 639-1; null is automatic */
  language: string | null
  prompt: string | null
  /** whether the text as refined before stays on top of the new transcript */
  keepRefined: boolean
}

export type RetranscribeFailure = {
  code: 'capture_not_found' | 'capture_busy' | 'capture_in_trash' | 'audio_gone' | 'queue_full' | 'disk_full'
  message: string
  /** the job that stands in the way */
  conflictingId?: string
}

/** The id of the job. */
export async function retranscribeCapture(
  intake: Intake,
  id: string,
  request: RetranscribeRequest,
): Promise<Result<{ jobId: string }, RetranscribeFailure>> {
  const { database, dataFolder, delivery, clock } = intake
  return intake.lock(id, async () => {
    const current = await currentState(intake, id)
    if (current === null) return fail({ code: 'capture_not_found', message: `There is no capture ${id}.` })
    if (!existsSync(join(dataFolder, current.capture.audioPath)))
      return fail({
        code: 'audio_gone',
        message: 'The audio of this capture is gone; only its text is left.',
      })
    if (current.capture.trashedAt !== null)
      return fail({
        code: 'capture_in_trash',
        message: `Capture ${id} is in the trash. Restore it first.`,
        conflictingId: id,
      })
    const { job: busyWith } = current
    if (busyWith !== null)
      return fail({
        code: 'capture_busy',
        message: `Job ${busyWith.id} already works on this capture. Wait for it or cancel it.`,
        conflictingId: busyWith.id,
      })
    const room = await checkRoom(intake)
    if (!room.ok) return room
    intake.places.left--

    const { model, language, prompt, keepRefined } = request
    const now = clock()
    const promised = {
      jobId: newId(now),
      ...{ model, language, prompt, keepRefined },
      refinement: null,
      batchId: null,
      createdAt: now,
    }
    const job = promisedJob(id, promised)
    const enqueue = async (tx: Orm) => {
      await insertJob(tx, job)
      await delivery.send(tx, [job])
    }
    if (current.capture.status === 'completed') {
      await notePromise(intake, current, promised)
      await database.transaction(enqueue)
    } else
      await changeCapture(intake, {
        current,
        change: { status: 'pending', error: null, sttModel: model, language },
        promised,
        alongside: enqueue,
      })
    delivery.wake()
    return succeed({ jobId: job.id })
  })
}

/** The job that keeps a promise, as it was first queued. */
export const promisedJob = (captureId: string, { jobId, ...asked }: PromisedJob): JobRow => ({
  ...firstJob({ id: captureId, sttModel: asked.model, language: asked.language }, asked.createdAt),
  ...asked,
  id: jobId,
  kind: 'retranscribe',
})

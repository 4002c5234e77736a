// Keeps a recording that was thrown away while it was made: straight into the trash, untranscribed.
// Restoring it has it transcribed (trash.ts).

import { saveCapture } from '../../db/captures.ts'
import { type Result, succeed } from '../lib/result.ts'
import { type Capture, UNHEARD, UPLOAD_INTERRUPTED } from './capture.ts'
import {
  checkDiskRoom,
  firstJob,
  type Intake,
  type IntakeFailure,
  type Intaken,
  newCapture,
  promiseOf,
  putInPlace,
} from './create-capture.ts'
import { toRow } from './index-row.ts'

/**
 * On a failure the incoming file is gone or still the caller's to remove. Where the database is away it is kept all
 * the same, and is found by the next start.
 */
export async function keepDiscarded(
  intake: Intake,
  { incoming, fields: { refine, ...fields }, interrupted = false }: Intaken,
): Promise<Result<Capture, IntakeFailure>> {
  const room = await checkDiskRoom(intake)
  if (!room.ok) return room
  const now = intake.clock()
  const capture: Capture = {
    ...newCapture({ incoming, fields, now }),
    status: 'canceled',
    error: interrupted ? UPLOAD_INTERRUPTED : UNHEARD,
    trashedAt: now,
  }
  const shelved = promiseOf(firstJob(capture, now, refine))
  return intake.lock(capture.id, async () => {
    const kept = await putInPlace(intake, incoming, { record: { capture, promised: null, shelved } })
    if (!kept.ok) return kept
    await intake.database
      .run((orm) => saveCapture(orm, toRow(capture)))
      .then(() => intake.publish({ name: 'capture.created', captureId: capture.id, status: capture.status }))
      .catch((error: Error) =>
        intake.log.error(
          { captureId: capture.id, reason: error.message },
          'a discarded recording is not indexed yet',
        ),
      )
    return succeed(capture)
  })
}

// Keeps a recording that was thrown away while it was made: straight into the trash, untranscribed.
// Restoring it has it transcribed (trash.ts).

import { saveCapture } from '../../db/captures.ts'
import type { Result } from '../lib/result.ts'
import { type Capture, UNHEARD, UPLOAD_INTERRUPTED } from './capture.ts'
import {
  checkIntake,
  firstJob,
  type Intake,
  type IntakeFailure,
  type Intaken,
  newCapture,
  promiseOf,
  putInPlace,
  takeIn,
} from './create-capture.ts'
import { toRow } from './index-row.ts'

/**
 * On a failure the incoming file is gone or still the caller's to remove, unless it is an only copy. Where the database
 * is away it is kept all the same, and is found by the next start.
 */
export async function keepDiscarded(
  intake: Intake,
  intaken: Intaken,
): Promise<Result<Capture, IntakeFailure>> {
  const { incoming, interrupted = false } = intaken
  const { refine, ...fields } = intaken.fields
  const room = await checkIntake(intake, intaken)
  if (!room.ok) return room
  const now = intake.clock()
  const capture: Capture = {
    ...newCapture({ incoming, fields, now }),
    status: 'canceled',
    error: interrupted ? UPLOAD_INTERRUPTED : UNHEARD,
    trashedAt: now,
  }
  const shelved = promiseOf(firstJob(capture, now, refine))
  return takeIn(intake, intaken, capture.id, async () => {
    await putInPlace(intake, intaken, { record: { capture, promised: null, shelved } })
    await intake.database
      .run((orm) => saveCapture(orm, toRow(capture)))
      .then(() => intake.publish({ name: 'capture.created', captureId: capture.id, status: capture.status }))
      .catch((error: Error) =>
        intake.log.error(
          { captureId: capture.id, reason: error.message },
          'a discarded recording is not indexed yet',
        ),
      )
    return capture
  })
}

// Stops the waiting or running job of a capture.
// The handler learns of it through the delivery; a result that comes late finds its job over and is dropped.

import type { Orm } from '../../db/database.ts'
import { endJob, unfinishedJobOf } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import { type Archive, changeCapture, currentRecord } from './change-capture.ts'
import type { Delivery } from './delivery.ts'

type Deps = Archive & { delivery: Delivery }

/**
 * The id of the job that was stopped, or null where none was unfinished; with `jobId` only that one is.
 * An earlier transcript stays; a capture that had none becomes `canceled`.
 */
export async function cancelCapture(deps: Deps, id: string, jobId?: string): Promise<string | null> {
  return deps.lock(id, async () => {
    const job = await deps.database.run((orm) => unfinishedJobOf(orm, id))
    const record = await currentRecord(deps, id)
    if (job === null || record === null || (jobId !== undefined && job.id !== jobId)) return null
    if (record.capture.status === 'completed') return stopJobOf(deps, id)
    await changeCapture(deps, {
      record,
      change: { status: 'canceled', error: null },
      lastJobId: job.id,
      alongside: (tx) => endAndWithdraw(deps, tx, job),
    })
    deps.delivery.ended(job.id)
    return job.id
  })
}

/** Ends the job and leaves the capture as it is; must be called in the capture's turn. */
export async function stopJobOf(deps: Deps, id: string): Promise<string | null> {
  const job = await deps.database.run((orm) => unfinishedJobOf(orm, id))
  if (job === null) return null
  await deps.database.transaction((tx) => endAndWithdraw(deps, tx, job))
  deps.delivery.ended(job.id)
  return job.id
}

async function endAndWithdraw({ delivery, clock }: Deps, tx: Orm, job: JobRow): Promise<void> {
  await endJob(tx, { id: job.id, state: 'canceled', error: null, now: clock() })
  await delivery.withdraw(tx, job.id)
}

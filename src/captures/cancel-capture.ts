// Stops the waiting or running job of a capture. The delivery stops the handler; a late result is dropped because its
// job has ended.

import { noteUncopied } from '../../db/captures.ts'
import { endJob, type JobEnd } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import { withDiskReserve } from '../lib/disk-reserve.ts'
import type { Capture } from './capture.ts'
import { tellJob } from './capture-events.ts'
import { type Archive, changeCapture, currentState } from './change-capture.ts'
import type { Delivery } from './delivery.ts'

type Deps = Archive & { delivery: Delivery }

/**
 * Returns the id of the stopped job, or null if no job was unfinished. With `jobId`, only that job is stopped.
 * An earlier transcript stays; a capture without one becomes `canceled`. Works on a full disk.
 */
export async function cancelCapture(deps: Deps, id: string, jobId?: string): Promise<string | null> {
  return deps.lock(id, () => withDiskReserve(deps.dataFolder, () => cancelInTurn(deps, id, jobId)))
}

async function cancelInTurn(deps: Deps, id: string, jobId: string | undefined): Promise<string | null> {
  const current = await currentState(deps, id)
  const job = current?.job ?? null
  if (current === null || job === null || (jobId !== undefined && job.id !== jobId)) return null
  if (current.capture.status === 'completed') {
    await stopJob(deps, job, current.capture)
    return job.id
  }
  const canceled = await changeCapture(deps, {
    current,
    change: { status: 'canceled', error: null },
    ended: canceledEnd(job, deps.clock()),
    alongside: (tx) => deps.delivery.withdraw(tx, job.id),
  })
  tellJob(deps, job, 'canceled')
  deps.delivery.ended(job.id, canceled)
  return job.id
}

/** Ends the job without changing the capture. Must be called in the capture's turn. */
async function stopJob(deps: Deps, job: JobRow, capture: Capture): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await endJob(tx, canceledEnd(job, deps.clock()))
    await deps.delivery.withdraw(tx, job.id)
    await noteUncopied(tx, [job.captureId])
  })
  deps.copies.wake()
  tellJob(deps, job, 'canceled')
  deps.delivery.ended(job.id, capture)
}

export const canceledEnd = ({ id }: JobRow, now: Date): JobEnd => ({
  id,
  state: 'canceled',
  error: null,
  now,
})

// At the start: takes up every job that the last run left waiting or running.
// The rows say what is to be done; the queue was emptied when it was opened, and is filled from them.

import { setCaptureStatus } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { requeueJobs, unfinishedJobs } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import type { Captures } from '../captures/captures.ts'
import type { Log } from '../lib/log.ts'
import type { Queue } from './queue.ts'

/**
 * Whoever was at work when the server was ended is hardly its cause: so often it is only suspected. From then on nothing is
 * worked on beside it, so that only one can be the cause of an end.
 */
const SUSPECTED_AFTER = 3
/** A job that was alone at so many ends more waits until the server has stayed up for a while. */
const PUT_OFF_AFTER = SUSPECTED_AFTER + 10
/**
 * For so long before each further attempt. A healthy recording comes back when the ends had another cause; one that ends
 * the server does so three times more, and is then given up.
 */
const STAYED_UP_MS = [60_000, 600_000, 3_600_000]

export type ResumeDeps = {
  database: Database
  queue: Queue
  captures: Captures
  log: Log
  /** other times than the usual ones */
  stayedUpMs?: readonly number[] | undefined
}

export async function resumeJobs(deps: ResumeDeps): Promise<void> {
  const { database, queue, captures, log, stayedUpMs = STAYED_UP_MS } = deps
  const left = await database.run(unfinishedJobs)
  const broken = left.filter((job) => job.attempts >= PUT_OFF_AFTER + stayedUpMs.length)
  for (const job of broken) {
    const message = `The server ended ${job.attempts} times while it worked on this recording.`
    await captures.work.fail(job, { code: 'gave_up', message })
  }
  const resumed = left.filter((job) => !broken.includes(job))
  const orphans = resumed.filter((job) => job.state === 'active')
  // The oldest first, and before all that is sent later.
  const todo = resumed.map((job, index, { length }) => ({
    ...job,
    suspect: suspicion(job, stayedUpMs),
    priority: length - index,
  }))
  const putOff = todo.filter(({ suspect }) => typeof suspect === 'number')
  for (const { id, attempts, suspect } of putOff)
    log.warn(
      { jobId: id, afterMs: suspect },
      `the server ended ${attempts} times during this job; retrying after ${Number(suspect) / 1000} s of uptime`,
    )

  await database.transaction(async (tx) => {
    await requeueJobs(
      tx,
      orphans.map((job) => job.id),
      true,
    )
    await setCaptureStatus(tx, {
      ids: orphans.map((job) => job.captureId),
      from: ['transcribing', 'refining'],
      to: 'pending',
    })
    await queue.send(tx, todo)
  })
  queue.wake()
  if (left.length > 0)
    log.info(
      {
        jobs: todo.length - putOff.length,
        interrupted: orphans.length,
        putOff: putOff.length,
        gaveUp: broken.length,
        suspected: todo.filter(({ suspect }) => suspect === 'now').length,
      },
      'jobs taken up again',
    )
}

/** Whether a job runs alone, and after how many milliseconds. */
function suspicion({ attempts }: JobRow, stayedUpMs: readonly number[]): number | 'now' | false {
  if (attempts >= PUT_OFF_AFTER) return stayedUpMs[attempts - PUT_OFF_AFTER]!
  return attempts >= SUSPECTED_AFTER && 'now'
}

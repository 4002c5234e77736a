// At the start: queues every job that the last run left waiting or running. The rows decide; the queue is empty when it
// is opened.

import { setCaptureStatus } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { requeueJobs, unfinishedJobs } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import type { Captures } from '../captures/captures.ts'
import type { Log } from '../lib/log.ts'
import type { Queue } from './queue.ts'

/**
 * A job that was running at this many crashes of the server is suspect, since one crash rarely has its cause in it. A
 * suspect job runs alone, so that only one job can be the cause of a further crash.
 */
const SUSPECTED_AFTER = 3
/** A job that ran alone at this many further crashes is postponed until the server has stayed up for a while. */
const PUT_OFF_AFTER = SUSPECTED_AFTER + 10
/**
 * The delay before each further attempt. A healthy recording succeeds when the crashes had another cause; one that
 * crashes the server does so three more times and then fails.
 */
const STAYED_UP_MS = [60_000, 600_000, 3_600_000]

export type ResumeDeps = {
  database: Database
  queue: Queue
  captures: Captures
  log: Log
  /** replaces STAYED_UP_MS */
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
  // The oldest first, and before all later jobs.
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

// Takes up the jobs of the last run at a start, and those that no server has in its queue if others are live.

import { setCaptureStatus } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { requeueJobs, unfinishedJobs } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import type { Captures } from '../captures/captures.ts'
import type { Log } from '../lib/log.ts'
import { type Queue, SUSPECTED_AFTER } from './queue.ts'

/** A job that ran alone at this many further crashes is postponed until the server has stayed up for a while. */
const PUT_OFF_AFTER = SUSPECTED_AFTER + 10
/**
 * The delay before each further attempt. A healthy recording succeeds when the crashes had another cause; one that
 * crashes the server does so three more times and then fails.
 */
const STAYED_UP_MS = [60_000, 600_000, 3_600_000]

export type ResumeDeps = {
  database: Database
  /** other servers work on the database */
  isJoining?: boolean
  queue: Queue
  captures: Captures
  log: Log
  /** replaces STAYED_UP_MS */
  stayedUpMs?: readonly number[] | undefined
}

export async function resumeJobs(deps: ResumeDeps): Promise<void> {
  const { database, isJoining = false, queue, captures, log, stayedUpMs = STAYED_UP_MS } = deps
  const left = await database.run(unfinishedJobs)
  if (isJoining) {
    await database.transaction((tx) => queue.join(tx, left))
    queue.wake()
    return
  }
  const broken = left.filter((job) => job.attempts >= PUT_OFF_AFTER + stayedUpMs.length)
  for (const job of broken) {
    const message = `The server ended ${job.attempts} times while it worked on this recording.`
    await captures.work.fail(job, { code: 'gave_up', message })
  }
  const resumed = left.filter((job) => !broken.includes(job))
  const orphans = resumed.filter((job) => job.state === 'active')
  // Only jobs without a waiting delivery are sent again: the oldest first, and before all others.
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
    await queue.resume(tx, todo)
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

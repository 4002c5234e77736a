// At the start: takes up every job that the last run left waiting or running.
// The rows say what is to be done; the queue was emptied when it was opened, and is filled from them.

import { setCaptureStatus } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { findJob, requeueJobs, unfinishedJobs } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import type { Captures } from '../captures/captures.ts'
import type { Log } from '../lib/log.ts'
import { pause, persist } from '../lib/persist.ts'
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
  const putOff = resumed.filter((job) => job.attempts >= PUT_OFF_AFTER)
  const todo = resumed
    .filter((job) => !putOff.includes(job))
    // The oldest first, and before all that is sent later.
    .map((job, index, { length }) => ({
      ...job,
      isSuspect: job.attempts >= SUSPECTED_AFTER,
      priority: length - index,
    }))

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
  for (const job of putOff) void sendLater(deps, job, stayedUpMs[job.attempts - PUT_OFF_AFTER]!)
  if (left.length > 0)
    log.info(
      {
        jobs: todo.length,
        interrupted: orphans.length,
        putOff: putOff.length,
        gaveUp: broken.length,
        suspected: todo.filter(({ isSuspect }) => isSuspect).length,
      },
      'jobs taken up again',
    )
}

/** Unless the server stops before, or the job is cancelled. */
async function sendLater({ database, queue, log }: ResumeDeps, job: JobRow, afterMs: number): Promise<void> {
  const until = queue.closing
  queue.completions.expect(job.id)
  log.warn(
    { jobId: job.id, afterMs },
    `the server ended ${job.attempts} times during this job; retrying after ${afterMs / 1000} s of uptime`,
  )
  await pause(afterMs, until)
  if (until.aborted) return
  await persist(
    () =>
      database.transaction(async (tx) => {
        if ((await findJob(tx, job.id))?.state === 'waiting')
          await queue.send(tx, [{ ...job, isSuspect: true }])
      }),
    {
      until,
      onFailure: (error) => log.warn({ jobId: job.id, reason: String(error) }, 'a job cannot be queued yet'),
    },
  )
  queue.wake()
}

// At the start: takes up every job that the last run left waiting or running.
// The rows say what is to be done; the queue was emptied when it was opened, and is filled from them.

import { setCaptureStatus } from '../../db/captures.ts'
import type { Database } from '../../db/database.ts'
import { requeueJobs, unfinishedJobs } from '../../db/jobs.ts'
import type { Captures } from '../captures/captures.ts'
import type { Log } from '../lib/log.ts'
import type { Queue } from './queue.ts'

/**
 * Whoever was at work when the server was ended is hardly its cause: so often it is only suspected. From then on nothing is
 * worked on beside it, so that only one can be the cause of an end.
 */
const SUSPECTED_AFTER = 3
/** And what was alone at so many ends more is not tried again. */
const GIVEN_UP_AFTER = SUSPECTED_AFTER + 10

type Deps = { database: Database; queue: Queue; captures: Captures; log: Log }

export async function resumeJobs({ database, queue, captures, log }: Deps): Promise<void> {
  const left = await database.run(unfinishedJobs)
  const broken = left.filter((job) => job.attempts >= GIVEN_UP_AFTER)
  for (const job of broken) {
    const message = `The server ended ${job.attempts} times while it worked on this recording.`
    await captures.work.fail(job, { code: 'gave_up', message })
  }
  const orphans = left.filter((job) => job.state === 'active' && !broken.includes(job))
  const todo = left
    .filter((job) => !broken.includes(job))
    .map((job) => ({ ...job, alone: job.attempts >= SUSPECTED_AFTER }))

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
        jobs: todo.length,
        interrupted: orphans.length,
        gaveUp: broken.length,
        suspected: todo.filter(({ alone }) => alone).length,
      },
      'jobs taken up again',
    )
}

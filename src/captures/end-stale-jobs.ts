// At the start: ends the jobs that the database still has to do though their captures are past them. A power cut takes
// a cancellation or an outcome from it, and an older database may be put back. Restoring what it forgot is recovery.ts.

import type { Database } from '../../db/database.ts'
import { endJob, insertJobs, unfinishedJobs } from '../../db/jobs.ts'
import type { JobRow } from '../../db/schema.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { canceledEnd } from './cancel-capture.ts'
import { promisedJob } from './queue-job.ts'
import { type CaptureRecord, readRecord } from './record.ts'

type Deps = { database: Database; dataFolder: string; clock: Clock; log: Log }

/** Before promised jobs are restored: a capture has one unfinished job at a time. */
export async function endStaleJobs({ database, dataFolder, clock, log }: Deps): Promise<void> {
  for (const job of await database.run(unfinishedJobs)) {
    const record = await readRecord(dataFolder, job.captureId, 'without segments')
    // A deleted capture takes its jobs along, and of a spoiled record nobody knows better than the database.
    if (record === null || record === 'unreadable' || record.state === 'deleted') continue
    if (isAwaited(job, record)) continue
    const { capture, promised } = record
    await database.transaction(async (tx) => {
      await endJob(tx, canceledEnd(job, clock()))
      if (promised !== null) await insertJobs(tx, [promisedJob(capture.id, promised)])
    })
    log.info({ jobId: job.id, captureId: capture.id }, 'a job that is no longer to be done is ended')
  }
}

/** A promise names its job; a first transcription needs none. What the record holds already is only put on the row. */
function isAwaited({ id }: JobRow, { capture, promised, lastJobId }: CaptureRecord): boolean {
  if (promised !== null) return promised.jobId === id
  return capture.status === 'pending' || lastJobId === id
}

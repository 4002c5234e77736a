// What has to be done now and then while nothing else is: the embedded database has no autovacuum.
// Not for work on captures; that is jobs.

import type { Database } from '../../db/database.ts'
import type { Log } from '../lib/log.ts'
import type { Jobs } from './jobs.ts'

type Deps = { database: Database; jobs: Pick<Jobs, 'counts'>; log: Log }

/** The whole process stands still meanwhile (half a second for 1,500 captures), so seldom, and never beside a job. */
const INTERVAL_MS = 3_600_000

/** Begins; what it returns ends it. */
export function startUpkeep({ database, jobs, log }: Deps): () => void {
  if (database.kind === 'external') return () => {}
  const tend = async () => {
    const { waiting, active } = await jobs.counts()
    if (waiting + active === 0) await database.vacuum()
  }
  const failed = (error: Error) => log.warn({ reason: error.message }, 'the database was not tidied up')
  const timer = setInterval(() => tend().catch(failed), INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

// When the embedded database is tidied up, which does not do so by itself: its journal ended, and what was deleted given back.
// How that is done is db/embedded.ts.

import type { Database } from '../../db/database.ts'
import type { Jobs } from './jobs.ts'

/** How often to look whether it is time. */
export const TIDY_INTERVAL_MS = 60_000
/** An hour: the planner's statistics grow old even where little is written. */
const MOST_LOOKS = 60
/** Half of what the journal may keep. Left alone it grew by 4 MB a minute under ten requests a second. */
const MOST_JOURNAL_BYTES = 64 * 1024 ** 2

/**
 * A vacuum makes the whole process stand still (half a second for 1,500 captures), so it is seldom, and never beside a
 * job. But a batch may run for days: meanwhile the journal is ended all the same.
 */
export function createTidying(
  database: Pick<Database, 'kind' | 'journalBytes' | 'checkpoint' | 'vacuum'>,
  jobs: Pick<Jobs, 'counts'>,
): () => Promise<void> {
  let looks = 0
  let endedAt: number | null = null
  return async () => {
    if (database.kind === 'external') return
    looks++
    const written = await database.journalBytes()
    endedAt ??= written
    const isLong = written - endedAt >= MOST_JOURNAL_BYTES
    if (!isLong && looks < MOST_LOOKS) return
    const { waiting, active } = await jobs.counts()
    const isIdle = waiting + active === 0
    if (isIdle) await database.vacuum()
    else if (isLong) await database.checkpoint()
    else return
    if (isIdle) looks = 0
    endedAt = await database.journalBytes()
  }
}

// Periodic upkeep: retention, counting for the statistics, the disk reserve, and the embedded database's vacuum.

import type { Database } from '../../db/database.ts'
import { readCounted } from '../../db/statistics.ts'
import { LIMITS, type RetentionSettings } from '../captures/retention.ts'
import type { RetentionKeeper } from '../captures/retention-keeper.ts'
import { createDiskReserve } from '../lib/disk-space.ts'
import type { Log } from '../lib/log.ts'
import type { Jobs } from './jobs.ts'

type Deps = {
  database: Database
  dataFolder: string
  jobs: Pick<Jobs, 'counts'>
  retention: Pick<RetentionKeeper, 'round' | 'onConfirm'>
  settings: { onChange(listen: (now: RetentionSettings, before: RetentionSettings) => void): () => void }
  log: Log
}

const INTERVAL_MS = 3_600_000

/** Returns a function that stops it and waits for the current run. */
export function startUpkeep({
  database,
  dataFolder,
  jobs,
  retention,
  settings,
  log,
}: Deps): () => Promise<void> {
  const stopping = new AbortController()
  let turn: Promise<void> = Promise.resolve()
  const inTurn = (what: string, work: () => Promise<unknown>) => {
    turn = turn.then(async () => {
      if (stopping.signal.aborted) return
      try {
        await work()
      } catch (error) {
        log.warn({ reason: error instanceof Error ? error.message : String(error) }, what)
      }
    })
  }
  const applyRetention = () => inTurn('retention run failed', () => retention.round(stopping.signal))
  const tidy = createTidying(database, jobs)
  const tidyUp = () => inTurn('database maintenance failed', tidy)

  // Otherwise the first statistics request after an update, or after many changes, would wait for it.
  const count = () => inTurn('could not update the statistics', () => readCounted(database))
  // A recording may have used it since the start.
  const restoreDiskReserve = () =>
    inTurn('could not restore the disk reserve', () => createDiskReserve(dataFolder))

  count()
  const timer = setInterval(() => {
    applyRetention()
    count()
    restoreDiskReserve()
  }, INTERVAL_MS)
  timer.unref()
  const tidyTimer = setInterval(tidyUp, TIDY_INTERVAL_MS)
  tidyTimer.unref()
  const forgetSettings = settings.onChange((now, before) => {
    if (LIMITS.some((limit) => now[limit] !== before[limit])) applyRetention()
  })
  const forgetConfirm = retention.onConfirm(applyRetention)
  return async () => {
    clearInterval(timer)
    clearInterval(tidyTimer)
    forgetSettings()
    forgetConfirm()
    stopping.abort()
    await turn
  }
}

/** How often it checks whether it is due. */
const TIDY_INTERVAL_MS = 60_000
/** An hour: the planner's statistics become outdated even with few writes. */
const MAX_LOOKS = 60
/** Half of the journal's limit. Without this the journal grew by 4 MB a minute at ten requests a second. */
const MAX_JOURNAL_BYTES = 64 * 1024 ** 2

/**
 * A vacuum blocks the whole process (half a second for 1,500 captures), so it is rare, and never runs beside a job.
 * During a batch, which may run for days, only the journal is ended.
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
    const isLong = written - endedAt >= MAX_JOURNAL_BYTES
    if (!isLong && looks < MAX_LOOKS) return
    const { waiting, active } = await jobs.counts()
    const isIdle = waiting + active === 0
    if (isIdle) await database.vacuum()
    else if (isLong) await database.checkpoint()
    else return
    if (isIdle) looks = 0
    endedAt = await database.journalBytes()
  }
}

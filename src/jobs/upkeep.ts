// What has to be done now and then: letting go of what was kept long enough, counting, and tidying up the database.
// Not for work that somebody waits for; that is jobs.

import type { Database } from '../../db/database.ts'
import { readCounted } from '../../db/statistics.ts'
import { LIMITS, type RetentionSettings } from '../captures/retention.ts'
import type { RetentionKeeper } from '../captures/retention-keeper.ts'
import { layBallast } from '../lib/ballast.ts'
import type { Log } from '../lib/log.ts'
import type { Jobs } from './jobs.ts'
import { createTidying, TIDY_INTERVAL_MS } from './tidy-database.ts'

type Deps = {
  database: Database
  dataFolder: string
  jobs: Pick<Jobs, 'counts'>
  retention: Pick<RetentionKeeper, 'round' | 'onConfirm'>
  settings: { onChange(listen: (now: RetentionSettings, before: RetentionSettings) => void): () => void }
  log: Log
}

const INTERVAL_MS = 3_600_000

/** What it returns ends it, and waits for what is under way. */
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
  const letGo = () =>
    inTurn('what has been kept long enough is still there', () => retention.round(stopping.signal))
  const tidy = createTidying(database, jobs)
  const tidyUp = () => inTurn('the database was not tidied up', tidy)

  // After an update of this program or of many captures, which else the next statistics would have to wait for.
  const count = () => inTurn('the captures were not counted', () => readCounted(database))
  // A recording may have used it since the start.
  const restoreBallast = () => inTurn('the ballast was not laid', () => layBallast(dataFolder))

  count()
  const timer = setInterval(() => {
    letGo()
    count()
    restoreBallast()
  }, INTERVAL_MS)
  timer.unref()
  const tidyTimer = setInterval(tidyUp, TIDY_INTERVAL_MS)
  tidyTimer.unref()
  const forgetSettings = settings.onChange((now, before) => {
    if (LIMITS.some((limit) => now[limit] !== before[limit])) letGo()
  })
  const forgetConfirm = retention.onConfirm(letGo)
  return async () => {
    clearInterval(timer)
    clearInterval(tidyTimer)
    forgetSettings()
    forgetConfirm()
    stopping.abort()
    await turn
  }
}

// Statistics and applications in one object for http/.

import type { Database } from '../../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { type UsedApp, usedApps } from './apps.ts'
import { type Statistics, type StatisticsQuery, statisticsOf } from './statistics.ts'

export type Usage = {
  statistics(query: StatisticsQuery): Promise<Statistics>
  /** most used first; `writingStyleId` is the style for texts dictated into the application */
  apps(page: { limit: number; offset: number }): Promise<{ items: AppWithStyle[]; total: number }>
}

export type AppWithStyle = UsedApp & { writingStyleId: string | null }

type UsageDeps = {
  database: Database
  clock: Clock
  /** typing speed of the user, in words per minute */
  typingWpm: () => number
  styleFor: (app: Pick<UsedApp, 'appId' | 'appName' | 'category'>) => string | null
}

export const createUsage = (deps: UsageDeps): Usage => ({
  statistics: (query) => statisticsOf(deps, query),
  async apps(page) {
    const { items, total } = await usedApps(deps.database, page)
    return { items: items.map((app) => ({ ...app, writingStyleId: deps.styleFor(app) })), total }
  },
})

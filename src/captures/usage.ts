// How the server is used, in one object for http/: statistics and applications.
// What is counted is statistics.ts and apps.ts.

import type { Database } from '../../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import { type UsedApp, usedApps } from './apps.ts'
import { type Statistics, type StatisticsQuery, statisticsOf } from './statistics.ts'

export type Usage = {
  statistics(query: StatisticsQuery): Promise<Statistics>
  /** the most used first; `writingStyleId` is the style that texts for the application get */
  apps(page: { limit: number; offset: number }): Promise<{ items: AppWithStyle[]; total: number }>
}

export type AppWithStyle = UsedApp & { writingStyleId: string | null }

type UsageDeps = {
  database: Database
  clock: Clock
  /** words per minute that a person types */
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

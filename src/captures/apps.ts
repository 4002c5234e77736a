// The applications that were spoken into, and how much; what was deleted since counts, what is in the trash does not.
// What kind an application is of is src/text/app-categories.ts; its writing style is chosen in src/writing.

import type { Database } from '../../db/database.ts'
import { sumsByKind } from '../../db/statistics.ts'
import { categoryOf } from '../text/app-categories.ts'
import { type AppSums, spokenInto } from './app-identity.ts'

export type UsedApp = AppSums & {
  category: string | null
  /** of all captures, 0 to 100 */
  percentage: number
}

/** The most used first. */
export async function usedApps(
  database: Database,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ items: UsedApp[]; total: number }> {
  const kinds = await database.run((orm) => sumsByKind(orm, { spans: null, kinds: null }))
  const apps = spokenInto(kinds)
  const captures = apps.reduce((sum, app) => sum + app.captures, 0)
  const items = apps
    .slice(offset, offset + limit)
    .map((app) => ({ ...app, category: categoryOf(app), percentage: (app.captures / captures) * 100 }))
  return { items, total: apps.length }
}

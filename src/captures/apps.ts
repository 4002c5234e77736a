// Usage per application. Deleted captures count; captures in the trash do not.

import type { Kind } from '../../db/capture-facts.ts'
import type { Database } from '../../db/database.ts'
import { categoryOf } from '../text/app-categories.ts'
import { groupsByApp } from './app-identity.ts'
import { countedCaptures, everyPlace, type KindSums, type Sums, sumsByKind } from './counted-captures.ts'

type AppSums = Sums & {
  /** the most frequent values; both null: the client sent none */
  appId: string | null
  appName: string | null
  first: Date
  last: Date
}

export type UsedApp = AppSums & {
  category: string | null
  /** share of all captures, 0 to 100 */
  percentage: number
}

/** Most used first. */
export async function usedApps(
  database: Database,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ items: UsedApp[]; total: number }> {
  const all = await countedCaptures(database)
  const apps = groupsByApp(sumsByKind(all, everyPlace(all)))
    .map(sumsOfApp)
    .sort(byUse)
  const captures = apps.reduce((sum, app) => sum + app.captures, 0)
  const items = apps
    .slice(offset, offset + limit)
    .map((app) => ({ ...app, category: categoryOf(app), percentage: (app.captures / captures) * 100 }))
  return { items, total: apps.length }
}

const byUse = (one: AppSums, other: AppSums): number =>
  other.captures - one.captures || other.words - one.words || other.last.getTime() - one.last.getTime()

function sumsOfApp(kinds: KindSums[]): AppSums {
  // On a tie, the value from the client that sent more fields wins.
  const rank = ({ captures, kind }: KindSums) => 2 * captures + (kind.appId === null ? 0 : 1)
  const ranked = kinds.toSorted((one, other) => rank(other) - rank(one))
  const told = (name: (kind: Kind) => string | null) =>
    ranked.map(({ kind }) => name(kind)).find((text) => text !== null && text !== '') ?? null
  const sum = (what: keyof Sums) => kinds.reduce((total, one) => total + one[what], 0)
  return {
    appId: told(({ appId }) => appId),
    appName: told(({ appName }) => appName),
    captures: sum('captures'),
    words: sum('words'),
    durationMs: sum('durationMs'),
    first: new Date(Math.min(...kinds.map(({ firstAt }) => firstAt))),
    last: new Date(Math.max(...kinds.map(({ lastAt }) => lastAt))),
  }
}

// The captures that count for the statistics, as columns of numbers, with their sums per kind and per application.

import type { Kind } from '../../db/capture-facts.ts'
import type { Database } from '../../db/database.ts'
import { readCounted } from '../../db/statistics.ts'
import { DAY_MS } from '../lib/time-zone.ts'
import { categoryOf } from '../text/app-categories.ts'
import { fold } from '../text/fold.ts'

/**
 * For a hundred thousand captures, columns of numbers take a fraction of the time and memory of objects. Loops use
 * indexes, because JavaScriptCore's iterators over such columns are ten times slower.
 */
export type CountedCaptures = {
  kinds: Kind[]
  /** milliseconds since 1970, ascending; this and the following columns hold one number per capture */
  at: Float64Array
  /** index in `kinds` */
  kind: Int32Array
  words: Int32Array
  /** NO_DURATION if unknown */
  durationMs: Int32Array
  corrections: Int32Array
}

const NO_DURATION = -1

/** Indexes in the columns, ascending. */
export type Selection = Int32Array

export type Sums = { captures: number; words: number; durationMs: number }

export type KindSums = Sums & {
  kind: Kind
  /** of the captures with a known duration */
  timedWords: number
  corrections: number
  firstAt: number
  lastAt: number
}

export async function countedCaptures(database: Database): Promise<CountedCaptures> {
  const { days, kinds } = await readCounted(database)
  const read = days.map(({ day, facts }) => ({ day, numbers: JSON.parse(facts) as (number | null)[] }))
  const count = read.reduce((sum, { numbers }) => sum + numbers.length / 5, 0)
  const columns = () => new Int32Array(count)
  const [kind, words, durationMs, corrections] = [columns(), columns(), columns(), columns()]
  const at = new Float64Array(count)
  const placeOf = new Map([...kinds.keys()].map((id, place) => [id, place]))
  let place = 0
  for (const { day, numbers } of read)
    for (let index = 0; index < numbers.length; index += 5) {
      at[place] = day * DAY_MS + numbers[index]!
      kind[place] = placeOf.get(numbers[index + 1]!)!
      words[place] = numbers[index + 2]!
      durationMs[place] = numbers[index + 3] ?? NO_DURATION
      corrections[place] = numbers[index + 4]!
      place++
    }
  return { kinds: [...kinds.values()], at, kind, words, durationMs, corrections }
}

export function everyPlace({ at }: CountedCaptures): Selection {
  const places = new Int32Array(at.length)
  for (let place = 0; place < places.length; place++) places[place] = place
  return places
}

export const noSums = (): Sums => ({ captures: 0, words: 0, durationMs: 0 })

export function addCapture(sums: Sums, { words, durationMs }: CountedCaptures, place: number): void {
  sums.captures++
  sums.words += words[place]!
  if (durationMs[place] !== NO_DURATION) sums.durationMs += durationMs[place]!
}

export function sumsByKind(all: CountedCaptures, selection: Selection): KindSums[] {
  const byKind: (KindSums | undefined)[] = []
  for (let nth = 0; nth < selection.length; nth++) {
    const place = selection[nth]!
    const index = all.kind[place]!
    const at = all.at[place]!
    let sums = byKind[index]
    if (sums === undefined) {
      const none = { ...noSums(), timedWords: 0, corrections: 0 }
      sums = { kind: all.kinds[index]!, ...none, firstAt: at, lastAt: at }
      byKind[index] = sums
    }
    addCapture(sums, all, place)
    if (all.durationMs[place] !== NO_DURATION) sums.timedWords += all.words[place]!
    sums.corrections += all.corrections[place]!
    sums.lastAt = at
  }
  return byKind.filter((sums) => sums !== undefined)
}

/** `folded` is a name or an id. */
export const isOfApp = ({ appId, appName }: Kind, folded: string): boolean =>
  (appId !== null && fold(appId) === folded) || (appName !== null && fold(appName) === folded)

const foldedOrNull = (text: string | null): string | null =>
  text === null || text === '' ? null : fold(text)

/** One group per application; captures without an application form one group. */
export function groupsByApp<Sums extends { kind: Kind }>(kinds: Sums[]): Sums[][] {
  const idsByName = new Map<string, Set<string>>()
  for (const { kind } of kinds) {
    const [id, name] = [foldedOrNull(kind.appId), foldedOrNull(kind.appName)]
    if (id !== null && name !== null) idsByName.set(name, (idsByName.get(name) ?? new Set()).add(id))
  }
  const keyOf = ({ kind }: Sums): string => {
    const [id, name] = [foldedOrNull(kind.appId), foldedOrNull(kind.appName)]
    if (id !== null) return `id ${id}`
    if (name === null) return ''
    // A name without an id belongs to the application with that name, if there is only one.
    const ids = [...(idsByName.get(name) ?? [])]
    return ids.length === 1 ? `id ${ids[0]}` : `name ${name}`
  }
  return [...Map.groupBy(kinds, keyOf).values()]
}

export const isKnownApp = ({ kind }: { kind: Kind }): boolean =>
  foldedOrNull(kind.appId) !== null || foldedOrNull(kind.appName) !== null

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
  const named = (name: (kind: Kind) => string | null) =>
    ranked.map(({ kind }) => name(kind)).find((text) => text !== null && text !== '') ?? null
  const sum = (what: keyof Sums) => kinds.reduce((total, one) => total + one[what], 0)
  return {
    appId: named(({ appId }) => appId),
    appName: named(({ appName }) => appName),
    captures: sum('captures'),
    words: sum('words'),
    durationMs: sum('durationMs'),
    first: new Date(Math.min(...kinds.map(({ firstAt }) => firstAt))),
    last: new Date(Math.max(...kinds.map(({ lastAt }) => lastAt))),
  }
}

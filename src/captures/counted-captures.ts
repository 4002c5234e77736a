// The captures that count for the statistics, as columns of numbers, and their sums per kind.

import type { Kind } from '../../db/capture-facts.ts'
import type { Database } from '../../db/database.ts'
import { readCounted } from '../../db/statistics.ts'
import { DAY_MS } from '../lib/time-zone.ts'

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

export const NO_DURATION = -1

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

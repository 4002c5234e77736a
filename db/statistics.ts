// Sums over the captures there are and those that are gone; what is in the trash is in none.
// What a day is and how the sums become statistics is src/captures/statistics.ts.

import { and, count, gte, inArray, lt, max, min, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Kind, readKind } from './capture-facts.ts'
import type { Orm } from './database.ts'
import { captureFacts } from './schema.ts'

/** From `from`, up to but without `until`. */
export type TimeSpan = { from: Date; until: Date }

const sum = (column: AnyPgColumn) => sql`coalesce(sum(${column}), 0)`.mapWith(Number)

/** Null is no restriction; an empty list lets nothing through. */
export type Counted = { spans: TimeSpan[] | null; kinds: string[] | null }

export type Sums = { captures: number; words: number; durationMs: number }

export type KindSums = Sums & {
  kind: Kind
  /** as it is stored, to ask for it */
  kindText: string
  /** of the captures whose duration is known */
  timedWords: number
  corrections: number
}

export type KindUse = KindSums & { first: Date; last: Date }

/** By how many quarters of an hour the clocks of a place are ahead of UTC, up to the quarter `until`; null: ever after. */
export type Clocks = { ahead: number; until: number | null }[]

/** Sums for each day there, as days since 1970-01-01. */
export async function sumsByDay(
  orm: Orm,
  counted: Counted,
  clocks: Clocks,
): Promise<(Sums & { day: number })[]> {
  const { wordCount, durationMs } = captureFacts
  const days = orm
    .select({
      day: sql`${quarterThere(clocks)} / 96`.as('day'),
      captures: count().as('captures'),
      words: sql`sum(${wordCount})`.as('words'),
      durationMs: sql`coalesce(sum(${durationMs}), 0)`.as('duration_ms'),
    })
    .from(captureFacts)
    .where(isCounted(counted))
    .groupBy(sql`1`)
    .as('days')
  // One long text is read many times faster than a thousand rows.
  const [packed] = await orm
    .select({
      all: sql<string | null>`string_agg(day || ' ' || captures || ' ' || words || ' ' || duration_ms, ',')`,
    })
    .from(days)
  return (packed?.all?.split(',') ?? []).map((one) => {
    const [day = 0, captures = 0, words = 0, milliseconds = 0] = one.split(' ').map(Number)
    return { day, captures, words, durationMs: milliseconds }
  })
}

/** Captures in each hour of a week there that begins on a Thursday, as 1970 did. */
export const countsByHour = (
  orm: Orm,
  counted: Counted,
  clocks: Clocks,
): Promise<{ hour: number; captures: number }[]> =>
  orm
    .select({ hour: sql<number>`${quarterThere(clocks)} / 4 % 168`, captures: count() })
    .from(captureFacts)
    .where(isCounted(counted))
    .groupBy(sql`1`)

/** The quarter that the clocks there show; nothing in it is from outside. */
function quarterThere(clocks: Clocks): SQL {
  const cases = clocks.map(({ ahead, until }) =>
    until === null ? `else ${ahead}` : `when quarter < ${until} then ${ahead}`,
  )
  return sql.raw(`(quarter + ${cases.length === 1 ? clocks[0]!.ahead : `case ${cases.join(' ')} end`})`)
}

export async function sumsByKind(orm: Orm, counted: Counted): Promise<KindSums[]> {
  const { kind } = captureFacts
  const rows = await orm.select(kindSums).from(captureFacts).where(isCounted(counted)).groupBy(kind)
  return rows.map(asKind)
}

/** The same of all there ever was, with the first and the last time of each, which costs a third more. */
export async function useByKind(orm: Orm): Promise<KindUse[]> {
  const { kind, createdAt } = captureFacts
  const rows = await orm
    .select({ ...kindSums, first: min(createdAt), last: max(createdAt) })
    .from(captureFacts)
    .where(NOT_TRASHED)
    .groupBy(kind)
  return rows.map(({ first, last, ...row }) => ({ ...asKind(row), first: first!, last: last! }))
}

const asKind = <Row extends { kindText: string }>(row: Row): Row & { kind: Kind } => ({
  ...row,
  kind: readKind(row.kindText),
})

export async function sumsOf(orm: Orm, counted: Counted): Promise<Pick<Sums, 'captures' | 'words'>> {
  const [row] = await orm
    .select({ captures: count(), words: sum(captureFacts.wordCount) })
    .from(captureFacts)
    .where(isCounted(counted))
  return row ?? { captures: 0, words: 0 }
}

/** When the first and the last capture were made; null where there is none. */
export async function timesOfCaptures(orm: Orm): Promise<{ first: Date; last: Date } | null> {
  const { createdAt } = captureFacts
  const [row] = await orm
    .select({ first: min(createdAt), last: max(createdAt) })
    .from(captureFacts)
    .where(NOT_TRASHED)
  return row?.first && row.last ? { first: row.first, last: row.last } : null
}

const kindSums = {
  kindText: captureFacts.kind,
  captures: count(),
  words: sum(captureFacts.wordCount),
  durationMs: sum(captureFacts.durationMs),
  timedWords:
    sql`coalesce(sum(${captureFacts.wordCount}) filter (where ${captureFacts.durationMs} is not null), 0)`.mapWith(
      Number,
    ),
  corrections: sum(captureFacts.corrections),
}

/** Word for word the condition of the index. */
const NOT_TRASHED = sql.raw(`place <> 'trashed'`)

function isCounted({ spans, kinds }: Counted): SQL {
  const { createdAt, kind } = captureFacts
  const inSpans = spans?.map(({ from, until }) => and(gte(createdAt, from), lt(createdAt, until)))
  return and(
    NOT_TRASHED,
    inSpans && (inSpans.length === 0 ? sql`false` : or(...inSpans)),
    kinds === null ? undefined : inArray(kind, kinds),
  )!
}

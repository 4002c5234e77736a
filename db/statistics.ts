// Sums over the captures there are and those that are gone; what is in the trash is in none.
// What a day is and how the sums become statistics is src/captures/statistics.ts.

import { and, count, gte, inArray, lt, max, min, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { type Kind, readKind } from './capture-facts.ts'
import type { Orm } from './database.ts'
import { captureFacts } from './schema.ts'

/** From `from`, up to but without `until`. */
export type TimeSpan = { from: Date; until: Date }

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
  first: Date
  last: Date
}

/** Sums for spans of `quarters` quarters of an hour each: bucket b begins with quarter `b * quarters - shift`. */
export async function sumsByTime(
  orm: Orm,
  counted: Counted,
  { quarters, shift }: { quarters: number; shift: number },
): Promise<(Sums & { bucket: number })[]> {
  const { quarter, wordCount, durationMs } = captureFacts
  const buckets = orm
    .select({
      bucket: sql`(${quarter} + ${sql.raw(String(shift))}) / ${sql.raw(String(quarters))}`.as('bucket'),
      captures: count().as('captures'),
      words: sql`sum(${wordCount})`.as('words'),
      durationMs: sql`coalesce(sum(${durationMs}), 0)`.as('duration_ms'),
    })
    .from(captureFacts)
    .where(isCounted(counted))
    .groupBy(sql`1`)
    .as('buckets')
  // One long text is read many times faster than ten thousands of rows.
  const [packed] = await orm
    .select({
      all: sql<
        string | null
      >`string_agg(bucket || ' ' || captures || ' ' || words || ' ' || duration_ms, ',')`,
    })
    .from(buckets)
  return (packed?.all?.split(',') ?? []).map((one) => {
    const [bucket = 0, captures = 0, words = 0, milliseconds = 0] = one.split(' ').map(Number)
    return { bucket, captures, words, durationMs: milliseconds }
  })
}

export async function sumsByKind(orm: Orm, counted: Counted): Promise<KindSums[]> {
  const { kind, wordCount, durationMs, corrections, createdAt } = captureFacts
  const rows = await orm
    .select({
      kind,
      captures: count(),
      words: sum(wordCount),
      durationMs: sum(durationMs),
      timedWords: sql`coalesce(sum(${wordCount}) filter (where ${durationMs} is not null), 0)`.mapWith(
        Number,
      ),
      corrections: sum(corrections),
      first: min(createdAt),
      last: max(createdAt),
    })
    .from(captureFacts)
    .where(isCounted(counted))
    .groupBy(kind)
  return rows.map(({ kind: text, first, last, ...sums }) => ({
    ...sums,
    ...{ kind: readKind(text), kindText: text, first: first!, last: last! },
  }))
}

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

const sum = (column: AnyPgColumn) => sql`coalesce(sum(${column}), 0)`.mapWith(Number)

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

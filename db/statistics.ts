// Captures that count in the statistics, each as a few numbers: all captures outside the trash, and the deleted ones.

import { asc, sql } from 'drizzle-orm'
import { type Kind, readKind } from './capture-facts.ts'
import type { Database, Orm } from './database.ts'
import { captureDays, captureFacts, captureKinds } from './schema.ts'

export type CountedDay = {
  /** of UTC, since 1970-01-01 */
  day: number
  /** five numbers per capture, as JSON, in the order of time: see FACTS_OF_DAY */
  facts: string
}

export async function readCounted(
  database: Database,
): Promise<{ days: CountedDay[]; kinds: Map<number, Kind> }> {
  const known = await database.run(readDays)
  const days = known.every(isCounted) ? known : await database.transaction(recount)
  // Read after the days: a kind that they name is never removed.
  const kinds = await database.run((orm) => orm.select().from(captureKinds))
  return { days: days.filter(isCounted), kinds: new Map(kinds.map(({ id, kind }) => [id, readKind(kind)])) }
}

type Day = typeof captureDays.$inferSelect

const isCounted = (day: Day): day is CountedDay => day.facts !== null

const readDays = (orm: Orm): Promise<Day[]> => orm.select().from(captureDays).orderBy(asc(captureDays.day))

/** Rebuilds the days in which a capture changed. The lock blocks concurrent changes of a day. */
async function recount(tx: Orm): Promise<Day[]> {
  await tx.execute(sql`lock table ${captureDays} in share row exclusive mode`)
  // The offset keeps the planner from comparing every capture with every day.
  await tx.execute(sql`insert into ${captureKinds} (kind)
    select distinct kind from ${captureDays}, lateral (
      select kind from ${captureFacts} where ${IS_OF_DAY} offset 0
    ) as counted
    where facts is null and not exists (select from ${captureKinds} as known where known.kind = counted.kind)`)
  await tx.execute(sql`update ${captureDays} set facts = ${FACTS_OF_DAY} where facts is null`)
  return readDays(tx)
}

/** Its second part must match the condition of the index word for word. */
const IS_OF_DAY = sql`quarter >= capture_days.day * 96 and quarter < (capture_days.day + 1) * 96 and place <> 'trashed'`

/** Millisecond of the day, id of the kind, words, duration in milliseconds or null, corrections. */
const FACTS_OF_DAY = sql`(
  select '[' || coalesce(string_agg(
    (date_part('epoch', recorded_at) * 1000)::bigint - capture_days.day * 86400000::bigint || ',' ||
    capture_kinds.id || ',' || word_count || ',' || coalesce(duration_ms::text, 'null') || ',' || corrections,
    ',' order by recorded_at), '') || ']'
  from ${captureFacts} join ${captureKinds} on ${captureKinds.kind} = ${captureFacts.kind}
  where ${IS_OF_DAY})`

// The captures that count, each as a few numbers: those there are and those that are gone, none that is in the trash.
// What they add up to is src/captures/counted-captures.ts and statistics.ts.

import { asc, sql } from 'drizzle-orm'
import { type Kind, readKind } from './capture-facts.ts'
import type { Database, Orm } from './database.ts'
import { captureDays, captureFacts, captureKinds } from './schema.ts'

export type CountedDay = {
  /** of UTC, since 1970-01-01 */
  day: number
  /** five numbers for each capture, as JSON and in the order of time: see FACTS_OF_DAY */
  facts: string
}

export async function readCounted(
  database: Database,
): Promise<{ days: CountedDay[]; kinds: Map<number, Kind> }> {
  const known = await database.run(readDays)
  const days = known.every(isCounted) ? known : await database.transaction(recount)
  // After the days: no kind that they name is ever removed.
  const kinds = await database.run((orm) => orm.select().from(captureKinds))
  return { days: days.filter(isCounted), kinds: new Map(kinds.map(({ id, kind }) => [id, readKind(kind)])) }
}

type Day = typeof captureDays.$inferSelect

const isCounted = (day: Day): day is CountedDay => day.facts !== null

const readDays = (orm: Orm): Promise<Day[]> => orm.select().from(captureDays).orderBy(asc(captureDays.day))

/** Days in which something changed are put together anew. The lock keeps off whoever would change one meanwhile. */
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

/** Its second part is word for word the condition of the index. */
const IS_OF_DAY = sql`quarter >= capture_days.day * 96 and quarter < (capture_days.day + 1) * 96 and place <> 'trashed'`

/** Millisecond of the day, id of the kind, words, duration in milliseconds or null, corrections. */
const FACTS_OF_DAY = sql`(
  select '[' || coalesce(string_agg(
    (date_part('epoch', recorded_at) * 1000)::bigint - capture_days.day * 86400000::bigint || ',' ||
    capture_kinds.id || ',' || word_count || ',' || coalesce(duration_ms::text, 'null') || ',' || corrections,
    ',' order by recorded_at), '') || ']'
  from ${captureFacts} join ${captureKinds} on ${captureKinds.kind} = ${captureFacts.kind}
  where ${IS_OF_DAY})`

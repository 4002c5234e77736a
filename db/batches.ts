// Queries on batches, work on many captures at once, and on their items.
// What is done with an item is src/jobs/batch-feeder.ts.

import { and, asc, count, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Orm } from './database.ts'
import {
  type BatchItemRow,
  type BatchRow,
  batches,
  batchItems,
  captures,
  jobs,
  type StoredError,
} from './schema.ts'
import { type CaptureConditions, sqlConditions } from './search.ts'

export const UNFINISHED_ITEMS = ['waiting', 'queued'] satisfies BatchItemRow['state'][]

export async function insertBatch(orm: Orm, row: BatchRow): Promise<void> {
  await orm.insert(batches).values(row)
}

/** Its items go with it. */
export async function deleteBatch(orm: Orm, id: string): Promise<void> {
  await orm.delete(batches).where(eq(batches.id, id))
}

/** Batches that ended before a time are forgotten. */
export async function forgetBatches(orm: Orm, before: Date): Promise<void> {
  await orm.delete(batches).where(sql`${batches.finishedAt} < ${before.toISOString()}::timestamptz`)
}

/** An id that is given twice counts once; one that is no capture's is skipped from the beginning, for this reason. */
export async function insertItems(
  orm: Orm,
  { batchId, captureIds, missing }: { batchId: string; captureIds: readonly string[]; missing: StoredError },
): Promise<void> {
  // One parameter however many there are, and one statement: everybody else waits for it.
  const asked = sql`jsonb_array_elements_text(${JSON.stringify(captureIds)}::text::jsonb) as asked (id)`
  await orm.execute(
    sql`insert into ${batchItems} (batch_id, capture_id, state, error)
      select ${batchId}::uuid, asked.id::uuid, case when ${captures.id} is null then 'skipped' else 'waiting' end,
        case when ${captures.id} is null then ${JSON.stringify(missing)}::text::jsonb end
      from ${asked} left join ${captures} on ${captures.id} = asked.id::uuid
      on conflict do nothing`,
  )
}

/** All captures that fulfil the conditions now. */
export async function insertItemsMeant(orm: Orm, batchId: string, meant: CaptureConditions): Promise<void> {
  const where = and(...sqlConditions(meant))
  await orm.execute(
    sql`insert into ${batchItems} (batch_id, capture_id, state) select ${batchId}::uuid, ${captures.id}, 'waiting' from ${captures} where ${where}`,
  )
}

/** The captures that were meant. */
export async function itemIds(orm: Orm, batchId: string): Promise<string[]> {
  const rows = await orm
    .select({ captureId: batchItems.captureId })
    .from(batchItems)
    .where(eq(batchItems.batchId, batchId))
    .orderBy(asc(batchItems.captureId))
  return rows.map(({ captureId }) => captureId)
}

type Reason = { batchId: string; error: StoredError }

/** Waiting items whose capture is in the trash, has lost its audio, or has this model's transcript already. */
export async function skipWhere(
  orm: Orm,
  {
    batchId,
    error,
    ...such
  }: Reason & { such: 'trashed' | 'without_audio' | { transcribedBy: string; language: string | null } },
): Promise<void> {
  const matching = sql`select ${captures.id} from ${captures} where ${conditionOf(such.such)}`
  await orm
    .update(batchItems)
    .set({ state: 'skipped', error })
    .where(
      and(
        eq(batchItems.batchId, batchId),
        eq(batchItems.state, 'waiting'),
        sql`${batchItems.captureId} in (${matching})`,
      ),
    )
}

function conditionOf(
  such: 'trashed' | 'without_audio' | { transcribedBy: string; language: string | null },
): SQL {
  if (such === 'trashed') return sql`${captures.trashedAt} is not null`
  if (such === 'without_audio') return sql`not ${captures.audioAvailable}`
  const { transcribedBy, language } = such
  const same = sql`${captures.status} = 'completed' and ${captures.sttModel} = ${transcribedBy}`
  return language === null ? same : sql`${same} and coalesce(${captures.language}, 'auto') = ${language}`
}

export async function findBatch(orm: Orm, id: string): Promise<BatchRow | null> {
  const [row] = await orm.select().from(batches).where(eq(batches.id, id))
  return row ?? null
}

/** Newest first. */
export async function listBatches(
  orm: Orm,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: BatchRow[]; total: number }> {
  const rows = await orm
    .select()
    .from(batches)
    .orderBy(desc(batches.createdAt), desc(batches.id))
    .limit(limit)
    .offset(offset)
  const [all] = await orm.select({ count: count() }).from(batches)
  return { rows, total: all?.count ?? 0 }
}

/** Oldest first. */
export async function runningBatches(orm: Orm, kind: BatchRow['kind']): Promise<BatchRow[]> {
  return orm
    .select()
    .from(batches)
    .where(and(eq(batches.kind, kind), eq(batches.state, 'running')))
    .orderBy(asc(batches.id))
}

/** By batch and state. */
export async function countItems(
  orm: Orm,
  batchIds: string[],
): Promise<(Pick<BatchItemRow, 'batchId' | 'state'> & { count: number })[]> {
  if (batchIds.length === 0) return []
  return orm
    .select({ batchId: batchItems.batchId, state: batchItems.state, count: count() })
    .from(batchItems)
    .where(inArray(batchItems.batchId, batchIds))
    .groupBy(batchItems.batchId, batchItems.state)
}

/** Captures that were not done, and why: what failed before what was skipped, without those that needed nothing. */
export async function sampleErrors(
  orm: Orm,
  { batchId, except, limit }: { batchId: string; except: string; limit: number },
): Promise<BatchItemRow[]> {
  return orm
    .select()
    .from(batchItems)
    .where(
      and(
        eq(batchItems.batchId, batchId),
        inArray(batchItems.state, ['failed', 'skipped']),
        sql`${batchItems.error}->>'code' <> ${except}`,
      ),
    )
    .orderBy(asc(batchItems.state), asc(batchItems.captureId))
    .limit(limit)
}

/** Waiting items behind one, in the order of their captures' ids. */
export async function waitingItems(
  orm: Orm,
  { batchId, after, limit }: { batchId: string; after: string | null; limit: number },
): Promise<string[]> {
  const behind = after === null ? undefined : sql`${batchItems.captureId} > ${after}::uuid`
  const rows = await orm
    .select({ captureId: batchItems.captureId })
    .from(batchItems)
    .where(and(eq(batchItems.batchId, batchId), eq(batchItems.state, 'waiting'), behind))
    .orderBy(asc(batchItems.captureId))
    .limit(limit)
  return rows.map(({ captureId }) => captureId)
}

/** Of some captures, or of all, which looks at every item that is unfinished. */
export async function queuedItems(
  orm: Orm,
  batchId: string,
  captureIds: string[] | null = null,
): Promise<BatchItemRow[]> {
  if (captureIds?.length === 0) return []
  return orm
    .select()
    .from(batchItems)
    .where(and(isItem(batchId, captureIds), eq(batchItems.state, 'queued')))
}

const isItem = (batchId: string, captureIds: string[] | null): SQL | undefined =>
  and(
    eq(batchItems.batchId, batchId),
    captureIds === null ? undefined : inArray(batchItems.captureId, captureIds),
  )

type ItemChange = {
  batchId: string
  captureIds: string[]
  state: BatchItemRow['state']
  jobId?: string
  error?: StoredError | null
}

/** Of items on which something is still to be done. */
export async function changeItems(
  orm: Orm,
  { batchId, captureIds, state, jobId, error = null }: ItemChange,
): Promise<void> {
  if (captureIds.length === 0) return
  await orm
    .update(batchItems)
    .set({ state, error, ...(jobId !== undefined && { jobId }) })
    .where(
      and(
        eq(batchItems.batchId, batchId),
        inArray(batchItems.captureId, captureIds),
        inArray(batchItems.state, UNFINISHED_ITEMS),
      ),
    )
}

/** Items that wait although their job was queued: the process died, or lost the database, between the two. */
export async function adoptJobs(orm: Orm, batchId: string): Promise<void> {
  await orm.execute(
    sql`update ${batchItems} set state = 'queued', job_id = ${jobs.id} from ${jobs}
      where ${batchItems.batchId} = ${batchId} and ${batchItems.state} = 'waiting'
        and ${jobs.batchId} = ${batchItems.batchId} and ${jobs.captureId} = ${batchItems.captureId}`,
  )
}

/** Queued items whose job has ended, or went away with its capture, end as it did. */
export async function settleItems(
  orm: Orm,
  { batchId, captureIds, error }: Reason & { captureIds: string[] },
): Promise<void> {
  if (captureIds.length === 0) return
  const isMeant = and(isItem(batchId, captureIds), eq(batchItems.state, 'queued'))
  await orm.execute(
    sql`update ${batchItems} set state = ${jobs.state}, error = ${jobs.error} from ${jobs}
      where ${isMeant} and ${jobs.id} = ${batchItems.jobId} and ${jobs.state} not in ('waiting', 'active')`,
  )
  const itsJob = sql`exists (select 1 from ${jobs} where ${jobs.id} = ${batchItems.jobId})`
  await orm
    .update(batchItems)
    .set({ state: 'skipped', error })
    .where(and(isMeant, sql`not ${itsJob}`))
}

/** What is still to be done of it is not done any more. */
export async function cancelItems(orm: Orm, batchId: string): Promise<void> {
  await orm
    .update(batchItems)
    .set({ state: 'canceled' })
    .where(and(eq(batchItems.batchId, batchId), inArray(batchItems.state, UNFINISHED_ITEMS)))
}

/** False when it had ended already, and then nothing changes. */
export async function endBatch(
  orm: Orm,
  { id, state, now }: { id: string; state: 'completed' | 'canceled'; now: Date },
): Promise<boolean> {
  const ended = await orm
    .update(batches)
    .set({ state, finishedAt: now })
    .where(and(eq(batches.id, id), eq(batches.state, 'running')))
    .returning({ id: batches.id })
  return ended.length === 1
}

/** Ends it when nothing is left to be done. */
export async function endBatchIfDone(orm: Orm, id: string, now: Date): Promise<boolean> {
  const isLeft = sql`exists (select 1 from ${batchItems} where ${batchItems.batchId} = ${batches.id} and ${inArray(batchItems.state, UNFINISHED_ITEMS)})`
  const ended = await orm
    .update(batches)
    .set({ state: 'completed', finishedAt: now })
    .where(and(eq(batches.id, id), eq(batches.state, 'running'), sql`not ${isLeft}`))
    .returning({ id: batches.id })
  return ended.length === 1
}

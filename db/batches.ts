// Queries on batches (work on many captures at once) and their items.

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

/** Deletes its items, too. */
export async function deleteBatch(orm: Orm, id: string): Promise<void> {
  await orm.delete(batches).where(eq(batches.id, id))
}

/** Deletes batches that ended before a time. */
export async function forgetBatches(orm: Orm, before: Date): Promise<void> {
  await orm.delete(batches).where(sql`${batches.finishedAt} < ${before.toISOString()}::timestamptz`)
}

/** Items per insert statement. */
const IDS_AT_ONCE = 1000

/** Repeated ids count once. Items without a capture start as skipped, with this error. */
export async function insertItems(
  orm: Orm,
  { batchId, captureIds, missing }: { batchId: string; captureIds: readonly string[]; missing: StoredError },
): Promise<void> {
  for (let from = 0; from < captureIds.length; from += IDS_AT_ONCE) {
    const ids = JSON.stringify(captureIds.slice(from, from + IDS_AT_ONCE))
    const requested = sql`jsonb_array_elements_text(${ids}::text::jsonb) as asked (id)`
    await orm.execute(
      sql`insert into ${batchItems} (batch_id, capture_id, state, error)
        select ${batchId}::uuid, asked.id::uuid, case when ${captures.id} is null then 'skipped' else 'waiting' end,
          case when ${captures.id} is null then ${JSON.stringify(missing)}::text::jsonb end
        from ${requested} left join ${captures} on ${captures.id} = asked.id::uuid
        on conflict do nothing`,
    )
  }
}

/** All captures that match the conditions now. */
export async function insertItemsMeant(orm: Orm, batchId: string, meant: CaptureConditions): Promise<void> {
  const where = and(...sqlConditions(meant))
  await orm.execute(
    sql`insert into ${batchItems} (batch_id, capture_id, state) select ${batchId}::uuid, ${captures.id}, 'waiting' from ${captures} where ${where}`,
  )
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

/** Captures that were not done, with the reason: failed before skipped, without those that needed no work. */
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

/** Unfinished items without an unfinished job of this batch, after one, in the order of their captures' ids. */
export async function itemsToDo(
  orm: Orm,
  { batchId, after, limit }: { batchId: string; after: string | null; limit: number },
): Promise<string[]> {
  const isAfter = after === null ? undefined : sql`${batchItems.captureId} > ${after}::uuid`
  const isUnfinished = inArray(batchItems.state, UNFINISHED_ITEMS)
  const itsJob = sql`select 1 from ${jobs} where ${jobs.captureId} = ${batchItems.captureId}
    and ${jobs.batchId} = ${batchItems.batchId} and ${jobs.state} in ('waiting', 'active')`
  const rows = await orm
    .select({ captureId: batchItems.captureId })
    .from(batchItems)
    .where(and(eq(batchItems.batchId, batchId), isUnfinished, sql`not exists (${itsJob})`, isAfter))
    .orderBy(asc(batchItems.captureId))
    .limit(limit)
  return rows.map(({ captureId }) => captureId)
}

type ItemChange = {
  batchId: string
  captureIds: string[]
  state: BatchItemRow['state']
  jobId?: string
  error?: StoredError | null
}

/** Of unfinished items. */
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

/** Items whose job has ended take its outcome; earlier versions ended the two in separate transactions. */
export async function settleItems(orm: Orm, batchId: string): Promise<void> {
  await orm.execute(
    sql`update ${batchItems} set state = ${jobs.state}, error = ${jobs.error} from ${jobs}
      where ${batchItems.batchId} = ${batchId} and ${inArray(batchItems.state, UNFINISHED_ITEMS)}
        and ${jobs.batchId} = ${batchItems.batchId} and ${jobs.captureId} = ${batchItems.captureId}
        and ${jobs.state} not in ('waiting', 'active')`,
  )
}

/** Ends a running batch and its unfinished items; false without any change if it had ended. */
export async function cancelBatchAndItems(orm: Orm, id: string, now: Date): Promise<boolean> {
  const canceled = await orm
    .update(batches)
    .set({ state: 'canceled', finishedAt: now })
    .where(and(eq(batches.id, id), eq(batches.state, 'running')))
    .returning({ id: batches.id })
  if (canceled.length === 0) return false
  await orm
    .update(batchItems)
    .set({ state: 'canceled' })
    .where(and(eq(batchItems.batchId, id), inArray(batchItems.state, UNFINISHED_ITEMS)))
  return true
}

/** Ends it if no work is left. */
export async function endBatchIfDone(orm: Orm, id: string, now: Date): Promise<boolean> {
  const isLeft = sql`exists (select 1 from ${batchItems} where ${batchItems.batchId} = ${batches.id} and ${inArray(batchItems.state, UNFINISHED_ITEMS)})`
  const ended = await orm
    .update(batches)
    .set({ state: 'completed', finishedAt: now })
    .where(and(eq(batches.id, id), eq(batches.state, 'running'), sql`not ${isLeft}`))
    .returning({ id: batches.id })
  return ended.length === 1
}

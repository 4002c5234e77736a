// Queries on jobs as clients see them. Their delivery is in pg-boss's own tables, which only src/jobs knows.

import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  min,
  type SQL,
  sql,
} from 'drizzle-orm'
import { changeItems } from './batches.ts'
import { wholeRows } from './bulk-upsert.ts'
import type { Orm } from './database.ts'
import { captures, type JobRow, jobs, type StoredError, UNFINISHED_STATES } from './schema.ts'

export const jobRows = wholeRows(jobs)

/** In a transaction: the item of its batch is queued with it. */
export async function insertJob(orm: Orm, row: JobRow): Promise<void> {
  await orm.execute(jobRows.inserting([row]))
  const { id: jobId, batchId, captureId } = row
  if (batchId !== null) await changeItems(orm, { batchId, captureIds: [captureId], state: 'queued', jobId })
}

export async function insertJobs(orm: Orm, rows: JobRow[]): Promise<void> {
  if (rows.length > 0) await orm.execute(sql`${jobRows.inserting(rows)} on conflict do nothing`)
}

/** A job with the name of its recording, for people: null if it has neither a title nor a text, or is deleted. */
export type NamedJob = JobRow & { captureTitle: string | null }

const titleText = sql`coalesce(title, file_name, nullif(left(coalesce(transcript_refined, transcript_raw), 80), ''))`
const captureTitle = sql<
  string | null
>`(select ${titleText} from captures where captures.id = ${jobs.captureId})`
const named = { ...getTableColumns(jobs), captureTitle }

export async function findJob(orm: Orm, id: string): Promise<NamedJob | null> {
  const [row] = await orm.select(named).from(jobs).where(eq(jobs.id, id))
  return row ?? null
}

/** Empty for a job that has not ended, or was deleted with its capture. */
export async function findWarnings(orm: Orm, id: string): Promise<StoredError[]> {
  const [row] = await orm.select({ warnings: jobs.warnings }).from(jobs).where(eq(jobs.id, id))
  return row?.warnings ?? []
}

export async function isAnyUnfinished(orm: Orm): Promise<boolean> {
  const rows = await orm.select({ id: jobs.id }).from(jobs).where(isUnfinished).limit(1)
  return rows.length > 0
}

/** Those of the jobs that have not ended. */
export async function unfinishedAmong(orm: Orm, ids: readonly string[]): Promise<Set<string>> {
  const rows = await orm
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(inArray(jobs.id, [...ids]), isUnfinished))
  return new Set(rows.map(({ id }) => id))
}

/** The waiting or running job of a capture, which has at most one. */
export async function findUnfinishedJob(orm: Orm, captureId: string): Promise<JobRow | null> {
  const [row] = await orm
    .select()
    .from(jobs)
    .where(and(eq(jobs.captureId, captureId), isUnfinished))
  return row ?? null
}

/** Every waiting and running job, oldest first. */
export async function unfinishedJobs(orm: Orm): Promise<JobRow[]> {
  return orm.select().from(jobs).where(inArray(jobs.state, UNFINISHED_STATES)).orderBy(asc(jobs.id))
}

/** Waiting and running jobs that batches requested. */
export async function unfinishedBatchJobs(
  orm: Orm,
): Promise<{ id: string; batchId: string; captureId: string }[]> {
  const { id, batchId, captureId } = jobs
  return orm
    .select({ id, batchId: sql<string>`${batchId}`, captureId })
    .from(jobs)
    .where(and(isNotNull(batchId), isUnfinished))
}

// Without parameters, so that a prepared plan uses the index of unfinished jobs.
const isUnfinished = sql`${jobs.state} in ('waiting', 'active')`

/**
 * Starts a waiting job, or one that was running before, and counts the attempt; null if it has ended. A job that was
 * returned to the queue uncounted repeats its attempt: the number never falls.
 * The capture's state changes in the same transaction.
 */
export async function startJob(orm: Orm, id: string, now: Date): Promise<JobRow | null> {
  const start = orm
    .update(jobs)
    .set({
      state: 'active',
      progress: 0,
      attempts: sql`${jobs.attempts} + ${isNewAttempt}::int`,
      startedAt: now,
    })
    .where(and(eq(jobs.id, id), inArray(jobs.state, UNFINISHED_STATES)))
    .returning()
  const started = orm.$with('started').as(start)
  const show = orm
    .update(captures)
    .set({ status: 'transcribing', revision: sql`${captures.revision} + 1` })
    .where(sql`${captures.id} = (select capture_id from started) and ${captures.status} = 'pending'`)
    .returning({ id: captures.id })
  const [row] = await orm.with(started, orm.$with('shown').as(show)).select().from(started)
  return row ?? null
}

const isNewAttempt = sql`(${jobs.state} = 'active' or ${jobs.startedAt} is null)`

/** Returns running jobs to the queue: the attempt counts only if the job itself may have caused the stop. */
export async function requeueJobs(orm: Orm, ids: string[], countAttempt: boolean): Promise<void> {
  if (ids.length === 0) return
  await orm
    .update(jobs)
    .set({ state: 'waiting', progress: 0, ...(countAttempt && { startedAt: null }) })
    .where(and(inArray(jobs.id, ids), eq(jobs.state, 'active')))
}

export async function setJobProgress(orm: Orm, id: string, progress: number): Promise<void> {
  await orm
    .update(jobs)
    .set({ progress })
    .where(and(eq(jobs.id, id), eq(jobs.state, 'active')))
}

export type JobEnd = {
  id: string
  state: 'completed' | 'failed' | 'canceled'
  error: StoredError | null
  now: Date
  /** if given, only this attempt may end it */
  attempt?: number
  warnings?: readonly StoredError[]
}

/**
 * Ends a job; false without any change if it had ended or this is not its newest attempt. In a transaction: the item of
 * its batch ends with it.
 */
export async function endJob(
  orm: Orm,
  { id, state, error, now, attempt, warnings = [] }: JobEnd,
): Promise<boolean> {
  const isNewest = attempt === undefined ? undefined : eq(jobs.attempts, attempt)
  const [ended] = await orm
    .update(jobs)
    .set({
      state,
      error,
      warnings: [...warnings],
      finishedAt: now,
      ...(state === 'completed' ? { progress: 1 } : {}),
    })
    .where(and(eq(jobs.id, id), inArray(jobs.state, UNFINISHED_STATES), isNewest))
    .returning({ batchId: jobs.batchId, captureId: jobs.captureId })
  if (ended === undefined) return false
  const { batchId, captureId } = ended
  if (batchId !== null) await changeItems(orm, { batchId, captureIds: [captureId], state, error })
  return true
}

export type JobFilter = {
  states: JobRow['state'][] | null
  captureId: string | null
  limit: number
  offset: number
}

/** Newest first. */
export async function listJobs(
  orm: Orm,
  { states, captureId, limit, offset }: JobFilter,
): Promise<{ rows: NamedJob[]; total: number }> {
  const conditions: SQL[] = []
  if (states !== null) conditions.push(inArray(jobs.state, states))
  if (captureId !== null) conditions.push(eq(jobs.captureId, captureId))
  const where = and(...conditions)
  const rows = await orm
    .select(named)
    .from(jobs)
    .where(where)
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .limit(limit)
    .offset(offset)
  const [all] = await orm.select({ count: count() }).from(jobs).where(where)
  return { rows, total: all?.count ?? 0 }
}

/** Bytes a second of a recording that was never decoded; between compressed speech and 16-bit samples. */
const BYTES_A_SECOND = 8000

/** Of the recordings that wait to be transcribed. */
export async function queuedAudioSeconds(orm: Orm): Promise<number> {
  const seconds = sql`coalesce(${captures.durationMs} / 1000.0, ${captures.audioBytes} / ${BYTES_A_SECOND}::float8)`
  const [row] = await orm
    .select({ seconds: sql<number>`coalesce(sum(${seconds}), 0)::float8` })
    .from(jobs)
    .innerJoin(captures, eq(captures.id, jobs.captureId))
    .where(and(eq(jobs.state, 'waiting'), inArray(jobs.kind, ['transcribe', 'retranscribe'])))
  return row?.seconds ?? 0
}

export type QueueCounts = { waiting: number; active: number; oldestWaiting: Date | null }

export async function countUnfinishedJobs(orm: Orm): Promise<QueueCounts> {
  const rows = await orm
    .select({ state: jobs.state, count: count(), oldest: min(jobs.createdAt) })
    .from(jobs)
    .where(inArray(jobs.state, UNFINISHED_STATES))
    .groupBy(jobs.state)
  const of = (state: JobRow['state']) => rows.find((row) => row.state === state)
  const oldest = of('waiting')?.oldest
  return {
    waiting: of('waiting')?.count ?? 0,
    active: of('active')?.count ?? 0,
    oldestWaiting: oldest ? new Date(oldest) : null,
  }
}

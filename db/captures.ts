// Queries on captures and on the remains of deleted ones.

import { and, count, eq, gt, inArray, isNotNull, notExists, type SQL, sql } from 'drizzle-orm'
import { newValue, wholeRows } from './bulk-upsert.ts'
import { buryFacts, savingFacts } from './capture-facts.ts'
import { type Orm, returnedRows } from './database.ts'
import { jobRows } from './jobs.ts'
import {
  type CaptureFactsRow,
  type CaptureRow,
  captureSegments,
  captures,
  type DeletedCaptureRow,
  deletedCaptures,
  type JobRow,
  jobs,
  type StoredSegment,
  UNFINISHED_STATES,
} from './schema.ts'

const isUnfinishedJob = and(eq(jobs.captureId, captures.id), inArray(jobs.state, UNFINISHED_STATES))

export type StoredCapture = {
  capture: CaptureRow
  segments: StoredSegment[]
  /** its waiting or running job; a capture has at most one */
  job: JobRow | null
}

export async function findCapture(orm: Orm, id: string): Promise<StoredCapture | null> {
  const [found] = await orm
    .select({ capture: captures, job: jobs, segments: captureSegments.segments })
    .from(captures)
    .leftJoin(jobs, isUnfinishedJob)
    .leftJoin(captureSegments, eq(captureSegments.captureId, captures.id))
    .where(eq(captures.id, id))
  return found === undefined ? null : { ...found, segments: found.segments ?? [] }
}

/** Captures with an outdated copy beside the audio, by id. An unread record is never overwritten. */
export async function uncopiedCaptures(
  orm: Orm,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await orm
    .select({ id: captures.id })
    .from(captures)
    .where(
      and(
        sql`copied_revision is distinct from revision`,
        sql`copied_revision is not null`,
        gt(captures.id, after),
      ),
    )
    .orderBy(captures.id)
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** False if there is no such capture. */
export async function noteCopied(
  orm: Orm,
  { id, revision }: { id: string; revision: number },
): Promise<boolean> {
  const noted = await orm
    .update(captures)
    .set({ copiedRevision: revision })
    .where(eq(captures.id, id))
    .returning({ id: captures.id })
  return noted.length > 0
}

/** Marks their copies to be written again. */
export async function noteUncopied(orm: Orm, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await orm
      .update(captures)
      .set({ copiedRevision: 0 })
      .where(and(inArray(captures.id, ids), isNotNull(captures.copiedRevision)))
}

const captureRows = wholeRows(captures, (name) =>
  // A change does not know the last copied revision; nothing may overwrite an unread record.
  name === 'copied_revision' ? `captures."${name}"` : newValue(name),
)

/** Updates a capture's row, its segments if they have changed, and its search row. */
export type IndexedCapture = {
  capture: CaptureRow
  segments?: readonly StoredSegment[] | undefined
  facts: CaptureFactsRow
}

export const saveCapture = (orm: Orm, row: IndexedCapture, alongside?: { job?: JobRow }): Promise<void> =>
  saveCaptures(orm, [row], alongside)

/** Upserts whole rows. `job` is the first job of a new capture. */
export async function saveCaptures(
  orm: Orm,
  rows: IndexedCapture[],
  { job }: { job?: JobRow } = {},
): Promise<void> {
  if (rows.length === 0) return
  const parts = [sql`saved as (${captureRows.saving(rows.map(({ capture }) => capture))})`]
  if (job !== undefined) parts.push(sql`made as (${jobRows.inserting([job])})`)
  const spoken = rows.flatMap(({ capture: { id }, segments }) =>
    segments === undefined ? [] : [{ id, segments }],
  )
  if (spoken.length > 0) parts.push(sql`spoken as (${savingSegments(spoken)})`)
  const facts = savingFacts(rows.map((row) => row.facts))
  await orm.execute(sql`with ${sql.join(parts, sql.raw(', '))} ${facts}`)
}

/**
 * Changes a capture from the revision before the row's. False if it has another revision or is deleted: then nothing
 * is written, by one statement, however late it arrives.
 */
export async function saveChange(orm: Orm, { capture, segments, facts }: IndexedCapture): Promise<boolean> {
  const isNext = sql`${captures.revision} = excluded.revision - 1`
  const isSaved = sql`where exists (select from saved)`
  const parts = [
    sql`saved as (${captureRows.updating([capture], isNext)})`,
    ...(segments === undefined
      ? []
      : [sql`spoken as (${savingSegments([{ id: capture.id, segments }], isSaved)})`]),
    sql`found as (${savingFacts([facts], isSaved)})`,
  ]
  const answer = await orm.execute(sql`with ${sql.join(parts, sql.raw(', '))} select id from saved`)
  return returnedRows(answer).length > 0
}

type Spoken = { id: string; segments: readonly StoredSegment[] }[]

const savingSegments = (spoken: Spoken, given = sql`where true`): SQL =>
  sql`insert into ${captureSegments} (capture_id, segments)
    select id, segments from json_to_recordset(${JSON.stringify(spoken)}::text::json) as spoken (id uuid, segments json)
    ${given} on conflict (capture_id) do update set segments = excluded.segments`

/**
 * Changes only the job state. Also a new revision, so that a change that another server decided before does not undo it.
 * True if a row changed.
 */
export async function setCaptureStatus(
  orm: Orm,
  change: { ids: string[]; from: CaptureRow['status'][]; to: CaptureRow['status'] },
): Promise<boolean> {
  if (change.ids.length === 0) return false
  const changed = await orm
    .update(captures)
    .set({ status: change.to, revision: sql`${captures.revision} + 1` })
    .where(and(inArray(captures.id, change.ids), inArray(captures.status, change.from)))
    .returning({ id: captures.id })
  return changed.length > 0
}

/** Also a new revision, so that the copy contains it. */
export async function markAudio(
  orm: Orm,
  ids: readonly string[],
  { isThere }: { isThere: boolean },
): Promise<void> {
  if (ids.length > 0)
    await orm
      .update(captures)
      .set({ audioAvailable: isThere, revision: sql`${captures.revision} + 1` })
      .where(inArray(captures.id, ids))
}

/** Deletes the rows with their jobs and stores what the statistics need. Idempotent. */
export async function buryCaptures(orm: Orm, remains: DeletedCaptureRow[]): Promise<void> {
  if (remains.length === 0) return
  const ids = remains.map((one) => one.id)
  await orm.delete(captures).where(inArray(captures.id, ids))
  await orm.insert(deletedCaptures).values(remains).onConflictDoNothing()
  await buryFacts(orm, remains)
}

export async function findDeleted(orm: Orm, id: string): Promise<DeletedCaptureRow | null> {
  const [row] = await orm.select().from(deletedCaptures).where(eq(deletedCaptures.id, id))
  return row ?? null
}

/** Deleted captures whose files are still to be erased. */
export const unerasedCaptures = (orm: Orm): Promise<DeletedCaptureRow[]> =>
  orm.select().from(deletedCaptures).where(sql`audio_path is not null`)

export async function noteErased(orm: Orm, id: string): Promise<void> {
  await orm.update(deletedCaptures).set({ audioPath: null }).where(eq(deletedCaptures.id, id))
}

export type KnownCaptures = {
  /** whose audio should exist */
  withAudio: Set<string>
  withoutAudio: Set<string>
  /** whose record is not yet read into the database */
  unread: Set<string>
  deleted: Set<string>
}

/** Every id in the database. Aggregated into one text: a hundred thousand rows take ten times as long. */
export async function knownCaptures(orm: Orm): Promise<KnownCaptures> {
  const idsWhere = (where: SQL) =>
    sql<string | null>`string_agg(${captures.id}::text, ',') filter (where ${where})`
  const [kept] = await orm
    .select({
      withAudio: idsWhere(sql`audio_available`),
      withoutAudio: idsWhere(sql`not audio_available`),
      unread: idsWhere(sql`copied_revision is null`),
    })
    .from(captures)
  const [gone] = await orm
    .select({ ids: sql<string | null>`string_agg(${deletedCaptures.id}::text, ',')` })
    .from(deletedCaptures)
  const idsIn = (text: string | null | undefined) => new Set(text ? text.split(',') : [])
  return {
    withAudio: idsIn(kept?.withAudio),
    withoutAudio: idsIn(kept?.withoutAudio),
    unread: idsIn(kept?.unread),
    deleted: idsIn(gone?.ids),
  }
}

/** The spellings of all tags outside the trash, and how many captures have each. */
export const tagSpellings = (orm: Orm): Promise<{ tag: string; captures: number }[]> =>
  orm
    .select({ tag: sql<string>`tag`, captures: count() })
    .from(sql`${captures}, unnest(tags) as tag`)
    .where(sql`tags <> '{}' and trashed_at is null`)
    .groupBy(sql`tag`)

/** Captures without a first transcription and without a waiting job. */
export async function capturesWithoutJob(orm: Orm): Promise<CaptureRow[]> {
  const job = orm.select({ id: jobs.id }).from(jobs).where(isUnfinishedJob)
  return orm
    .select()
    .from(captures)
    .where(and(inArray(captures.status, ['pending', 'transcribing', 'refining']), notExists(job)))
    .orderBy(captures.id)
}

/** How many transcribed captures have lost the row of their segments, which each has after its record was read. */
export async function countWithoutSegments(orm: Orm): Promise<number> {
  const its = orm
    .select({ id: captureSegments.captureId })
    .from(captureSegments)
    .where(eq(captureSegments.captureId, captures.id))
  const [found] = await orm
    .select({ count: count() })
    .from(captures)
    .where(and(eq(captures.status, 'completed'), isNotNull(captures.copiedRevision), notExists(its)))
  return found?.count ?? 0
}

/** Whether the record of a capture is not yet read into the database. */
export async function hasUnread(orm: Orm): Promise<boolean> {
  const rows = await orm
    .select({ id: captures.id })
    .from(captures)
    .where(sql`copied_revision is null`)
    .limit(1)
  return rows.length > 0
}

// Queries on the captures and on what remains of deleted ones.
// Finding captures by their words is search.ts.

import { and, count, eq, inArray, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { buryFacts, savingFacts } from './capture-facts.ts'
import type { Orm } from './database.ts'
import { jobRows } from './jobs.ts'
import {
  type CaptureFactsRow,
  type CaptureRow,
  captures,
  type DeletedCaptureRow,
  deletedCaptures,
  type JobRow,
  jobs,
  UNFINISHED_STATES,
} from './schema.ts'
import { wholeRows } from './whole-rows.ts'

const isUnfinishedJob = and(eq(jobs.captureId, captures.id), inArray(jobs.state, UNFINISHED_STATES))

/** A capture, and its waiting or running job, of which there is never more than one. */
export async function findCapture(
  orm: Orm,
  id: string,
): Promise<{ capture: CaptureRow; job: JobRow | null } | null> {
  const [row] = await orm
    .select({ capture: captures, job: jobs })
    .from(captures)
    .leftJoin(jobs, isUnfinishedJob)
    .where(eq(captures.id, id))
  return row ?? null
}

/** What the row alone tells of a capture, whose file holds the rest. */
export type Standing = Pick<CaptureRow, 'status' | 'audioAvailable'> & { job: JobRow | null }

export async function findStanding(orm: Orm, id: string): Promise<Standing | null> {
  const [row] = await orm
    .select({ status: captures.status, audioAvailable: captures.audioAvailable, job: jobs })
    .from(captures)
    .leftJoin(jobs, isUnfinishedJob)
    .where(eq(captures.id, id))
  return row ?? null
}

const captureRows = wholeRows(captures)

/** A capture's row, and what it is found and counted by. */
export type IndexedCapture = { capture: CaptureRow; facts: CaptureFactsRow }

/** What becomes true with the row. */
export type SameTransaction = {
  /** its first job */
  job?: JobRow | undefined
}

/** Writes the whole row: the file beside the audio is the truth, and this follows it. */
export const saveCapture = (orm: Orm, row: IndexedCapture, alongside?: SameTransaction): Promise<void> =>
  saveCaptures(orm, [row], alongside)

/** Many at once, for a rebuild; rows that are there already are overwritten. */
export async function saveCaptures(
  orm: Orm,
  rows: IndexedCapture[],
  { job }: SameTransaction = {},
): Promise<void> {
  if (rows.length === 0) return
  const parts = [sql`saved as (${captureRows.saving(rows.map(({ capture }) => capture))})`]
  if (job !== undefined) parts.push(sql`made as (${jobRows.inserting([job])})`)
  const facts = savingFacts(rows.map((row) => row.facts))
  await orm.execute(sql`with ${sql.join(parts, sql.raw(', '))} ${facts}`)
}

/** Only the state of the work on it, which the file does not follow. True when one was changed. */
export async function setCaptureStatus(
  orm: Orm,
  change: { ids: string[]; from: CaptureRow['status'][]; to: CaptureRow['status'] },
): Promise<boolean> {
  if (change.ids.length === 0) return false
  const changed = await orm
    .update(captures)
    .set({ status: change.to })
    .where(and(inArray(captures.id, change.ids), inArray(captures.status, change.from)))
    .returning({ id: captures.id })
  return changed.length > 0
}

export async function markAudio(
  orm: Orm,
  ids: readonly string[],
  { isThere }: { isThere: boolean },
): Promise<void> {
  if (ids.length > 0)
    await orm.update(captures).set({ audioAvailable: isThere }).where(inArray(captures.id, ids))
}

/** The ids of those whose audio is taken for gone, in one text (see changeTimes). */
export async function capturesWithoutAudio(orm: Orm): Promise<string[]> {
  const text = sql<string | null>`string_agg(${captures.id}::text, ',')`
  const [found] = await orm.select({ text }).from(captures).where(sql`not ${captures.audioAvailable}`)
  return found?.text?.split(',') ?? []
}

/** Removes the rows, with their jobs, and keeps what the statistics need. May be done again. */
export async function buryCaptures(orm: Orm, remains: DeletedCaptureRow[]): Promise<void> {
  if (remains.length === 0) return
  const ids = remains.map((one) => one.id)
  await orm.delete(captures).where(inArray(captures.id, ids))
  await orm.insert(deletedCaptures).values(remains).onConflictDoNothing()
  await buryFacts(orm, remains)
}

export async function countIndexed(orm: Orm): Promise<{ captures: number; withAudio: number }> {
  const withAudio = sql<number>`(count(*) filter (where ${captures.audioAvailable}))::int`
  const [kept] = await orm.select({ captures: count(), withAudio }).from(captures)
  return kept ?? { captures: 0, withAudio: 0 }
}

/**
 * By id, of all captures and of what remains of those that are gone: when the index last followed a change, in
 * milliseconds since 1970. One text for all of them: a hundred thousand rows take ten times as long.
 */
export async function changeTimes(
  orm: Orm,
): Promise<{ kept: Map<string, number>; gone: Map<string, number> }> {
  const [kept] = await orm.select({ text: asText(captures.id, captures.updatedAt) }).from(captures)
  const [gone] = await orm
    .select({ text: asText(deletedCaptures.id, deletedCaptures.deletedAt) })
    .from(deletedCaptures)
  return { kept: timesIn(kept?.text ?? ''), gone: timesIn(gone?.text ?? '') }
}

const asText = (id: PgColumn, time: PgColumn) =>
  sql<string | null>`string_agg(${id} || ' ' || (extract(epoch from ${time}) * 1000)::bigint, ',')`

const timesIn = (text: string): Map<string, number> =>
  new Map(
    text === ''
      ? []
      : text.split(',').map((one) => {
          const [id = '', time] = one.split(' ')
          return [id, Number(time)]
        }),
  )

export async function revisionsOf(orm: Orm, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await orm
    .select({ id: captures.id, revision: captures.revision })
    .from(captures)
    .where(inArray(captures.id, ids))
  return new Map(rows.map((row) => [row.id, row.revision]))
}

/** Every capture's id and where its audio should be, a page at a time in the order of ids. */
export async function audioPaths(
  orm: Orm,
  page: { after: string; limit: number },
): Promise<{ id: string; audioPath: string; audioAvailable: boolean }[]> {
  return orm
    .select({ id: captures.id, audioPath: captures.audioPath, audioAvailable: captures.audioAvailable })
    .from(captures)
    .where(sql`${captures.id} > ${page.after}::uuid`)
    .orderBy(captures.id)
    .limit(page.limit)
}

/** Captures whose first transcription is not done and for which no job waits. */
export async function capturesWithoutJob(orm: Orm): Promise<CaptureRow[]> {
  const waiting = sql`exists (select 1 from ${jobs} where ${jobs.captureId} = ${captures.id} and ${jobs.state} in ('waiting', 'active'))`
  return orm
    .select()
    .from(captures)
    .where(and(inArray(captures.status, ['pending', 'transcribing', 'refining']), sql`not ${waiting}`))
    .orderBy(captures.id)
}

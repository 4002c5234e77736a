// Finds captures that exceed their retention limit, page by page. The caller checks each again before it removes it
// (src/captures/retention.ts).

import { and, asc, count, eq, gt, gte, lt, max, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { isPlace } from './capture-facts.ts'
import type { Orm } from './database.ts'
import { type CaptureRow, captureFacts, captures, retentionNotes, type StoredAnnouncement } from './schema.ts'

/** The sort key of a page, after which the next page continues. */
export type AgedRow = Pick<CaptureRow, 'id' | 'recordedAt'>

/** `after` is the last row of the page before; null for the first page. */
export type Page = { after: AgedRow | null; limit: number }

/**
 * Recorded before `recordedBefore`, or at any time if that is null. A recording that was old when it arrived only
 * counts if its last change came before `changedBefore`, so that an import is not removed at once.
 */
export type Age = { recordedBefore: Date | null; changedBefore: Date }

/** Captures that went into the trash before `time`. */
export const trashedBefore = (orm: Orm, time: Date, page: Page): Promise<AgedRow[]> =>
  rowsOf(orm, isTrashed(orm, time), page)

/** Captures of that age, oldest first, without a star and without an unfinished job. */
export const idleBefore = (orm: Orm, age: Age, page: Page): Promise<AgedRow[]> =>
  rowsOf(orm, isIdleBefore(age), page)

/** The same, with existing audio only. */
export const audioBefore = (orm: Orm, age: Age, page: Page): Promise<AgedRow[]> =>
  rowsOf(orm, isAudioBefore(age), page)

/** The number of captures that the function with the matching name above finds, without reading them. */
export const countTrashedBefore = (orm: Orm, time: Date): Promise<number> =>
  countOf(orm, isTrashed(orm, time))
export const countIdleBefore = (orm: Orm, age: Age): Promise<number> => countOf(orm, isIdleBefore(age))
export const countAudioBefore = (orm: Orm, age: Age): Promise<number> => countOf(orm, isAudioBefore(age))

/** All captures, in the trash or not; and those with audio. */
export const countCaptures = (orm: Orm): Promise<number> => countOf(orm, undefined)
export const countWithAudio = (orm: Orm): Promise<number> => countOf(orm, eq(captures.audioAvailable, true))

/** Time of the last change of any capture; null without captures. */
export async function newestChange(orm: Orm): Promise<Date | null> {
  const [row] = await orm.select({ newest: max(captures.updatedAt) }).from(captures)
  return row?.newest ?? null
}

/** Without captures in the trash and without those that arrived too recently to be removed by age. */
export const countKept = (orm: Orm, { changedBefore }: Age): Promise<number> =>
  countOf(orm, and(sql`${captures.trashedAt} is null`, isSettled(changedBefore)))

const isIdle = (): SQL =>
  and(
    eq(captures.starred, false),
    sql`${captures.trashedAt} is null`,
    notInArray(captures.status, ['pending', 'transcribing', 'refining']),
  )!

function isTrashed(orm: Orm, time: Date): SQL | undefined {
  const trashed = orm.select({ id: captureFacts.id }).from(captureFacts).where(isPlace('trashed'))
  return and(lt(captures.trashedAt, time), sql`${captures.id} in (${trashed})`)
}

const isIdleBefore = ({ recordedBefore, changedBefore }: Age): SQL | undefined =>
  and(
    isIdle(),
    recordedBefore === null ? undefined : lt(captures.recordedAt, recordedBefore),
    isSettled(changedBefore),
  )

/** See Age. */
const isSettled = (changedBefore: Date): SQL | undefined =>
  or(
    gte(captures.recordedAt, sql`${captures.createdAt} - interval '1 day'`),
    lt(captures.updatedAt, changedBefore),
  )

const isAudioBefore = (age: Age): SQL | undefined => and(isIdleBefore(age), eq(captures.audioAvailable, true))

async function countOf(orm: Orm, isMeant: SQL | undefined): Promise<number> {
  const [found] = await orm.select({ count: count() }).from(captures).where(isMeant)
  return found?.count ?? 0
}

async function rowsOf(orm: Orm, isMeant: SQL | undefined, { after, limit }: Page): Promise<AgedRow[]> {
  const { id, recordedAt } = captures
  const isAfter =
    after === null
      ? undefined
      : or(gt(recordedAt, after.recordedAt), and(eq(recordedAt, after.recordedAt), gt(id, after.id)))
  return orm
    .select({ id, recordedAt })
    .from(captures)
    .where(and(isMeant, isAfter))
    .orderBy(asc(recordedAt), asc(id))
    .limit(limit)
}

export type RetentionNote = { seenAt: number; announced: StoredAnnouncement | null }

const NOTE_ID = 1

/** Null if nothing was stored yet. */
export async function readRetentionNote(orm: Orm): Promise<RetentionNote | null> {
  const [row] = await orm.select().from(retentionNotes)
  return row === undefined ? null : { seenAt: row.seenAt, announced: row.announced }
}

export async function writeRetentionNote(orm: Orm, note: RetentionNote): Promise<void> {
  await orm
    .insert(retentionNotes)
    .values({ id: NOTE_ID, ...note })
    .onConflictDoUpdate({ target: retentionNotes.id, set: note })
}

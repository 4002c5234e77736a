// Which captures have been kept long enough, some at a time.
// Looks alone: what is found is looked at again before it goes (src/captures/retention.ts).

import { and, asc, count, eq, gt, gte, lt, max, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { isPlace } from './capture-facts.ts'
import type { Orm } from './database.ts'
import { type CaptureRow, captureFacts, captures, retentionNotes, type StoredAnnouncement } from './schema.ts'

/** What a page is sorted by, and what it may be continued after. */
export type AgedRow = Pick<CaptureRow, 'id' | 'recordedAt'>

/** `after` is the last row of the page before; null for the first page. */
export type Page = { after: AgedRow | null; limit: number }

/**
 * Recorded before `recordedBefore`, or whenever where it is null. What was recorded long before it was received only
 * counts if its last change came before `changedBefore`, so that an import is not removed as soon as it is here.
 */
export type Age = { recordedBefore: Date | null; changedBefore: Date }

/** Captures that went into the trash before `time`. */
export const trashedBefore = (orm: Orm, time: Date, page: Page): Promise<AgedRow[]> =>
  rowsOf(orm, isTrashed(orm, time), page)

/** Captures of that age, the oldest first, without a star and without work that is to be done. */
export const idleBefore = (orm: Orm, age: Age, page: Page): Promise<AgedRow[]> =>
  rowsOf(orm, isIdleBefore(age), page)

/** The same, of those whose audio is there. */
export const audioBefore = (orm: Orm, age: Age, page: Page): Promise<AgedRow[]> =>
  rowsOf(orm, isAudioBefore(age), page)

/** The same captures as the function above of the like name finds, without looking at them. */
export const countTrashedBefore = (orm: Orm, time: Date): Promise<number> =>
  countOf(orm, isTrashed(orm, time))
export const countIdleBefore = (orm: Orm, age: Age): Promise<number> => countOf(orm, isIdleBefore(age))
export const countAudioBefore = (orm: Orm, age: Age): Promise<number> => countOf(orm, isAudioBefore(age))

/** All there are, kept or in the trash; and those whose audio is there. */
export const countCaptures = (orm: Orm): Promise<number> => countOf(orm, undefined)
export const countWithAudio = (orm: Orm): Promise<number> => countOf(orm, eq(captures.audioAvailable, true))

/** When a capture last changed; null where there are none. */
export async function newestChange(orm: Orm): Promise<Date | null> {
  const [row] = await orm.select({ newest: max(captures.updatedAt) }).from(captures)
  return row?.newest ?? null
}

/** Those in the trash do not count, nor do those that are too new to be removed by age. */
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

/** Null where nothing was noted yet. */
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

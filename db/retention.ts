// Which captures have been kept long enough, some at a time in the order they were made.
// Looks alone: what is found is looked at again before it goes (src/captures/retention.ts).

import { and, asc, count, eq, gt, lt, max, notInArray, type SQL, sql } from 'drizzle-orm'
import { isPlace } from './capture-facts.ts'
import type { Orm } from './database.ts'
import { captureFacts, captures } from './schema.ts'

/** `after` is the last id of the page before; null for the first page. */
export type Page = { after: string | null; limit: number }

/** Captures that went into the trash before `time`. */
export async function trashedBefore(orm: Orm, time: Date, page: Page): Promise<string[]> {
  return idsOf(orm, isTrashed(orm, time), page)
}

/** Captures made before `time`, or any where it is null, without a star and without work that is to be done. */
export async function idleBefore(orm: Orm, time: Date | null, page: Page): Promise<string[]> {
  return idsOf(orm, isIdleBefore(time), page)
}

/** The same, of those whose audio is there. */
export async function audioBefore(orm: Orm, time: Date, page: Page): Promise<string[]> {
  return idsOf(orm, isAudioBefore(time), page)
}

/** The same captures as the function above of the like name finds, without looking at them. */
export const countTrashedBefore = (orm: Orm, time: Date): Promise<number> =>
  countOf(orm, isTrashed(orm, time))
export const countIdleBefore = (orm: Orm, time: Date | null): Promise<number> =>
  countOf(orm, isIdleBefore(time))
export const countAudioBefore = (orm: Orm, time: Date): Promise<number> => countOf(orm, isAudioBefore(time))

/** All there are, kept or in the trash; and those whose audio is there. */
export const countCaptures = (orm: Orm): Promise<number> => countOf(orm, undefined)
export const countWithAudio = (orm: Orm): Promise<number> => countOf(orm, eq(captures.audioAvailable, true))

/** When the index last followed a change; null where there are no captures. */
export async function newestChange(orm: Orm): Promise<Date | null> {
  const [row] = await orm.select({ newest: max(captures.updatedAt) }).from(captures)
  return row?.newest ?? null
}

/** Those in the trash do not count. */
export async function countKept(orm: Orm): Promise<number> {
  const [kept] = await orm.select({ count: count() }).from(captureFacts).where(isPlace('kept'))
  return kept?.count ?? 0
}

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

const isIdleBefore = (time: Date | null): SQL | undefined =>
  and(isIdle(), time === null ? undefined : lt(captures.createdAt, time))

const isAudioBefore = (time: Date): SQL | undefined =>
  and(isIdleBefore(time), eq(captures.audioAvailable, true))

async function countOf(orm: Orm, isMeant: SQL | undefined): Promise<number> {
  const [found] = await orm.select({ count: count() }).from(captures).where(isMeant)
  return found?.count ?? 0
}

async function idsOf(orm: Orm, isMeant: SQL | undefined, { after, limit }: Page): Promise<string[]> {
  const rows = await orm
    .select({ id: captures.id })
    .from(captures)
    .where(and(isMeant, after === null ? undefined : gt(captures.id, after)))
    .orderBy(asc(captures.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

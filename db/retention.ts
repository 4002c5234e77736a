// Which captures have been kept long enough, some at a time in the order they were made.
// Looks alone: what is found is looked at again before it goes (src/captures/retention.ts).

import { and, asc, count, eq, gt, lt, notInArray, type SQL, sql } from 'drizzle-orm'
import { isPlace } from './capture-facts.ts'
import type { Orm } from './database.ts'
import { captureFacts, captures } from './schema.ts'

/** `after` is the last id of the page before; null for the first page. */
export type Page = { after: string | null; limit: number }

/** Captures that went into the trash before `time`. */
export async function trashedBefore(orm: Orm, time: Date, page: Page): Promise<string[]> {
  const trashed = orm.select({ id: captureFacts.id }).from(captureFacts).where(isPlace('trashed'))
  const isOld = and(lt(captures.trashedAt, time), sql`${captures.id} in (${trashed})`)
  return idsOf(orm, isOld, page)
}

/** Captures made before `time`, or any where it is null, without a star and without work that is to be done. */
export async function idleBefore(orm: Orm, time: Date | null, page: Page): Promise<string[]> {
  return idsOf(orm, and(isIdle(), time === null ? undefined : lt(captures.createdAt, time)), page)
}

/** The same, of those whose audio is there. */
export async function audioBefore(orm: Orm, time: Date, page: Page): Promise<string[]> {
  return idsOf(orm, and(isIdle(), lt(captures.createdAt, time), eq(captures.audioAvailable, true)), page)
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

async function idsOf(orm: Orm, isMeant: SQL | undefined, { after, limit }: Page): Promise<string[]> {
  const rows = await orm
    .select({ id: captures.id })
    .from(captures)
    .where(and(isMeant, after === null ? undefined : gt(captures.id, after)))
    .orderBy(asc(captures.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

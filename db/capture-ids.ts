// Selects captures by id alone. The conditions come from search.ts.

import { and, asc, inArray, type SQL } from 'drizzle-orm'
import type { Orm } from './database.ts'
import { captures } from './schema.ts'
import { type CaptureConditions, sqlConditions } from './search.ts'

/** Oldest first. */
export const idsMeant = (orm: Orm, meant: CaptureConditions): Promise<string[]> =>
  idsWhere(orm, and(...sqlConditions(meant)))

/** The existing ones of these ids, in the order of their recording. */
export const idsThere = async (orm: Orm, ids: string[]): Promise<string[]> =>
  ids.length === 0 ? [] : idsWhere(orm, inArray(captures.id, ids))

async function idsWhere(orm: Orm, condition: SQL | undefined): Promise<string[]> {
  const rows = await orm
    .select({ id: captures.id })
    .from(captures)
    .where(condition)
    .orderBy(asc(captures.recordedAt), asc(captures.id))
  return rows.map(({ id }) => id)
}

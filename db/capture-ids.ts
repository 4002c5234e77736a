// Selects captures by id alone. The conditions come from search.ts.

import { and, asc, inArray } from 'drizzle-orm'
import type { Orm } from './database.ts'
import { captures } from './schema.ts'
import { type CaptureConditions, sqlConditions } from './search.ts'

/** Oldest first. */
export async function idsMeant(orm: Orm, meant: CaptureConditions): Promise<string[]> {
  const rows = await orm
    .select({ id: captures.id })
    .from(captures)
    .where(and(...sqlConditions(meant)))
    .orderBy(asc(captures.recordedAt), asc(captures.id))
  return rows.map(({ id }) => id)
}

/** The existing ones of these ids, in the order of their recording. */
export async function idsThere(orm: Orm, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await orm
    .select({ id: captures.id })
    .from(captures)
    .where(inArray(captures.id, ids))
    .orderBy(asc(captures.recordedAt), asc(captures.id))
  return rows.map(({ id }) => id)
}

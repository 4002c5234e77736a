// Queries on the earlier versions of captures' transcripts.

import { and, asc, eq, inArray } from 'drizzle-orm'
import { wholeRows } from './bulk-upsert.ts'
import type { Orm } from './database.ts'
import { type CaptureVersionRow, captureVersions } from './schema.ts'

const versionRows = wholeRows(captureVersions)

/** The columns that decide which versions stay. */
export type VersionNote = Pick<CaptureVersionRow, 'number' | 'byHand' | 'replacedByHand' | 'bytes'>

/** Oldest first. */
export const listVersionNotes = (orm: Orm, captureId: string): Promise<VersionNote[]> =>
  orm
    .select({
      number: captureVersions.number,
      byHand: captureVersions.byHand,
      replacedByHand: captureVersions.replacedByHand,
      bytes: captureVersions.bytes,
    })
    .from(captureVersions)
    .where(eq(captureVersions.captureId, captureId))
    .orderBy(asc(captureVersions.number))

/** Oldest first. */
export const listVersions = (orm: Orm, captureId: string): Promise<CaptureVersionRow[]> =>
  orm
    .select()
    .from(captureVersions)
    .where(eq(captureVersions.captureId, captureId))
    .orderBy(asc(captureVersions.number))

export async function insertVersions(orm: Orm, rows: readonly CaptureVersionRow[]): Promise<void> {
  for (const row of rows) await orm.execute(versionRows.inserting([row]))
}

export async function deleteVersions(orm: Orm, captureId: string, numbers?: number[]): Promise<void> {
  if (numbers?.length === 0) return
  const isMeant = numbers === undefined ? undefined : inArray(captureVersions.number, numbers)
  await orm.delete(captureVersions).where(and(eq(captureVersions.captureId, captureId), isMeant))
}

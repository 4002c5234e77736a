// Queries on writing styles.
// Their names are folded and their rules kept by src/writing.

import { asc, eq, notInArray } from 'drizzle-orm'
import type { Orm } from './database.ts'
import { type WritingStyleRow, writingStyles } from './writing-schema.ts'

export async function listWritingStyles(orm: Orm): Promise<WritingStyleRow[]> {
  return orm.select().from(writingStyles).orderBy(asc(writingStyles.id))
}

/** Brings the table to these rows, whatever was in it. Only inside a transaction. */
export async function replaceWritingStyles(tx: Orm, rows: readonly WritingStyleRow[]): Promise<void> {
  await tx.delete(writingStyles)
  if (rows.length > 0) await tx.insert(writingStyles).values([...rows])
}

/**
 * Brings the table from one state to another. Only inside a transaction.
 * What goes and what is no longer the default comes first: a name or the default may pass from one style to another.
 */
export async function saveWritingStyles(
  tx: Orm,
  { changed, ids }: { changed: readonly WritingStyleRow[]; ids: readonly string[] },
): Promise<void> {
  await tx.delete(writingStyles).where(notInArray(writingStyles.id, [...ids]))
  for (const row of changed.toSorted((one, other) => Number(one.isDefault) - Number(other.isDefault)))
    await tx.insert(writingStyles).values(row).onConflictDoUpdate({ target: writingStyles.id, set: row })
}

type StyleUse = Pick<WritingStyleRow, 'id' | 'usageCount' | 'lastUsedAt'>

/** What the counts are now; a style that is gone is passed over. */
export async function saveStyleUses(orm: Orm, uses: readonly StyleUse[]): Promise<void> {
  for (const { id, usageCount, lastUsedAt } of uses)
    await orm.update(writingStyles).set({ usageCount, lastUsedAt }).where(eq(writingStyles.id, id))
}

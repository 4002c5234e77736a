// Queries on the dictionary.
// What an entry means, and how its word is folded, is src/writing's.

import { asc, sql } from 'drizzle-orm'
import type { Orm } from './database.ts'
import { wholeRows } from './whole-rows.ts'
import { type DictionaryRow, dictionaryEntries } from './writing-schema.ts'

const dictionaryRows = wholeRows(dictionaryEntries)

export async function listDictionary(orm: Orm): Promise<DictionaryRow[]> {
  return orm.select().from(dictionaryEntries).orderBy(asc(dictionaryEntries.id))
}

/** Brings the table to these rows, whatever was in it. Only inside a transaction. */
export async function replaceDictionary(tx: Orm, rows: readonly DictionaryRow[]): Promise<void> {
  await tx.delete(dictionaryEntries)
  await saveDictionary(tx, { changed: rows, removed: [] })
}

/** What goes comes first: its word may be another's afterwards. Only inside a transaction. */
export async function saveDictionary(
  tx: Orm,
  { changed, removed }: { changed: readonly DictionaryRow[]; removed: readonly string[] },
): Promise<void> {
  if (removed.length > 0)
    await tx.execute(
      sql`delete from ${dictionaryEntries} where id in (select value::uuid from ${listed(removed)} as value)`,
    )
  if (changed.length > 0) await tx.execute(dictionaryRows.saving(changed))
}

// One parameter however many rows there are: Drizzle's builder takes seconds to put thousands of them together.
const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
const listed = (texts: readonly string[]) => sql`jsonb_array_elements_text(${json(texts)})`

export type DictionaryUse = { id: string; usageCount: number; lastUsedAt: Date | null }

/** What the counts are now; an entry that is gone is passed over. */
export async function saveDictionaryUses(orm: Orm, uses: readonly DictionaryUse[]): Promise<void> {
  const used = uses.map(({ id, usageCount, lastUsedAt }) => ({ id, count: usageCount, at: lastUsedAt }))
  await orm.execute(
    sql`update ${dictionaryEntries} as entry set usage_count = used.count, last_used_at = used.at
      from jsonb_to_recordset(${json(used)}) as used (id uuid, count int, at timestamptz) where entry.id = used.id`,
  )
}

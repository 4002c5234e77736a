// Queries on the library: its row, and the three tables of the user's entries.

import { asc, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { newValue, wholeRows } from './bulk-upsert.ts'
import type { Orm } from './database.ts'
import {
  dictionaryEntries,
  type LibraryRow,
  library,
  savedCommands,
  writingStyles,
} from './writing-schema.ts'

type NewLibrary = Omit<LibraryRow, 'id' | 'rows'>

const rowsNow = sql<number>`(select count(*)::int from ${dictionaryEntries}) + (select count(*)::int from ${writingStyles})
  + (select count(*)::int from ${savedCommands})`

/** Null in a database without a library. `isWhole` is false if a table has lost rows. */
export async function findLibrary(orm: Orm): Promise<(LibraryRow & { isWhole: boolean }) | null> {
  const [found] = await orm.select({ row: library, rowsNow }).from(library)
  return found === undefined ? null : { ...found.row, isWhole: found.row.rows === found.rowsNow }
}

/** Only in the transaction that filled the tables. */
export async function insertLibrary(tx: Orm, row: NewLibrary): Promise<void> {
  await tx.insert(library).values({ ...row, id: 1, rows: rowsNow })
}

/** Only in the transaction of a change, as its last statement. */
export async function raiseRevision(tx: Orm, revision: number): Promise<void> {
  await tx.update(library).set({ revision, rows: rowsNow })
}

export async function libraryRevision(orm: Orm): Promise<number> {
  const [row] = await orm.select({ revision: library.revision }).from(library)
  return row!.revision
}

/** Locks the row until the transaction ends, and waits for another that has locked it. */
export async function lockLibrary(tx: Orm): Promise<LibraryRow> {
  const [row] = await tx.select().from(library).for('update')
  return row!
}

export async function saveWebhookKey(tx: Orm, webhookKey: string): Promise<void> {
  await tx.update(library).set({ webhookKey })
}

/** Settings that this version does not know stay as they are. */
export async function saveSettings(tx: Orm, settings: Record<string, unknown>): Promise<void> {
  await tx.update(library).set({ settings: sql`${library.settings} || ${json(settings)}` })
}

/** Each server writes a copy; the newest counts. */
export async function noteLibraryCopied(orm: Orm, revision: number): Promise<void> {
  await orm
    .update(library)
    .set({ copiedRevision: revision })
    .where(sql`coalesce(${library.copiedRevision}, -1) < ${revision}`)
}

/** The columns that all three kinds of rows have. */
export type TaughtRow = { id: string; usageCount: number; lastUsedAt: Date | null }

/** How often an entry was used since its count was last stored. */
export type Uses = { id: string; count: number; lastUsedAt: Date }

export type LibraryTable<Row extends TaughtRow> = {
  /** in the order of their creation */
  list(orm: Orm): Promise<Row[]>
  /** inserts or overwrites */
  save(tx: Orm, rows: readonly Row[]): Promise<void>
  remove(tx: Orm, ids: readonly string[]): Promise<void>
  clear(tx: Orm): Promise<void>
  /** Adds to the counts; a deleted row is skipped. */
  addUses(orm: Orm, uses: readonly Uses[]): Promise<void>
}

function libraryTable<T extends PgTable & { id: PgColumn }>(
  table: T,
): LibraryTable<T['$inferSelect'] & TaughtRow> {
  type Row = T['$inferSelect'] & TaughtRow
  // Uses are counted apart from changes, and by several servers.
  const overwrite = (name: string) =>
    USES.includes(name) ? `"${getTableName(table)}"."${name}"` : newValue(name)
  const rows = wholeRows(table, overwrite)
  return {
    list: async (orm) =>
      (await orm
        .select()
        .from(table as PgTable)
        .orderBy(asc(table.id))) as Row[],
    async save(tx, changed) {
      if (changed.length > 0) await tx.execute(rows.saving(changed))
    },
    async remove(tx, ids) {
      await tx.execute(
        sql`delete from ${table} where id in (select value::uuid from jsonb_array_elements_text(${json(ids)}) as value)`,
      )
    },
    async clear(tx) {
      await tx.delete(table)
    },
    async addUses(orm, uses) {
      const used = uses.map(({ id, count, lastUsedAt }) => ({ id, count, at: lastUsedAt }))
      await orm.execute(
        sql`update ${table} as entry set usage_count = entry.usage_count + used.count,
          last_used_at = greatest(entry.last_used_at, used.at)
          from jsonb_to_recordset(${json(used)}) as used (id uuid, count int, at timestamptz) where entry.id = used.id`,
      )
    },
  }
}

const USES = ['usage_count', 'last_used_at']

// One parameter for any number of rows: Drizzle's builder takes seconds for a statement with thousands of them.
const json = (value: unknown): SQL => sql`${JSON.stringify(value)}::text::jsonb`

export const dictionaryTable = libraryTable(dictionaryEntries)
export const savedCommandTable = libraryTable(savedCommands)

const styleTable = libraryTable(writingStyles)
export const writingStyleTable: typeof styleTable = {
  ...styleTable,
  // The old default is cleared first: two styles may never both be the default, not even within a statement.
  save: (tx, rows) =>
    styleTable.save(
      tx,
      rows.toSorted((one, other) => Number(one.isDefault) - Number(other.isDefault)),
    ),
}

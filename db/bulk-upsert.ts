// Writes any number of rows of a table as one parameter: Drizzle's builder takes longer to build such a statement than
// Postgres to run it.

import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'

export type WholeRows<Row> = {
  /** fails if a row exists */
  inserting(rows: readonly Row[]): SQL
  /** inserts or overwrites; rows have an `id`. @param given without it, writes nothing */
  saving(rows: readonly Row[], given?: SQL): SQL
  /** overwrites existing rows where the condition holds, which may refer to `excluded`; returns their ids */
  updating(rows: readonly Row[], where: SQL): SQL
}

/** `overwrite` gives the value of a column for an existing row; by default the new value. */
export function wholeRows<T extends PgTable>(
  table: T,
  overwrite: (name: string) => string = newValue,
): WholeRows<T['$inferSelect']> {
  const columns = Object.entries(getTableColumns(table))
  const names = columns.map(([, { name }]) => `"${name}"`)
  const NAMES = sql.raw(names.join(', '))
  const OVERWRITE = sql.raw(columns.map(([, { name }]) => `"${name}" = ${overwrite(name)}`).join(', '))
  const named = (row: T['$inferSelect']) =>
    Object.fromEntries(columns.map(([key, { name }]) => [name, row[key as keyof typeof row]]))
  const recordset = (rows: readonly T['$inferSelect'][]) =>
    sql`json_populate_recordset(null::${table}, ${JSON.stringify(rows.map(named), wellFormed)}::text::json)`
  const inserting = (rows: readonly T['$inferSelect'][], given = sql``) =>
    sql`insert into ${table} (${NAMES}) select ${NAMES} from ${recordset(rows)} ${given}`
  return {
    inserting: (rows) => inserting(rows),
    saving: (rows, given = sql`where true`) =>
      sql`${inserting(rows, given)} on conflict (id) do update set ${OVERWRITE}`,
    updating: (rows, where) =>
      sql`update ${table} set ${OVERWRITE} from ${recordset(rows)} as excluded
        where ${table}.id = excluded.id and ${where} returning ${table}.id`,
  }
}

export const newValue = (name: string): string => `excluded."${name}"`

/** Postgres stores neither lone surrogates nor NUL as text; JSON can represent both. */
const wellFormed = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value

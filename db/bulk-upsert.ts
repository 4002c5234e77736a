// Writes any number of rows of a table as one parameter: Drizzle's builder takes longer to build such a statement than
// Postgres to run it.

import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'

export type WholeRows<Row> = {
  /** fails if a row exists */
  inserting(rows: readonly Row[]): SQL
  /** inserts or overwrites; rows have an `id` */
  saving(rows: readonly Row[]): SQL
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
  const inserting = (rows: readonly T['$inferSelect'][]) =>
    sql`insert into ${table} (${NAMES})
      select ${NAMES} from json_populate_recordset(null::${table}, ${JSON.stringify(rows.map(named), wellFormed)}::text::json)`
  return {
    inserting,
    saving: (rows) => sql`${inserting(rows)} on conflict (id) do update set ${OVERWRITE}`,
  }
}

export const newValue = (name: string): string => `excluded."${name}"`

/** Postgres stores neither lone surrogates nor NUL as text; JSON can represent both. */
const wellFormed = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value

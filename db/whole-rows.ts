// Writes whole rows of a table as one parameter, however many there are.
// Drizzle's builder takes longer to put such a statement together than Postgres to run it.

import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'

export type WholeRows<Row> = {
  /** fails where there is such a row already */
  inserting(rows: readonly Row[]): SQL
  /** whether they are there or not; rows have an `id` */
  saving(rows: readonly Row[]): SQL
}

/** `overwrite` is what a column becomes where the row is there; the new value unless given. */
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

/** Postgres stores neither halves of characters nor NUL as text; JSON has a way to write both. */
const wellFormed = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '') : value

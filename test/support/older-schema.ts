// Reverts a database to the schema of an earlier version by dropping what later migrations added. Only tables and
// columns; migrations that changed rows are not undone.

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'

const folder = resolve(import.meta.dir, '../../db/migrations')

const ADDED = /CREATE TABLE "(?<made>\w+)"|ALTER TABLE "(?<table>\w+)" ADD COLUMN "(?<column>\w+)"/g

/** `latest` is the number of the last migration to keep, as in `0001`. */
export async function undoMigrationsAfter({ run }: Database, latest: string): Promise<void> {
  const undone = readdirSync(folder).filter((name) => name.endsWith('.sql') && name.slice(0, 4) > latest)
  for (const name of undone)
    for (const { groups } of readFileSync(join(folder, name), 'utf8').matchAll(ADDED)) {
      const { made, table, column } = groups!
      const drop = made ? `drop table "${made}" cascade` : `alter table "${table}" drop column "${column}"`
      await run((orm) => orm.execute(sql.raw(drop)))
    }
  const applied = sql.raw('drizzle.__drizzle_migrations')
  await run((orm) =>
    orm.execute(
      sql`delete from ${applied} where id in (select id from ${applied} order by created_at desc limit ${undone.length})`,
    ),
  )
}

// Brings a database's tables to this version, and refuses one that a later version has made.
// Holds no lock: who calls it makes sure that nobody else does (see external.ts).

import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { fail, type Result, succeed } from '../src/lib/result.ts'
import type { DatabaseFailure, Orm } from './database.ts'

const migrationsFolder = join(import.meta.dir, 'migrations')

type Migrate = (orm: Orm, config: { migrationsFolder: string }) => Promise<void>

/** `migrate` is the driver's own; the extension comes first because an index needs its operators. */
export async function bringUpToDate(orm: Orm, migrate: Migrate): Promise<Result<void, DatabaseFailure>> {
  const ours = Math.max(...readMigrationFiles({ migrationsFolder }).map((one) => one.folderMillis))
  const newest = await newestMigration(orm)
  // The usual start: half a dozen statements less, each of which is slow while the database is cold.
  if (newest === ours) return succeed(undefined)
  if (newest > ours)
    return fail({
      code: 'database_too_new',
      message: 'The database was made by a later version of Local Dictation. Start that version.',
    })
  await orm.execute(sql`create extension if not exists pg_trgm`)
  await migrate(orm, { migrationsFolder })
  return succeed(undefined)
}

/** 0 where nothing was migrated yet. */
async function newestMigration(orm: Orm): Promise<number> {
  const journal = sql`to_regclass('drizzle.__drizzle_migrations')`
  const [found] = await orm
    .select({ exists: sql<boolean>`${journal} is not null` })
    .from(sql`(select 1) as one`)
  if (!found?.exists) return 0
  const [newest] = await orm
    .select({ when: sql<string | null>`max(created_at)` })
    .from(sql`drizzle.__drizzle_migrations`)
  return Number(newest?.when ?? 0)
}

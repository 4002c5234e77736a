// Migrates a database's tables to this version; rejects tables of a later version, or of no version in our list of
// migrations.
// Takes no lock: the caller ensures that no other process migrates (see external.ts).

import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { ownFile } from '../src/lib/own-files.ts'
import { fail, type Result, succeed } from '../src/lib/result.ts'
import type { DatabaseFailure, Orm } from './database.ts'

const migrationsFolder = ownFile('db/migrations')

type Migrate = (orm: Orm, config: { migrationsFolder: string }) => Promise<void>

/** `migrate` is the driver's own. A migration is identified by its creation time. */
export async function bringUpToDate(orm: Orm, migrate: Migrate): Promise<Result<void, DatabaseFailure>> {
  const ours = readMigrationFiles({ migrationsFolder }).map((one) => one.folderMillis)
  const applied = await appliedMigrations(orm)
  if (Math.max(0, ...applied) > Math.max(...ours))
    return fail({
      code: 'database_too_new',
      message: 'The database was created by a later version of Local Dictation. Start that version.',
    })
  if (applied.some((made, index) => made !== ours[index]))
    return fail({
      code: 'database_unknown',
      message: 'The tables of the database belong to no released version of Local Dictation.',
    })
  // The usual start: saves half a dozen statements, each of which is slow on a cold database.
  if (applied.length < ours.length) await migrate(orm, { migrationsFolder })
  return succeed(undefined)
}

/** In the order of their creation; empty if no migration has run. */
async function appliedMigrations(orm: Orm): Promise<number[]> {
  const journal = sql`to_regclass('drizzle.__drizzle_migrations')`
  const [found] = await orm
    .select({ exists: sql<boolean>`${journal} is not null` })
    .from(sql`(select 1) as one`)
  if (!found?.exists) return []
  const applied = await orm
    .select({ made: sql<string>`created_at` })
    .from(sql`drizzle.__drizzle_migrations`)
    .orderBy(sql`created_at`)
  return applied.map(({ made }) => Number(made))
}

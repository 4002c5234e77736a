// When the embedded database is vacuumed. The number of jobs is a parameter; the database and its files are real.

import { expect } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Database } from '../../db/database.ts'
import { createTidying } from '../../src/jobs/upkeep.ts'
import { testAtLength } from '../support/at-length.ts'
import { createTestFolder, databaseKind } from '../support/database.ts'

const BUSY = { counts: async () => ({ waiting: 3, active: 1, oldestWaiting: null }) }
const IDLE = { counts: async () => ({ waiting: 0, active: 0, oldestWaiting: null }) }

/** Seventy megabytes of journal, and deleted rows. */
async function changeMuch(database: Database): Promise<void> {
  for (let round = 0; round < 5; round++) {
    await database.run((orm) =>
      orm.execute(sql`insert into much select repeat('words ', 200) from generate_series(1, 12000)`),
    )
    await database.run((orm) => orm.execute(sql`delete from much`))
  }
}

const tableBytes = async (database: Database): Promise<number> => {
  const rows = await database.run((orm) => orm.execute(sql`select pg_relation_size('much')::int as bytes`))
  return Number((rows as unknown as { rows: { bytes: number }[] }).rows[0]!.bytes)
}

async function opened() {
  const folder = await createTestFolder()
  const database = await folder.open()
  await database.run((orm) => orm.execute(sql`create table much (words text)`))
  const journal = join(folder.dataFolder, 'postgres-18', 'pg_wal')
  return {
    database,
    segments: async () => (await readdir(journal)).filter((name) => /^[0-9A-F]{24}$/.test(name)).length,
    async [Symbol.asyncDispose]() {
      await database.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}

testAtLength.skipIf(databaseKind === 'external')(
  'ends the journal during jobs, too: a batch may run for days',
  async () => {
    await using archive = await opened()
    const tidy = createTidying(archive.database, BUSY)
    await tidy()
    for (let round = 0; round < 4; round++) {
      await changeMuch(archive.database)
      await tidy()
    }
    expect(await archive.segments()).toBeLessThanOrEqual(128 / 16 + 1)
    expect(await tableBytes(archive.database)).toBeGreaterThan(0)
  },
  120_000,
)

testAtLength.skipIf(databaseKind === 'external')(
  'reclaims deleted space when idle, and only after many writes',
  async () => {
    await using archive = await opened()
    const tidy = createTidying(archive.database, IDLE)
    await tidy()
    await archive.database.run((orm) => orm.execute(sql`insert into much values ('a few')`))
    await archive.database.run((orm) => orm.execute(sql`delete from much`))
    await tidy()
    expect(await tableBytes(archive.database)).toBeGreaterThan(0)
    await changeMuch(archive.database)
    await tidy()
    expect(await tableBytes(archive.database)).toBe(0)
  },
  120_000,
)

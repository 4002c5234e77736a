// Open descriptors of the embedded database while it writes, on a real disk. Linux only, by /proc. Power cuts are
// test/powercut.

import { expect } from 'bun:test'
import { readdirSync, readlinkSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { testAtLength } from '../support/at-length.ts'
import { createTestFolder, databaseKind } from '../support/database.ts'

const MEBIBYTE = 1024 ** 2

const openSegments = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((handle) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${handle}`)
      return path.includes('/pg_wal/') ? [path] : []
    } catch {
      // It was closed after the listing.
      return []
    }
  })

testAtLength.skipIf(process.platform !== 'linux' || databaseKind !== 'embedded')(
  'closes the descriptors of former journal segments',
  async () => {
    await using folder = await createTestFolder()
    const database = await folder.open()
    try {
      await database.run((orm) => orm.execute(sql`create table filler (bytes text)`))
      const before = openSegments().length
      const written = await database.journalBytes()
      while ((await database.journalBytes()) < written + 80 * MEBIBYTE)
        await Promise.all(
          Array.from({ length: 4 }, () =>
            database.run((orm) =>
              orm.execute(
                sql`insert into filler select string_agg(md5(random()::text), '') from generate_series(1, 30000)`,
              ),
            ),
          ),
        )
      await database.checkpoint()
      expect(openSegments().length).toBeLessThanOrEqual(before + 1)
    } finally {
      await database.close()
    }
  },
  120_000,
)

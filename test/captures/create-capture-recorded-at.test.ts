// Recordings that are older than their upload, in lists, filters, statistics, retention and a rebuild. With real files
// and databases; the recogniser is a hand-written function.

import { expect, test } from 'bun:test'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { recordPathOf } from '../../src/captures/capture-files.ts'
import { verifyCaptures } from '../../src/captures/copies.ts'
import { readRecord } from '../../src/captures/record.ts'
import { applyRetention, countDue, type RetentionSettings } from '../../src/captures/retention.ts'
import { statisticsOf } from '../../src/captures/statistics.ts'
import { silentLog } from '../../src/lib/log.ts'
import { succeed } from '../../src/lib/result.ts'
import { timeZone } from '../../src/lib/time-zone.ts'
import { createDataFolderStore } from '../../src/store/data-folder.ts'
import { finishedCapture, openArchive, said, type TestArchive } from '../support/archive.ts'
import { testAtLength } from '../support/at-length.ts'
import { createTestFolder } from '../support/database.ts'
import { undoMigrationsAfter } from '../support/older-schema.ts'

const old = new Date('2019-05-01T12:00:00.000Z')
const older = new Date('1965-12-24T18:00:00.000Z')
const page = { limit: 50, offset: 0 }
const DAY_MS = 86_400_000

const idsOf = async ({ captures }: TestArchive, query = {}) =>
  (await captures.list({ ...page, ...query })).items.map(({ id }) => id)

const countedBetween = async ({ database }: TestArchive, since: string, until: string) => {
  const deps = { database, clock: () => new Date(), typingWpm: () => 45 }
  const span = { since: new Date(since), until: new Date(until) }
  const query = { period: 'all', app: null, source: null, zone: timeZone('UTC')!, ...span } as const
  return (await statisticsOf(deps, query)).totals.captures
}

test('sorts near matches by recording time', async () => {
  await using archive = await openArchive({
    transcribe: async () => succeed(said('the weather in Zanzibar')),
  })
  const now = await finishedCapture(archive)
  const imported = await finishedCapture(archive, { recordedAt: old })
  expect(await idsOf(archive, { q: 'Zanzibra', sort: 'relevance' })).toEqual([now.id, imported.id])
})

test('uses the recording time in lists, filters and statistics', async () => {
  await using archive = await openArchive()
  const now = await finishedCapture(archive)
  const imported = await finishedCapture(archive, { recordedAt: old })
  const digitised = await finishedCapture(archive, { recordedAt: older })
  expect(now.recordedAt).toEqual(now.createdAt)
  expect(imported.recordedAt).toEqual(old)
  expect(imported.createdAt.getTime()).toBeGreaterThan(old.getTime())

  expect(await idsOf(archive)).toEqual([now.id, imported.id, digitised.id])
  expect(await idsOf(archive, { sort: 'recorded_at' })).toEqual([digitised.id, imported.id, now.id])
  expect(await idsOf(archive, { sort: 'created_at' })).toEqual([now.id, imported.id, digitised.id])
  expect(await idsOf(archive, { q: 'hello' })).toEqual([now.id, imported.id, digitised.id])
  expect(await idsOf(archive, { limit: 1, offset: 1 })).toEqual([imported.id])
  const in2019 = { since: new Date('2019-01-01'), until: new Date('2020-01-01') }
  expect(await idsOf(archive, in2019)).toEqual([imported.id])
  expect((await archive.captures.ids({ meant: in2019 })).ids).toEqual([imported.id])
  expect(await countedBetween(archive, '2019-05-01', '2019-05-02')).toBe(1)
  expect(await countedBetween(archive, '1965-12-24', '1965-12-25')).toBe(1)

  await archive.captures.remove(imported.id)
  expect(await countedBetween(archive, '2019-05-01', '2019-05-02')).toBe(1)
})

test('changes the recording time on request, and resets it', async () => {
  await using archive = await openArchive()
  const { id, createdAt } = await finishedCapture(archive)
  const changed = (await archive.captures.update(id, { recordedAt: old }))!
  expect(changed).toMatchObject({ recordedAt: old, createdAt })
  expect(await idsOf(archive, { until: new Date('2020-01-01') })).toEqual([id])
  expect(await archive.captures.update(id, { starred: true })).toMatchObject({ recordedAt: old })
  expect(await archive.captures.update(id, { recordedAt: null })).toMatchObject({ recordedAt: createdAt })
})

testAtLength('restores the recording time in a rebuild, also from older files', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const imported = await finishedCapture(archive, { recordedAt: old })
  const before = await finishedCapture(archive)
  const removed = await finishedCapture(archive, { recordedAt: older })
  await archive.captures.remove(removed.id)
  await archive.stop()
  const path = join(folder.dataFolder, recordPathOf(before.id))
  const { capture, ...record } = JSON.parse(await readFile(path, 'utf8'))
  const { recordedAt: _later, ...asBefore } = capture
  await writeFile(path, JSON.stringify({ ...record, capture: asBefore }))

  const rebuilt = await folder.open({ rebuild: true })
  await rebuilt.close()
  await using again = await openArchive({ folder })
  expect(await idsOf(again)).toEqual([before.id, imported.id])
  expect(await again.captures.get(imported.id)).toMatchObject({ recordedAt: old })
  expect(await again.captures.get(before.id)).toMatchObject({ recordedAt: before.createdAt })
  expect(await countedBetween(again, '1965-12-24', '1965-12-25')).toBe(1)
  expect(await readRecord(createDataFolderStore(folder.dataFolder), removed.id)).toMatchObject({
    remains: { recordedAt: older },
  })
  expect((await verifyCaptures(again)).differences).toEqual([])
})

test('fills the recording time of an older database from the time of receipt', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const kept = await finishedCapture(archive)
  await archive.captures.remove((await finishedCapture(archive)).id)
  await archive.stop()
  const database = await folder.open()
  await undoMigrationsAfter(database, '0001')
  await database.run(async (orm) => {
    for (const statement of [
      sql`alter table capture_facts rename column recorded_at to created_at`,
      sql`alter table captures drop column recorded_at`,
      sql`alter table deleted_captures drop column recorded_at`,
      sql`delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`,
    ])
      await orm.execute(statement)
  })
  await database.close()
  await using again = await openArchive({ folder })
  expect((await again.captures.list(page)).items).toMatchObject([
    { id: kept.id, recordedAt: kept.createdAt, createdAt: kept.createdAt },
  ])
  expect((await verifyCaptures(again)).differences).toEqual([])
  const today = kept.createdAt.toISOString().slice(0, 10)
  expect(await countedBetween(again, today, new Date(Date.parse(today) + DAY_MS).toISOString())).toBe(2)
})

const NO_LIMITS: RetentionSettings = {
  ...{ trashDays: 30, retentionDays: null, audioRetentionDays: null, maxCaptures: null },
}

/** The numbers of due and of removed captures, this many days from now. */
function retention(archive: TestArchive, limits: Partial<RetentionSettings>) {
  const settings = { current: () => ({ ...NO_LIMITS, ...limits }) }
  const deps = (days: number) => ({
    ...{ database: archive.database, dataFolder: archive.dataFolder, removal: archive.captures.removal },
    ...{ clock: () => new Date(Date.now() + days * DAY_MS), settings, log: silentLog },
  })
  return {
    due: async (days: number) => (await countDue(deps(days), deps(days).clock())).captures,
    run: (days: number) => applyRetention(deps(days), new AbortController().signal),
  }
}

test('keeps imported or backdated recordings for a day before their age counts', async () => {
  await using archive = await openArchive()
  const fresh = await finishedCapture(archive)
  const imported = await finishedCapture(archive, { recordedAt: old })
  const dated = await finishedCapture(archive)
  await archive.captures.update(dated.id, { recordedAt: old })
  const { due, run } = retention(archive, { retentionDays: 30 })
  expect(await due(0)).toBe(0)
  expect((await run(0.9)).captures).toBe(0)
  expect(await due(1.1)).toBe(2)
  expect((await run(1.1)).captures).toBe(2)
  expect(await idsOf(archive)).toEqual([fresh.id])
  expect(await archive.captures.get(imported.id)).toBeNull()
})

test('removes the oldest recordings beyond the limit, and none because of an import', async () => {
  await using archive = await openArchive()
  const [first, second] = [await finishedCapture(archive), await finishedCapture(archive)]
  const imported = await finishedCapture(archive, { recordedAt: old })
  const { due, run } = retention(archive, { maxCaptures: 2 })
  expect(await due(0)).toBe(0)
  expect((await run(0)).captures).toBe(0)
  expect((await run(1.1)).captures).toBe(1)
  expect(await idsOf(archive)).toEqual([second.id, first.id])
  expect(await archive.captures.get(imported.id)).toBeNull()
})

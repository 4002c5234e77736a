// When retention may run. Files, database and queue are real; the elapsed time and the clock are parameters.

import { expect, test } from 'bun:test'
import type { RetentionSettings } from '../../src/captures/retention.ts'
import { openRetention } from '../../src/captures/retention-keeper.ts'
import { createClockWatch } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/log.ts'
import { finishedCapture, openArchive, type TestArchive } from '../support/archive.ts'
import { createTestFolder, databaseKind } from '../support/database.ts'

const [HOUR_MS, DAY_MS] = [3_600_000, 24 * 3_600_000]
const NONE: RetentionSettings = {
  ...{ trashDays: 7, retentionDays: null, audioRetentionDays: null, maxCaptures: null },
}

/** A computer with an adjustable clock, on which servers start; their limits can be changed. */
function computer(archive: TestArchive, limits: Partial<RetentionSettings>) {
  let [shown, passed] = [Date.now(), 0]
  const clock = () => new Date(shown)
  const settings = { ...NONE, ...limits }
  return {
    settings,
    put: (ms: number) => {
      shown += ms
    },
    pass: (ms: number) => {
      shown += ms
      passed += ms
    },
    /** `isOff`: the database has the real time instead of this computer's; `through`: another server's connections */
    async start({ isOff = false, through = archive.database } = {}) {
      const database = isOff ? through : { ...through, now: async () => clock() }
      const keeper = await openRetention({
        ...{ database, dataFolder: archive.dataFolder, clock, log: silentLog },
        ...{ removal: archive.captures.removal, settings: { current: () => settings } },
        watch: createClockWatch(clock, () => passed),
      })
      const round = () => keeper.round(new AbortController().signal)
      return { ...keeper, round }
    },
  }
}

const left = async (archive: TestArchive) =>
  (await archive.captures.list({ limit: 1, offset: 0 })).total +
  (await archive.captures.list({ limit: 1, offset: 0, trashed: true })).total

async function archiveOf(count: number): Promise<TestArchive> {
  const archive = await openArchive()
  for (let made = 0; made < count; made++) await finishedCapture(archive)
  return archive
}

const codes = (keeper: { warnings(): { code: string }[] }) => keeper.warnings().map(({ code }) => code)

test('refuses to remove by a clock that is 400 days ahead, and drops the announcement when the clock is right again', async () => {
  await using archive = await archiveOf(3)
  const { put, pass, start } = computer(archive, { retentionDays: 30 })
  const first = await start()
  pass(HOUR_MS)
  await first.round()
  expect(first.warnings()).toEqual([])

  put(400 * DAY_MS)
  const ahead = await start()
  await ahead.round()
  expect(ahead.warnings()).toEqual([])
  pass(HOUR_MS)
  await ahead.round()
  expect(codes(ahead)).toEqual(['removal_announced'])
  expect(ahead.warnings()[0]!.message).toContain('clock')

  put(-400 * DAY_MS)
  const right = await start()
  pass(HOUR_MS)
  await right.round()
  expect(right.warnings()).toEqual([])
  pass(3 * DAY_MS)
  await right.round()
  expect(await left(archive)).toBe(3)
})

test('refuses to remove anything by a clock that is far from the newest capture at the first run', async () => {
  await using archive = await archiveOf(1)
  const { put, pass, start } = computer(archive, { trashDays: 7 })
  await archive.captures.trash((await archive.captures.list({ limit: 1, offset: 0 })).items[0]!.id)
  put(400 * DAY_MS)
  const ahead = await start()
  pass(HOUR_MS)
  await ahead.round()
  expect(codes(ahead)).toEqual(['removal_announced'])
  expect(await left(archive)).toBe(1)
})

test('refuses to remove in the first hour after a start, and in the hour after the clock jumped', async () => {
  await using archive = await archiveOf(11)
  const { put, pass, start } = computer(archive, { maxCaptures: 10 })
  const keeper = await start()
  pass(HOUR_MS / 2)
  await keeper.round()
  expect(await left(archive)).toBe(11)
  put(HOUR_MS)
  pass(HOUR_MS / 2)
  await keeper.round()
  expect(await left(archive)).toBe(11)
  pass(HOUR_MS)
  await keeper.round()
  expect(await left(archive)).toBe(10)
  expect(keeper.warnings()).toEqual([])
})

test.skipIf(databaseKind === 'embedded')(
  'removes nothing while the clock differs by more than a minute from that of the database',
  async () => {
    await using archive = await archiveOf(11)
    const { put, pass, start } = computer(archive, { maxCaptures: 10 })
    const ahead = await start({ isOff: true })
    pass(HOUR_MS)
    await ahead.round()
    expect(await left(archive)).toBe(11)
    put(-2 * HOUR_MS)
    const right = await start({ isOff: true })
    pass(HOUR_MS)
    await right.round()
    expect(await left(archive)).toBe(10)
  },
)

test.skipIf(databaseKind === 'embedded')(
  'removes no more than is due while the rounds of two servers run at once',
  async () => {
    await using folder = await createTestFolder()
    await using archive = await openArchive({ folder })
    for (let made = 0; made < 22; made++) await finishedCapture(archive)
    const database = await folder.open()
    const { pass, start } = computer(archive, { maxCaptures: 20 })
    const keepers = [await start(), await start({ through: database })]
    pass(HOUR_MS)
    await Promise.all(keepers.map(({ round }) => round()))
    expect(await left(archive)).toBe(20)
    await database.close()
  },
)

for (const limits of [{ retentionDays: 1 }, { maxCaptures: 1 }, { audioRetentionDays: 1 }])
  test(`removes more than a tenth a day after the announcement: ${Object.keys(limits)}`, async () => {
    await using archive = await archiveOf(4)
    const { pass, start } = computer(archive, limits)
    const withAudio = async () =>
      (await archive.captures.list({ limit: 9, offset: 0 })).items.filter((one) => one.audioAvailable).length
    const keeper = await start()
    pass(2 * DAY_MS)
    await keeper.round()
    expect(codes(keeper)).toEqual(['removal_announced'])
    // A restart does not change the date.
    const again = await start()
    expect(codes(again)).toEqual(['removal_announced'])
    pass(DAY_MS - HOUR_MS)
    await again.round()
    expect(await withAudio()).toBe(4)
    pass(2 * HOUR_MS)
    await again.round()
    expect(await withAudio()).toBe('maxCaptures' in limits ? 1 : 0)
    expect(again.warnings()).toEqual([])
  })

test('removes announced captures at once after a confirmation, and not after a change of the limits', async () => {
  await using archive = await archiveOf(3)
  const { settings, start } = computer(archive, {})
  const keeper = await start()
  let confirmations = 0
  keeper.onConfirm(() => confirmations++)
  keeper.confirm()
  expect(confirmations).toBe(0)

  settings.maxCaptures = 1
  await keeper.announce()
  expect(codes(keeper)).toEqual(['removal_announced'])
  settings.maxCaptures = 3
  await keeper.announce()
  expect(keeper.warnings()).toEqual([])

  settings.maxCaptures = 1
  await keeper.announce()
  keeper.confirm()
  expect(confirmations).toBe(1)
  await keeper.round()
  expect(await left(archive)).toBe(1)
  expect(keeper.warnings()).toEqual([])
})

test('repeats the announcement when many more captures become due', async () => {
  await using archive = await archiveOf(2)
  const { pass, start } = computer(archive, { retentionDays: 3 })
  const keeper = await start()
  pass(2 * DAY_MS)
  const { items } = await archive.captures.list({ limit: 9, offset: 0 })
  await archive.captures.trash(items[0]!.id)
  const before = new Date(Date.now() - 10 * DAY_MS)
  await archive.database.run((orm) =>
    orm.execute(`update captures set trashed_at = '${before.toISOString()}' where id = '${items[0]!.id}'`),
  )
  await keeper.round()
  expect(keeper.warnings()[0]!.message).toContain(' 1 capture is due')
  pass(DAY_MS + 2 * HOUR_MS)
  await keeper.round()
  expect(keeper.warnings()[0]!.message).toContain(' 2 captures are due')
  expect(await left(archive)).toBe(2)
})

// Retention with real files, database and queue; only the calendar is advanced.

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { quarantine } from '../../db/quarantine.ts'
import type { Capture } from '../../src/captures/capture.ts'
import { applyRetention, type RetentionSettings } from '../../src/captures/retention.ts'
import { statisticsOf } from '../../src/captures/statistics.ts'
import { startUpkeep } from '../../src/jobs/upkeep.ts'
import { silentLog } from '../../src/lib/log.ts'
import { timeZone } from '../../src/lib/time-zone.ts'
import { capture, finishedCapture, openArchive, type TestArchive } from '../support/archive.ts'
import { createTestFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

let archive: TestArchive
beforeAll(async () => {
  archive = await openArchive()
})
afterAll(() => archive[Symbol.asyncDispose]())
beforeEach(async () => {
  for (const trashed of [false, true])
    for (const { id } of (await archive.captures.list({ limit: 200, offset: 0, trashed })).items)
      await archive.captures.remove(id)
})

const NONE: RetentionSettings = {
  ...{ trashDays: 7, retentionDays: null, audioRetentionDays: null, maxCaptures: null },
}
const inDays = (days: number) => () => new Date(Date.now() + days * 86_400_000)

const retain = (settings: Partial<RetentionSettings>, days: number, of: TestArchive = archive) =>
  applyRetention(
    {
      ...{ database: of.database, dataFolder: of.dataFolder, removal: of.captures.removal },
      ...{ clock: inDays(days), log: silentLog },
      settings: { current: () => ({ ...NONE, ...settings }) },
    },
    new AbortController().signal,
  )

const fileOf = ({ audioPath }: Capture) => join(archive.dataFolder, audioPath)
const idsLeft = async () =>
  (await archive.captures.list({ limit: 50, offset: 0, sort: 'created_at' })).items.map(({ id }) => id)
const captured = async () => {
  const query = { period: 'all', since: null, until: null, app: null, source: null } as const
  const deps = { database: archive.database, clock: () => new Date(), typingWpm: () => 45 }
  return (await statisticsOf(deps, { ...query, zone: timeZone('UTC')! })).totals.captures
}

test('removes old captures with their files, keeps starred ones, and counts all of them', async () => {
  const before = await captured()
  const [old, starred] = [await finishedCapture(archive), await finishedCapture(archive)]
  await archive.captures.update(starred.id, { starred: true })
  expect(await retain({ retentionDays: 30 }, 29)).toEqual({ fromTrash: 0, captures: 0, audio: 0 })
  expect(await retain({ retentionDays: 30 }, 31)).toEqual({ fromTrash: 0, captures: 1, audio: 0 })
  expect(await idsLeft()).toEqual([starred.id])
  expect(existsSync(fileOf(old))).toBe(false)
  expect(existsSync(fileOf(starred))).toBe(true)
  expect(await archive.captures.get(old.id)).toBeNull()
  expect(await captured()).toBe(before + 2)
})

test('removes old audio and keeps the text', async () => {
  const one = await finishedCapture(archive)
  expect(await retain({ audioRetentionDays: 1 }, 2)).toEqual({ fromTrash: 0, captures: 0, audio: 1 })
  expect(existsSync(fileOf(one))).toBe(false)
  const left = (await archive.captures.get(one.id))!
  expect(left).toMatchObject({ audioAvailable: false, transcriptRaw: 'hello', revision: one.revision + 1 })
  expect(await archive.captures.audioFile(one.id)).toMatchObject({
    ok: false,
    failure: { code: 'audio_gone' },
  })
  const again = { model: null, language: null, prompt: null, keepRefined: false }
  expect(await archive.captures.retranscribe(one.id, again)).toMatchObject({
    failure: { code: 'audio_gone' },
  })
  expect(await retain({ audioRetentionDays: 1 }, 2)).toEqual({ fromTrash: 0, captures: 0, audio: 0 })
})

test('removes the oldest captures beyond the limit, but no starred ones', async () => {
  const all: string[] = []
  for (let index = 0; index < 5; index++) all.push((await finishedCapture(archive)).id)
  await archive.captures.update(all[0]!, { starred: true })
  expect((await retain({ maxCaptures: 3 }, 0)).captures).toBe(2)
  expect(await idsLeft()).toEqual([all[0]!, all[3]!, all[4]!])
  expect((await retain({ maxCaptures: 1 }, 0)).captures).toBe(2)
  expect((await retain({ maxCaptures: 1 }, 0)).captures).toBe(0)
  expect(await idsLeft()).toEqual([all[0]!])
})

test('removes captures whose time in the trash is over, starred or not', async () => {
  const [one, kept] = [await finishedCapture(archive), await finishedCapture(archive)]
  await archive.captures.update(one.id, { starred: true })
  await archive.captures.trash(one.id)
  expect((await retain({ retentionDays: null }, 6)).fromTrash).toBe(0)
  expect((await retain({ maxCaptures: 1 }, 6)).captures).toBe(0)
  expect((await retain({}, 8)).fromTrash).toBe(1)
  expect(existsSync(fileOf(one))).toBe(false)
  expect(await idsLeft()).toEqual([kept.id])
})

test('keeps a quarantined database as long as the trash, and removes it with the first removed capture', async () => {
  const setAsideAgo = async (days: number) => {
    const folder = join(archive.dataFolder, 'postgres-17')
    await mkdir(folder)
    return quarantine(folder, inDays(-days)())
  }
  const aside = await setAsideAgo(5)
  await retain({}, 1)
  expect(existsSync(aside)).toBe(true)
  await retain({}, 3)
  expect(existsSync(aside)).toBe(false)

  const another = await setAsideAgo(0)
  await finishedCapture(archive)
  await retain({ retentionDays: 2 }, 1)
  expect(existsSync(another)).toBe(true)
  await retain({ retentionDays: 2 }, 3)
  expect(existsSync(another)).toBe(false)
})

test('refuses to remove a recording that waits for its transcript, or was starred meanwhile', async () => {
  await using idle = await openArchive({ working: false })
  const waiting = await capture(idle)
  const limits = { retentionDays: 1, audioRetentionDays: 1, maxCaptures: 1 }
  expect(await retain(limits, 100, idle)).toEqual({ fromTrash: 0, captures: 0, audio: 0 })
  expect(await idle.captures.get(waiting.capture.id)).not.toBeNull()

  const one = await finishedCapture(archive)
  const removing = archive.captures.update(one.id, { starred: true })
  const { removal } = archive.captures
  const removed = removal.remove(one.id, ({ capture: now }) => !now.starred)
  await removing
  expect(await removed).toBe(false)
  expect(await idsLeft()).toEqual([one.id])
})

test('removes the other captures when one cannot be removed', async () => {
  const [first, second] = [await finishedCapture(archive), await finishedCapture(archive)]
  const { removal } = archive.captures
  const report = await applyRetention(
    {
      ...{ database: archive.database, dataFolder: archive.dataFolder, clock: inDays(9), log: silentLog },
      settings: { current: () => ({ ...NONE, retentionDays: 1 }) },
      removal: {
        ...removal,
        remove: (id, isMeant) =>
          id === first.id ? Promise.reject(new Error('disk')) : removal.remove(id, isMeant),
      },
    },
    new AbortController().signal,
  )
  expect(report.captures).toBe(1)
  expect(await idsLeft()).toEqual([first.id])
  expect(existsSync(fileOf(second))).toBe(false)
})

test('marks audio at the next start whose removal a crash interrupted', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder })
  const one = await finishedCapture(first)
  await first.stop()
  await Bun.file(join(folder.dataFolder, one.audioPath)).delete()
  const second = await openArchive({ folder })
  expect(second.recovery.audioMissing).toBe(1)
  expect(await second.captures.get(one.id)).toMatchObject({ audioAvailable: false, transcriptRaw: 'hello' })
  await second.stop()
})

test('runs after a change of a limit or a confirmation, and stops with the server', async () => {
  let listen: (now: RetentionSettings, before: RetentionSettings) => void = () => {}
  let confirm = () => {}
  let rounds = 0
  const stop = startUpkeep({
    ...{ database: archive.database, dataFolder: archive.dataFolder, jobs: archive.jobs, log: silentLog },
    retention: {
      round: async () => {
        rounds++
      },
      onConfirm(listener) {
        confirm = listener
        return () => {}
      },
    },
    settings: {
      onChange(listener) {
        listen = listener
        return () => {}
      },
    },
  })
  listen({ ...NONE }, NONE)
  listen({ ...NONE, maxCaptures: 5 }, NONE)
  await until(() => rounds === 1, { what: 'the first round' })
  confirm()
  await until(() => rounds === 2, { what: 'the second round' })
  await stop()
  listen(NONE, { ...NONE, maxCaptures: 5 })
  expect(rounds).toBe(2)
})

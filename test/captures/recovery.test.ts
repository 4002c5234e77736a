// Recovery at the start after a crash, a power cut or manual changes; with real files and databases.
// The recogniser is a hand-written function.

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import { markAudio, saveCaptures } from '../../db/captures.ts'
import { peaksPathOf } from '../../src/captures/capture-files.ts'
import { toRow } from '../../src/captures/capture-index.ts'
import { verifyCaptures } from '../../src/captures/copies.ts'
import { readRecord } from '../../src/captures/record.ts'
import { succeed } from '../../src/lib/result.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createDataFolderStore } from '../../src/store/data-folder.ts'
import {
  capture,
  copyOf,
  endedJob,
  finishedCapture,
  openArchive,
  receive,
  said,
  type TestArchive,
  withEmptyDatabase,
} from '../support/archive.ts'
import { testAtLength } from '../support/at-length.ts'
import { createTestFolder, databaseKind } from '../support/database.ts'
import { until } from '../support/until.ts'

const NOTHING = {
  unfinishedRemoved: 0,
  restored: 0,
  deletionsFinished: 0,
  adopted: 0,
  audioMissing: 0,
  audioFound: 0,
  requeued: 0,
}

testAtLength('does nothing at a start after a clean stop', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  await finishedCapture(archive)
  await archive.captures.remove((await finishedCapture(archive)).id)
  await archive.stop()
  await using again = await openArchive({ folder })
  expect(again.recovery).toEqual(NOTHING)
})

test('rebuilds the whole database from the copies and recordings', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder, transcribe: async () => succeed(said('kept words')) })
  const kept = await finishedCapture(archive, { title: 'Kept' })
  const removed = await finishedCapture(archive)
  await archive.captures.remove(removed.id)
  await archive.captures.update(kept.id, { transcriptRefined: 'Kept words.' })
  const before = await archive.captures.get(kept.id)
  await archive.stop()
  const waitingOne = await openArchive({ folder, working: false })
  const pending = await capture(waitingOne, { language: 'de', sttModel: 'base' })
  await waitingOne.stop()

  await using fresh = await withEmptyDatabase(folder)
  const requested: unknown[] = []
  await using again = await openArchive({
    folder: fresh,
    transcribe: async ({ language }) => {
      requested.push(language)
      return succeed(said('at last'))
    },
  })
  expect(again.recovery).toEqual({ ...NOTHING, restored: 2 })
  const [job] = (await again.jobs.list({ captureId: pending.capture.id, limit: 1, offset: 0 })).items
  expect(job?.createdAt).toEqual(pending.capture.createdAt)
  expect(await again.captures.get(kept.id)).toEqual(before!)
  expect(await again.captures.get(removed.id)).toBeNull()
  expect((await again.captures.list({ q: 'kept', limit: 10, offset: 0 })).total).toBe(1)
  const done = await until(
    async () => {
      const now = await again.captures.get(pending.capture.id)
      return now?.status === 'completed' ? now : null
    },
    { what: 'the pending capture' },
  )
  expect(done.transcriptRaw).toBe('at last')
  expect(requested).toEqual(['de'])
})

test('completes an interrupted deletion', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  const audio = join(folder.dataFolder, made.audioPath)
  await archive.captures.remove(made.id)
  await archive.stop()
  await receive(folder.dataFolder).then(({ path }) => rename(path, audio))

  await using again = await openArchive({ folder })
  expect(again.recovery).toEqual({ ...NOTHING, deletionsFinished: 1 })
  expect(existsSync(audio)).toBe(false)
  expect(await again.captures.get(made.id)).toBeNull()
})

testAtLength('erases the files of a committed deletion at the next start', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  await copyOf(archive, made.id)
  const peaks = peaksPathOf(folder.dataFolder, made.id)
  await mkdir(peaks)
  await expect(archive.captures.remove(made.id)).rejects.toThrow(/EISDIR|EPERM/)
  await archive.stop()
  await rm(peaks, { recursive: true })
  await writeFile(peaks, 'a shape of what was said')

  const again = await openArchive({ folder })
  expect(again.recovery).toEqual({ ...NOTHING, deletionsFinished: 1 })
  expect(existsSync(peaks)).toBe(false)
  expect(await readRecord(createDataFolderStore(folder.dataFolder), made.id)).toMatchObject({
    state: 'deleted',
  })
  await again.stop()
  await using last = await openArchive({ folder })
  expect(last.recovery).toEqual(NOTHING)
})

test('creates a capture from audio without a record', async () => {
  await using folder = await createTestFolder()
  const now = new Date()
  const id = newId(now)
  const month = join(folder.dataFolder, 'captures', now.toISOString().slice(0, 7))
  await mkdir(month, { recursive: true })
  await copyFile(resolve(import.meta.dir, '../speech/short-01.flac'), join(month, `${id}.flac`))
  await writeFile(join(month, `${newId(now)}.flac`), 'this is no audio')
  await writeFile(join(month, 'notes.txt'), 'a note of the user')

  await using archive = await openArchive({ folder })
  expect(archive.recovery).toEqual({ ...NOTHING, adopted: 1 })
  const adopted = await until(
    async () => {
      const one = await archive.captures.get(id)
      return one?.status === 'completed' ? one : null
    },
    { what: 'the adopted capture' },
  )
  expect(adopted).toMatchObject({ transcriptRaw: 'hello', audioType: 'audio/flac' })
  expect(adopted.createdAt.getTime()).toBe(now.getTime())
  expect(await readdir(month)).toContain('notes.txt')
})

test('sets an invalid copy aside in a rebuild and creates a new capture from its audio', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  await archive.stop()
  const record = join(folder.dataFolder, made.audioPath.replace('.flac', '.json'))
  await writeFile(record, '{"format":1,"state":"kept","capture":{"id":"../../etc"')

  await using fresh = await withEmptyDatabase(folder)
  await using again = await openArchive({ folder: fresh })
  expect(again.recovery).toMatchObject({ adopted: 1 })
  expect(await readdir(dirname(join(fresh.dataFolder, made.audioPath)))).toContain(
    `${made.id}.json.unreadable`,
  )
})

test('marks a capture with missing audio and keeps its text', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  await archive.stop()
  await rm(join(folder.dataFolder, made.audioPath))

  await using again = await openArchive({ folder })
  expect(again.recovery).toEqual({ ...NOTHING, audioMissing: 1 })
  expect(await again.captures.get(made.id)).toMatchObject({ audioAvailable: false, transcriptRaw: 'hello' })
})

testAtLength('finds audio at the start that was marked as missing, and updates the copy', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  await archive.database.run((orm) => markAudio(orm, [made.id], { isThere: false }))
  const verified = ({ database }: TestArchive) =>
    verifyCaptures({ database, store: createDataFolderStore(folder.dataFolder) })
  expect((await verified(archive)).differences).toEqual([
    { id: made.id, what: 'its audio file exists but is recorded as missing' },
  ])
  await archive.captures.update(made.id, { title: 'a title' })
  expect((await copyOf(archive, made.id)).capture.audioAvailable).toBe(false)
  await archive.stop()

  const again = await openArchive({ folder })
  expect(again.recovery).toEqual({ ...NOTHING, audioFound: 1 })
  expect(await again.captures.get(made.id)).toMatchObject({ audioAvailable: true })
  expect((await copyOf(again, made.id)).capture.audioAvailable).toBe(true)
  expect((await verified(again)).differences).toEqual([])
  await again.stop()
  await using last = await openArchive({ folder })
  expect(last.recovery).toEqual(NOTHING)
})

test('detects a flipped byte in audio that was marked as missing', async () => {
  await using archive = await openArchive()
  const made = await finishedCapture(archive)
  const { database, dataFolder } = archive
  await database.run((orm) => markAudio(orm, [made.id], { isThere: false }))
  const path = join(dataFolder, made.audioPath)
  const bytes = await Bun.file(path).bytes()
  bytes[1000]! ^= 1
  await writeFile(path, bytes)
  const { differences } = await verifyCaptures({ database, store: createDataFolderStore(dataFolder) })
  expect(differences.map(({ what }) => what)).toContain('its audio is not what was received')
})

test('removes files that were being written when the process died', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  await archive.stop()
  await receive(folder.dataFolder)
  const record = join(folder.dataFolder, made.audioPath.replace('.flac', '.json'))
  await writeFile(`${record}.part`, '{"format":')

  await using again = await openArchive({ folder })
  expect(again.recovery).toEqual({ ...NOTHING, unfinishedRemoved: 2 })
  expect(await readdir(join(folder.dataFolder, 'inbox'))).toEqual([])
})

testAtLength('runs a job again at once after a kill -9', async () => {
  await using folder = await createTestFolder()
  const fixture = resolve(import.meta.dir, 'working-fixture.ts')
  const child = Bun.spawn([process.execPath, fixture, folder.dataFolder, folder.databaseUrl ?? ''], {
    stdout: 'pipe',
    env: process.env,
  })
  const { value } = await child.stdout.getReader().read()
  const { captureId, jobId } = JSON.parse(new TextDecoder().decode(value))
  child.kill('SIGKILL')
  await child.exited

  await using again = await openArchive({ folder, transcribe: async () => succeed(said('gone on')) })
  expect(await endedJob(again, jobId)).toMatchObject({
    state: 'completed',
    attempts: 2,
  })
  expect(await again.captures.get(captureId)).toMatchObject({ status: 'completed', transcriptRaw: 'gone on' })
})

test.skipIf(databaseKind === 'external')(
  'rebuilds a quarantined database from the copies and recordings',
  async () => {
    await using folder = await createTestFolder()
    const archive = await openArchive({ folder })
    const made = await finishedCapture(archive)
    await archive.stop()

    const rebuild = { ...folder, open: () => folder.open({ rebuild: true }) }
    await using again = await openArchive({ folder: rebuild })
    expect(again.recovery).toEqual({ ...NOTHING, restored: 1 })
    expect(await again.captures.get(made.id)).toEqual(made)
    const names = await readdir(folder.dataFolder)
    expect(names.filter((name) => name.startsWith('postgres-18.unusable-'))).toHaveLength(1)
  },
  60_000,
)

test('keeps a capture deleted when an older database is restored', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const [removed, kept] = [await finishedCapture(archive), await finishedCapture(archive)]
  await archive.captures.remove(removed.id)
  await archive.stop()
  const older = await folder.open()
  await older.run((orm) => orm.execute(sql`delete from deleted_captures`))
  await older.run(async (orm) => saveCaptures(orm, [await toRow(removed)]))
  await older.run((orm) => orm.execute(sql`update captures set copied_revision = revision`))
  await older.close()

  await using again = await openArchive({ folder })
  expect(await again.captures.get(removed.id)).toBeNull()
  expect(await again.captures.get(kept.id)).toMatchObject({ audioAvailable: true })
  const { database } = again
  expect(
    (await verifyCaptures({ database, store: createDataFolderStore(folder.dataFolder) })).differences,
  ).toEqual([])
})

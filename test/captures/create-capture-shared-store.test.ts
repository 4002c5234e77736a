// Captures whose recordings are in a shared store: what is stored where, and what a failing store or a crash leaves.

import { expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import { recordPathOf } from '../../src/captures/capture-files.ts'
import { verifyCaptures } from '../../src/captures/copies.ts'
import { DatabaseUnavailableError } from '../../src/lib/database-errors.ts'
import { silentLog } from '../../src/lib/log.ts'
import { openStore } from '../../src/store/open-store.ts'
import { type Store, StoreError } from '../../src/store/store.ts'
import {
  type ArchiveOptions,
  capture,
  endedJob,
  finishedCapture,
  openArchive,
  said,
} from '../support/archive.ts'
import { createTestFolder, type TestFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

setDefaultTimeout(120_000)

/** A shared folder and a database; each server has a data folder of its own. */
async function createPlace() {
  const folder = await createTestFolder()
  const shared = await mkdtemp(join(tmpdir(), 'dictation-shared-'))
  const folders: string[] = [shared]
  const state = { isStoreAway: false, isDatabaseAway: false }
  const openDatabase = async (): Promise<Database> => {
    const database = await folder.open()
    const refuse = () => Promise.reject(new DatabaseUnavailableError('on purpose'))
    return {
      ...database,
      transaction: (work) => (state.isDatabaseAway ? refuse() : database.transaction(work)),
    }
  }
  const storeIn = async (dataFolder: string): Promise<Store> => {
    const address = { name: shared, at: { folder: shared } }
    const opened = await openStore({ address, dataFolder, maxCacheBytes: 1e9, log: silentLog })
    if (!opened.ok) throw new Error(opened.failure)
    const { store } = opened.value
    const failWhileAway =
      <A extends unknown[], T>(call: (...given: A) => Promise<T>) =>
      async (...given: A): Promise<T> => {
        if (state.isStoreAway) throw new StoreError('away on purpose', { mayPass: false })
        return call(...given)
      }
    const { put, get, write, remove } = store
    return {
      ...store,
      put: failWhileAway(put),
      get: failWhileAway(get),
      write: failWhileAway(write),
      remove: failWhileAway(remove),
    }
  }
  const dataFolder = async () => {
    const made = await mkdtemp(join(tmpdir(), 'dictation-test-'))
    folders.push(made)
    return made
  }
  /** `at` is an existing data folder */
  const openServer = async ({ at, ...options }: ArchiveOptions & { at?: string } = {}) => {
    const used = at ?? (await dataFolder())
    const own: TestFolder = { ...folder, dataFolder: used, open: openDatabase }
    return openArchive({ folder: own, store: await storeIn(used), ...options })
  }
  const stored = async () =>
    (await readdir(shared, { recursive: true })).filter((name) => /^captures\/.*\./.test(name)).sort()
  return {
    ...{ folder, shared, state, storeIn, dataFolder, openServer, stored },
    async [Symbol.asyncDispose]() {
      await folder[Symbol.asyncDispose]()
      for (const one of folders) await rm(one, { recursive: true, force: true })
    },
  }
}

test('stores a recording and its copy in the store, from where another server reads them', async () => {
  await using place = await createPlace()
  const one = await place.openServer()
  const made = await finishedCapture(one, { title: 'Lunch' })
  expect(made.transcriptRaw).toBe('hello')
  await one.stop()
  expect(await place.stored()).toEqual([made.audioPath, recordPathOf(made.id)].sort())
  expect(await readdir(join(one.dataFolder, 'inbox'))).toEqual([])
  expect(existsSync(join(one.dataFolder, 'captures'))).toBe(false)

  await using other = await place.openServer({ transcribe: async ({ path }) => succeedWith(path) })
  const audio = await other.captures.audioFile(made.id)
  if (!audio.ok) throw new Error(audio.failure.message)
  expect(audio.value.path.startsWith(other.dataFolder)).toBe(true)
  expect(await readFile(audio.value.path)).toEqual(await readFile(join(place.shared, made.audioPath)))
  const again = await other.captures.retranscribe(made.id, { ...PLAIN })
  if (!again.ok) throw new Error(again.failure.message)
  expect(await endedJob(other, again.value.jobId)).toMatchObject({ state: 'completed' })
  expect(await other.captures.get(made.id)).toMatchObject({ transcriptRaw: audio.value.path, title: 'Lunch' })
  const { database, store } = other
  await until(async () => (await verifyCaptures({ database, store })).differences.length === 0)
})

const PLAIN = { model: null, language: null, prompt: null, keepRefined: false }
const succeedWith = (text: string) => ({ ok: true as const, value: said(text) })

test('holds a recording in the inbox while the store is unavailable, and imports it afterwards', async () => {
  await using place = await createPlace()
  await using archive = await place.openServer()
  place.state.isStoreAway = true
  const made = await capture(archive, { title: 'Lunch' })
  expect(made.queued).toBe(false)
  expect((await readdir(join(archive.dataFolder, 'inbox'))).sort()).toEqual(
    [`${made.capture.id}.audio`, `${made.capture.id}.json`].sort(),
  )
  place.state.isStoreAway = false
  await until(() => archive.jobs.get(made.jobId), { what: 'the job' })
  expect(await endedJob(archive, made.jobId)).toMatchObject({ state: 'completed' })
  expect(await archive.captures.get(made.capture.id)).toMatchObject({ title: 'Lunch', error: null })
  expect(await place.stored()).toContain(made.capture.audioPath)
  await until(async () => (await readdir(join(archive.dataFolder, 'inbox'))).length === 0)
})

test('loses no recording between the store and the transaction', async () => {
  await using place = await createPlace()
  const archive = await place.openServer({ working: false })
  await archive.captures.checkRoom()
  place.state.isDatabaseAway = true
  const made = await capture(archive, { title: 'Lunch', language: 'de' })
  expect(made.queued).toBe(false)
  expect(await place.stored()).toEqual([made.capture.audioPath])
  await archive.stop()
  // As a crash leaves it: the store has the recording, the database does not, and the inbox still does.
  expect((await readdir(join(archive.dataFolder, 'inbox'))).length).toBe(2)
  place.state.isDatabaseAway = false

  await using again = await place.openServer({ at: archive.dataFolder })
  expect(await endedJob(again, made.jobId)).toMatchObject({ state: 'completed' })
  expect(await again.captures.get(made.capture.id)).toMatchObject({
    title: 'Lunch',
    language: 'de',
    error: null,
  })
  expect((await again.captures.list({ limit: 10, offset: 0 })).total).toBe(1)
  expect(await readdir(join(archive.dataFolder, 'inbox'))).toEqual([])
})

test('erases a deleted recording from the store, when it is back, and no database brings it back', async () => {
  await using place = await createPlace()
  const archive = await place.openServer()
  const [made, kept] = [await finishedCapture(archive), await finishedCapture(archive)]
  await until(async () => (await place.stored()).length === 4, { what: 'the copies' })
  place.state.isStoreAway = true
  expect(await archive.captures.remove(made.id)).toBe(true)
  expect(await archive.captures.get(made.id)).toBeNull()
  await archive.stop()
  expect(await place.stored()).toContain(made.audioPath)
  place.state.isStoreAway = false

  await using again = await place.openServer({ at: archive.dataFolder })
  await until(async () => !(await place.stored()).includes(made.audioPath), { what: 'the erasure' })
  expect(await readFile(join(place.shared, recordPathOf(made.id)), 'utf8')).toContain('"state":"deleted"')
  expect(existsSync(join(again.store.folder, made.audioPath))).toBe(false)

  await using fresh = await createTestFolder()
  await using filled = await openArchive({ folder: fresh, store: await place.storeIn(fresh.dataFolder) })
  expect(filled.recovery).toMatchObject({ restored: 1, audioMissing: 0 })
  expect(await filled.captures.get(kept.id)).toMatchObject({ transcriptRaw: 'hello', audioAvailable: true })
  expect((await filled.captures.audioFile(kept.id)).ok).toBe(true)
  expect(await filled.captures.get(made.id)).toBeNull()
})

test('removes audio alone from the store, as retention does', async () => {
  await using place = await createPlace()
  await using archive = await place.openServer()
  const made = await finishedCapture(archive)
  expect(await archive.captures.removal.removeAudio(made.id, () => true)).toBe(true)
  expect(await place.stored()).not.toContain(made.audioPath)
  expect(await archive.captures.audioFile(made.id)).toMatchObject({ failure: { code: 'audio_gone' } })
  expect(await archive.captures.retranscribe(made.id, PLAIN)).toMatchObject({
    failure: { code: 'audio_gone' },
  })
})

test('a recording with other bytes than those received never becomes text', async () => {
  await using place = await createPlace()
  await using archive = await place.openServer()
  const made = await finishedCapture(archive)
  await writeFile(join(place.shared, made.audioPath), 'fLaC, but something else')
  await rm(join(archive.store.folder, made.audioPath))
  const again = await archive.captures.retranscribe(made.id, PLAIN)
  if (!again.ok) throw new Error(again.failure.message)
  const job = await endedJob(archive, again.value.jobId)
  expect(job).toMatchObject({ state: 'failed', error: { code: 'audio_damaged' } })
  expect(await archive.captures.get(made.id)).toMatchObject({ status: 'completed', transcriptRaw: 'hello' })
  const { database, store } = archive
  const { differences } = await verifyCaptures({ database, store })
  expect(differences).toContainEqual({ id: made.id, what: 'its audio is not what was received' })
})

test('moves the recordings of a data folder into the store at the first start with it', async () => {
  await using place = await createPlace()
  const dataFolder = await place.dataFolder()
  const own: TestFolder = { ...place.folder, dataFolder }
  const alone = await openArchive({ folder: own })
  const [made, deleted] = [await finishedCapture(alone), await finishedCapture(alone)]
  await alone.captures.remove(deleted.id)
  await alone.stop()
  expect(existsSync(join(dataFolder, made.audioPath))).toBe(true)

  await using archive = await place.openServer({ at: dataFolder })
  expect(existsSync(join(dataFolder, made.audioPath))).toBe(false)
  const expected = [made.audioPath, recordPathOf(made.id), recordPathOf(deleted.id)].sort()
  await until(async () => Bun.deepEquals(await place.stored(), expected), { what: 'the copies in the store' })
  expect(await archive.captures.get(made.id)).toMatchObject({ transcriptRaw: 'hello', audioAvailable: true })
  expect((await archive.captures.audioFile(made.id)).ok).toBe(true)
  expect(await readdir(join(dataFolder, 'captures'), { recursive: true })).toEqual([
    expect.stringMatching(/^\d{4}-\d\d$/),
  ])
})

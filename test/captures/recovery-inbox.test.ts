// The inbox: recordings that are not in the database yet, and how the server imports them at the start.
// With real files and databases; a crash is simulated by the files it leaves.

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { receiveAudio } from '../../src/audio/incoming.ts'
import { audioInInbox, type InboxNote, writeNote } from '../../src/captures/capture-files.ts'
import { verifyCaptures } from '../../src/captures/copies.ts'
import { newId } from '../../src/lib/uuid.ts'
import {
  capture,
  fields,
  finishedCapture,
  onlyCopy,
  openArchive,
  type TestArchive,
} from '../support/archive.ts'
import { testAtLength } from '../support/at-length.ts'
import { createTestFolder } from '../support/database.ts'
import { recordingsIn } from '../support/inbox.ts'
import { until } from '../support/until.ts'

const recording = resolve(import.meta.dir, '../speech/short-01.flac')
const inboxOf = (dataFolder: string) => join(dataFolder, 'inbox')

const SAID = {
  ...{
    title: 'Lunch',
    language: 'de',
    sttModel: 'base',
    refine: true,
    appName: 'Mail',
    appId: 'com.apple.mail',
  },
  ...{ appUrl: 'https://mail', windowTitle: 'Re: lunch', recordedAt: new Date('2026-01-02T03:04:05.678Z') },
}
const { refine: _refine, ...SHOWN } = SAID

const noteOf = (more: Partial<InboxNote> = {}): InboxNote => {
  const madeAt = new Date('2026-01-02T03:04:06.000Z')
  const ids = { id: newId(madeAt), jobId: newId(madeAt), madeAt }
  return { ...ids, fields: fields(SAID), isInterrupted: true, isDiscarded: false, ...more }
}

/** Half of a recording, as a crash during the upload leaves it; without a note its fields are unknown. */
async function leaveInInbox(
  dataFolder: string,
  note: InboxNote | null = null,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Bun.file(recording).bytes()
  const arrived = bytes.slice(0, bytes.length / 2)
  await mkdir(inboxOf(dataFolder), { recursive: true })
  await writeFile(audioInInbox(inboxOf(dataFolder), note?.id ?? newId(new Date())), arrived)
  if (note !== null) await writeNote(inboxOf(dataFolder), note)
  return arrived
}

const onlyCapture = async ({ captures }: TestArchive, trashed = false) => {
  const { items } = await captures.list({ limit: 10, offset: 0, trashed })
  expect(items).toHaveLength(1)
  return items[0]!
}

test('creates a marked capture with all fields from a recording that a crash cut off', async () => {
  await using folder = await createTestFolder()
  const note = noteOf()
  const arrived = await leaveInInbox(folder.dataFolder, note)

  await using archive = await openArchive({ folder, working: false })
  expect(archive.recovery.adopted).toBe(1)
  expect(await archive.captures.get(note.id)).toMatchObject({
    ...SHOWN,
    ...{ status: 'pending', error: { code: 'upload_interrupted' }, createdAt: note.madeAt },
    audioBytes: arrived.length,
  })
  const job = await archive.jobs.get(note.jobId)
  expect(job).toMatchObject({ captureId: note.id, state: 'waiting', model: 'base', language: 'de' })
  expect(await readdir(inboxOf(folder.dataFolder))).toEqual([])
})

test('preserves the fields of a complete recording across a restart, and does not mark it as interrupted', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder, working: false })
  const intaken = await onlyCopy(first, SAID)
  const { id, jobId } = intaken.arrival!
  await rm(join(folder.dataFolder, 'captures'), { recursive: true, force: true })
  await writeFile(join(folder.dataFolder, 'captures'), 'in the way')
  expect((await first.captures.create(intaken)).ok).toBe(false)
  await first.stop()
  await rm(join(folder.dataFolder, 'captures'))

  await using again = await openArchive({ folder, working: false })
  expect(again.recovery.adopted).toBe(1)
  expect(await again.captures.get(id)).toMatchObject({ ...SHOWN, status: 'pending', error: null })
  expect(await again.jobs.get(jobId)).toMatchObject({ captureId: id, state: 'waiting' })
  expect(await readdir(inboxOf(folder.dataFolder))).toEqual([])
})

test('leaves a recording that completes during shutdown for the next start, unmarked', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder, working: false })
  const intaken = await onlyCopy(first, SAID)
  await first.stop()
  const stored = await first.captures.create(intaken)
  expect(stored).toMatchObject({ failure: { code: 'storage_unavailable' } })

  await using again = await openArchive({ folder, working: false })
  expect(await again.captures.get(intaken.arrival!.id)).toMatchObject({ ...SHOWN, error: null })
})

for (const isInterrupted of [true, false])
  test(`moves a discarded recording from the inbox into the trash (${isInterrupted ? 'cut off' : 'whole'})`, async () => {
    await using folder = await createTestFolder()
    const note = noteOf({ isDiscarded: true, isInterrupted })
    await leaveInInbox(folder.dataFolder, note)

    await using archive = await openArchive({ folder, working: false })
    const code = isInterrupted ? 'upload_interrupted' : 'trashed'
    expect(await onlyCapture(archive, true)).toMatchObject({
      id: note.id,
      status: 'canceled',
      error: { code },
    })
    expect((await archive.jobs.counts()).waiting).toBe(0)
    expect(await archive.captures.restore(note.id)).toMatchObject({ status: 'pending', title: 'Lunch' })
  })

test('loses no field in a crash between the move of the audio and the commit', async () => {
  await using folder = await createTestFolder()
  const note = noteOf({ isInterrupted: false })
  await mkdir(inboxOf(folder.dataFolder), { recursive: true })
  await writeNote(inboxOf(folder.dataFolder), note)
  const month = join(folder.dataFolder, 'captures/2026-01')
  await mkdir(month, { recursive: true })
  await copyFile(recording, join(month, `${note.id}.flac`))

  await using archive = await openArchive({ folder, working: false })
  expect(archive.recovery.adopted).toBe(1)
  expect(await archive.captures.get(note.id)).toMatchObject({ ...SHOWN, status: 'pending', error: null })
  expect(await archive.jobs.get(note.jobId)).toMatchObject({ captureId: note.id, state: 'waiting' })
  expect(await readdir(inboxOf(folder.dataFolder))).toEqual([])
})

testAtLength(
  'creates no second capture after a crash between the commit and the removal of the note',
  async () => {
    await using folder = await createTestFolder()
    const archive = await openArchive({ folder })
    const made = await finishedCapture(archive)
    await archive.stop()
    await writeNote(inboxOf(folder.dataFolder), noteOf({ id: made.id }))

    await using again = await openArchive({ folder, working: false })
    expect(again.recovery.adopted).toBe(0)
    expect(await onlyCapture(again)).toMatchObject({ id: made.id, title: made.title })
    expect(await readdir(inboxOf(folder.dataFolder))).toEqual([])
  },
)

test('restores the audio at the start if a committed recording is back in the inbox', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  await archive.stop()
  await writeNote(inboxOf(folder.dataFolder), noteOf({ id: made.id }))
  await rename(join(folder.dataFolder, made.audioPath), audioInInbox(inboxOf(folder.dataFolder), made.id))

  await using again = await openArchive({ folder, working: false })
  expect(await again.captures.get(made.id)).toMatchObject({ audioAvailable: true, transcriptRaw: 'hello' })
  await until(async () => (await verifyCaptures(again)).differences.length === 0, { what: 'no difference' })
})

test('removes a recording in the inbox whose capture was deleted', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  await archive.captures.remove(made.id)
  await archive.stop()
  await leaveInInbox(folder.dataFolder, noteOf({ id: made.id }))

  await using again = await openArchive({ folder, working: false })
  expect(await again.captures.get(made.id)).toBeNull()
  expect(await readdir(inboxOf(folder.dataFolder))).toEqual([])
})

testAtLength('creates a capture from a recording without a note, beside one with missing audio', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const lost = await finishedCapture(archive)
  await archive.stop()
  await rm(join(folder.dataFolder, lost.audioPath))
  const arrived = await leaveInInbox(folder.dataFolder)

  await using again = await openArchive({ folder })
  expect(again.recovery).toMatchObject({ adopted: 1, audioMissing: 1, audioFound: 0 })
  const { items } = await again.captures.list({ limit: 10, offset: 0 })
  const adopted = items.find(({ id }) => id !== lost.id)!
  expect(adopted).toMatchObject({ audioAvailable: true, error: { code: 'upload_interrupted' } })
  const audio = await again.captures.audioFile(adopted.id)
  expect(audio.ok && (await Bun.file(audio.value.path).bytes())).toEqual(arrived)
  await until(async () => (await again.captures.get(adopted.id))?.status === 'completed', {
    what: 'the interrupted recording',
  })
})

test('imports recordings from the earlier inbox folder, with their start time', async () => {
  await using folder = await createTestFolder()
  const earlier = join(folder.dataFolder, 'incoming')
  await mkdir(earlier, { recursive: true })
  const bytes = await Bun.file(recording).bytes()
  const path = join(earlier, `${crypto.randomUUID()}.live`)
  await writeFile(path, bytes.subarray(0, bytes.length / 2))
  const aMinuteLater = new Date(Date.now() + 60_000)
  await utimes(path, aMinuteLater, aMinuteLater)
  const { birthtime } = await stat(path)
  await writeFile(join(earlier, `${crypto.randomUUID()}.live`), 'RI')
  await writeFile(join(earlier, `${crypto.randomUUID()}.part`), bytes)

  await using archive = await openArchive({ folder })
  expect(archive.recovery.adopted).toBe(1)
  const made = await onlyCapture(archive)
  expect(made).toMatchObject({ source: 'recording', error: { code: 'upload_interrupted' } })
  expect(made.recordedAt).toEqual(birthtime.getTime() > 0 ? birthtime : aMinuteLater)
  expect([existsSync(earlier), await readdir(inboxOf(folder.dataFolder))]).toEqual([false, []])
})

test('imports a recording at the start even if the queue is full', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder, working: false, maxQueue: 1 })
  const { capture: waiting } = await capture(first)
  await first.stop()
  await leaveInInbox(folder.dataFolder)
  await using again = await openArchive({ folder, working: false, maxQueue: 1 })
  expect(again.recovery.adopted).toBe(1)
  await again.captures.remove(waiting.id)
  expect(await onlyCapture(again)).toMatchObject({ audioAvailable: true, status: 'pending' })
})

test('creates a capture from a recording in progress only when it is complete', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder, working: false })
  const bytes = await Bun.file(recording).bytes()
  const rest = Promise.withResolvers<void>()
  async function* body() {
    yield bytes.subarray(0, 5000)
    await rest.promise
    yield bytes.subarray(5000)
  }
  const inbox = inboxOf(folder.dataFolder)
  const live = { idleMs: 60_000, isOnlyCopy: true }
  const { id } = first.captures.noteArrival({ fields: fields(SAID), isDiscarded: false })
  const receiving = receiveAudio({ folder: inbox, id, body: body(), maxBytes: 10_000_000, live })
  const written = async () => {
    const [name] = await recordingsIn(folder.dataFolder)
    return name !== undefined && (await stat(join(inbox, name))).size === 5000
  }
  await until(written, { what: 'the first bytes' })
  await first.stop()
  await using again = await openArchive({ folder, working: false })
  expect(again.recovery.adopted).toBe(0)
  expect(await written()).toBe(true)
  rest.resolve()
  expect((await receiving).ok).toBe(true)
  await until(async () => again.captures.get(id), { what: 'the recording' })
  expect(await again.captures.get(id)).toMatchObject(SHOWN)
  const audio = await again.captures.audioFile(id)
  expect(audio.ok && (await Bun.file(audio.value.path).bytes())).toEqual(bytes)
})

test('continues the start and the other recordings if one in the inbox is unreadable', async () => {
  await using folder = await createTestFolder()
  const arrived = await leaveInInbox(folder.dataFolder)
  const unreadable = audioInInbox(inboxOf(folder.dataFolder), newId(new Date(0)))
  // Reading a folder as a file fails for root as well.
  await mkdir(unreadable)
  await using archive = await openArchive({ folder })
  expect(archive.recovery.adopted).toBe(1)
  expect((await onlyCapture(archive)).audioBytes).toBe(arrived.length)
  expect(existsSync(unreadable)).toBe(true)
})

test('loses only the fields, not the recording, with an invalid note', async () => {
  await using folder = await createTestFolder()
  const note = noteOf()
  await leaveInInbox(folder.dataFolder, note)
  await writeFile(join(inboxOf(folder.dataFolder), `${note.id}.json`), '{"format":1,"id":')
  await using archive = await openArchive({ folder, working: false })
  expect(await onlyCapture(archive)).toMatchObject({ id: note.id, title: null, source: 'recording' })
  expect(await readdir(inboxOf(folder.dataFolder))).toEqual([])
})

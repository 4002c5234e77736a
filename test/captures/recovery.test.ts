// What a start makes of what a crash, a power cut or a hand left behind; with real files and databases.
// The recogniser is a hand-written function.

import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { sql } from 'drizzle-orm'
import { markAudio } from '../../db/captures.ts'
import { receiveAudio } from '../../src/audio/incoming.ts'
import { recordPathOf } from '../../src/captures/capture-files.ts'
import { type CaptureRecord, readRecord, recordTimeOf, writeRecord } from '../../src/captures/record.ts'
import { verifyCaptures } from '../../src/captures/verify-captures.ts'
import { fail, succeed } from '../../src/lib/result.ts'
import { newId } from '../../src/lib/uuid.ts'
import {
  capture,
  endedJob,
  finishedCapture,
  openArchive,
  receive,
  said,
  type TestArchive,
} from '../support/archive.ts'
import { createTestFolder, databaseKind, type TestFolder } from '../support/database.ts'
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

/** The same files with an empty index. */
async function withoutIndex(folder: TestFolder): Promise<TestFolder> {
  const fresh = await createTestFolder()
  await rm(join(fresh.dataFolder, 'captures'), { recursive: true, force: true })
  await Bun.$`cp -r ${join(folder.dataFolder, 'captures')} ${fresh.dataFolder}`.quiet()
  return fresh
}

const keptRecord = async (dataFolder: string, id: string): Promise<CaptureRecord> => {
  const record = await readRecord(dataFolder, id)
  if (record === null || record === 'unreadable' || record.state !== 'kept') throw new Error('no record')
  return record
}

/** As a change leaves a capture, whose time is never the one before. */
const nextRevision = ({ capture: { revision, updatedAt, ...rest } }: CaptureRecord) => ({
  ...rest,
  revision: revision + 1,
  updatedAt: new Date(updatedAt.getTime() + 1),
})

test('a start after a clean stop finds nothing to do', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  await finishedCapture(archive)
  await archive.captures.remove((await finishedCapture(archive)).id)
  await archive.stop()
  await using again = await openArchive({ folder })
  expect(again.recovery).toEqual(NOTHING)
})

test('the whole index can be made again from the files', async () => {
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

  await using fresh = await withoutIndex(folder)
  const asked: unknown[] = []
  await using again = await openArchive({
    folder: fresh,
    transcribe: async ({ language }) => {
      asked.push(language)
      return succeed(said('at last'))
    },
  })
  expect(again.recovery).toEqual({ ...NOTHING, restored: 2, requeued: 1 })
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
  expect(asked).toEqual(['de'])
})

test('a record that is newer than its row wins', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  await archive.stop()
  const record = await keptRecord(folder.dataFolder, made.id)
  const newer = { ...nextRevision(record), title: 'written, then the power went' }
  await writeRecord(folder.dataFolder, { ...record, capture: newer })

  await using again = await openArchive({ folder })
  expect(again.recovery).toEqual({ ...NOTHING, restored: 1 })
  expect((await again.captures.list({ q: 'power', limit: 10, offset: 0 })).total).toBe(1)
})

test('a record that is newer than its row wins, however far ahead the clock was at another change', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const [lost, ahead] = [await finishedCapture(archive), await finishedCapture(archive)]
  await archive.stop()
  const inAYear = new Date(Date.now() + 365 * 86_400_000)
  const record = await keptRecord(folder.dataFolder, ahead.id)
  await writeRecord(folder.dataFolder, {
    ...record,
    capture: { ...nextRevision(record), updatedAt: inAYear },
  })
  const between = await openArchive({ folder })
  expect(between.recovery).toEqual({ ...NOTHING, restored: 1 })
  await between.stop()

  const earlier = await keptRecord(folder.dataFolder, lost.id)
  const newer = { ...nextRevision(earlier), title: 'after the clock was right again' }
  await writeRecord(folder.dataFolder, { ...earlier, capture: newer })
  const again = await openArchive({ folder })
  expect(again.recovery).toEqual({ ...NOTHING, restored: 1 })
  expect(await again.captures.get(lost.id)).toMatchObject({ title: newer.title })
  await again.stop()
  await using last = await openArchive({ folder })
  expect(last.recovery).toEqual(NOTHING)
})

test('records that lost their times in a copy are read once, and known at the next start', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  const gone = await finishedCapture(archive)
  await archive.captures.remove(gone.id)
  await archive.stop()
  const times = () => [made, gone].map(({ id }) => recordTimeOf(folder.dataFolder, id))
  const [before, now] = [times(), new Date()]
  for (const { id } of [made, gone]) await utimes(recordPathOf(folder.dataFolder, id), now, now)

  await using again = await openArchive({ folder })
  expect(again.recovery).toEqual(NOTHING)
  expect(times()).toEqual(before)
  expect(before[0]).toBe(made.updatedAt.getTime())
})

test('a result that was written but not indexed is not worked out again', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder, working: false })
  const { capture: made, jobId } = await capture(archive)
  await archive.stop()
  const record = await keptRecord(folder.dataFolder, made.id)
  const finished = {
    ...nextRevision(record),
    status: 'completed' as const,
    transcriptRaw: 'written once',
  }
  await writeRecord(folder.dataFolder, { ...record, capture: finished, lastJobId: jobId })

  let attempts = 0
  await using again = await openArchive({
    folder,
    transcribe: async () => {
      attempts++
      return succeed(said('twice'))
    },
  })
  expect(await endedJob(again, jobId)).toMatchObject({ state: 'completed' })
  expect(await again.captures.get(made.id)).toMatchObject({ transcriptRaw: 'written once', revision: 2 })
  expect(await again.captures.versions(made.id)).toEqual([])
  expect(attempts).toBe(0)
})

for (const earlier of ['completed', 'failed'] as const)
  test(`a promised retranscription of a ${earlier} capture survives a database that forgot it`, async () => {
    await using folder = await createTestFolder()
    const outcome =
      earlier === 'failed' ? fail({ code: 'unknown_model', message: 'No.' }) : succeed(said('before'))
    const archive = await openArchive({ folder, transcribe: async () => outcome })
    const made = await finishedCapture(archive)
    await archive.stop()
    const idle = await openArchive({ folder, working: false })
    const request = { model: 'base', language: 'de', prompt: 'Zürich', keepRefined: true }
    const queued = await idle.captures.retranscribe(made.id, request)
    if (!queued.ok) throw new Error(queued.failure.message)
    const { jobId } = queued.value
    expect((await idle.captures.get(made.id))!.transcriptRaw).toBe(made.transcriptRaw)
    await idle.database.run((orm) => orm.execute(sql`delete from jobs where id = ${jobId}`))
    await idle.stop()

    const asked: unknown[] = []
    const again = await openArchive({
      folder,
      transcribe: async ({ language, prompt }) => {
        asked.push({ language, prompt })
        return succeed(said('after'))
      },
    })
    expect(await endedJob(again, jobId)).toMatchObject({
      kind: 'retranscribe',
      state: 'completed',
    })
    expect(asked).toEqual([{ language: 'de', prompt: 'Zürich' }])
    expect(await again.captures.get(made.id)).toMatchObject({ transcriptRaw: 'after' })
    await again.database.run((orm) => orm.execute(sql`delete from jobs where id = ${jobId}`))
    await again.stop()

    await using last = await openArchive({ folder, working: false })
    expect(await last.jobs.get(jobId)).toBeNull()
  })

test('a retranscription that was cancelled is promised no more', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  await archive.stop()
  const idle = await openArchive({ folder, working: false })
  const request = { model: null, language: null, prompt: null, keepRefined: false }
  const queued = await idle.captures.retranscribe(made.id, request)
  if (!queued.ok) throw new Error(queued.failure.message)
  expect((await keptRecord(folder.dataFolder, made.id)).promised).toMatchObject(queued.value)
  await idle.captures.cancel(made.id)
  expect((await keptRecord(folder.dataFolder, made.id)).promised).toBeNull()
  expect(await idle.captures.get(made.id)).toEqual(made)
  await idle.stop()
})

test('a deletion that was cut off is finished', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  const audio = join(folder.dataFolder, made.audioPath)
  await archive.captures.remove(made.id)
  await archive.stop()
  await receive(folder.dataFolder).then(({ path }) => copyFile(path, audio))
  await rm(join(folder.dataFolder, 'inbox'), { recursive: true })

  await using again = await openArchive({ folder })
  expect(again.recovery).toEqual({ ...NOTHING, deletionsFinished: 1 })
  expect(existsSync(audio)).toBe(false)
  expect(await again.captures.get(made.id)).toBeNull()
})

test('audio without a record becomes a capture rather than being lost', async () => {
  await using folder = await createTestFolder()
  const now = new Date()
  const id = newId(now)
  const month = join(folder.dataFolder, 'captures', now.toISOString().slice(0, 7))
  await mkdir(month, { recursive: true })
  await copyFile(resolve(import.meta.dir, '../speech/short-01.flac'), join(month, `${id}.flac`))
  await writeFile(join(month, `${newId(now)}.flac`), 'this is no audio')
  await writeFile(join(month, 'notes.txt'), 'somebody put this here')

  await using archive = await openArchive({ folder })
  expect(archive.recovery).toEqual({ ...NOTHING, adopted: 1, requeued: 1 })
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

test('a spoiled record is set aside, and its audio taken in anew', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  await archive.stop()
  const record = join(folder.dataFolder, made.audioPath.replace('.flac', '.json'))
  await writeFile(record, '{"format":1,"state":"kept","capture":{"id":"../../etc"')

  await using fresh = await withoutIndex(folder)
  await using again = await openArchive({ folder: fresh })
  expect(again.recovery).toMatchObject({ adopted: 1, requeued: 1 })
  expect(await readdir(dirname(join(fresh.dataFolder, made.audioPath)))).toContain(
    `${made.id}.json.unreadable`,
  )
})

test('a record that is removed by hand is written again with the next change', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  await archive.stop()
  await rm(join(folder.dataFolder, made.audioPath.replace('.flac', '.json')))

  await using again = await openArchive({ folder })
  expect(await again.captures.get(made.id)).toMatchObject({ transcriptRaw: 'hello', segments: [] })
  await again.captures.update(made.id, { starred: true })
  expect((await keptRecord(folder.dataFolder, made.id)).capture).toMatchObject({
    transcriptRaw: 'hello',
    starred: true,
  })
})

test('audio that is missing is said to be, and the text stays', async () => {
  await using folder = await createTestFolder()
  const archive = await openArchive({ folder })
  const made = await finishedCapture(archive)
  await archive.stop()
  await rm(join(folder.dataFolder, made.audioPath))

  await using again = await openArchive({ folder })
  expect(again.recovery).toEqual({ ...NOTHING, audioMissing: 1 })
  expect(await again.captures.get(made.id)).toMatchObject({ audioAvailable: false, transcriptRaw: 'hello' })
})

/** Half of a recording, as a crash leaves it in the inbox. */
async function leaveInInbox(dataFolder: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Bun.file(resolve(import.meta.dir, '../speech/short-01.flac')).bytes()
  const arrived = bytes.slice(0, bytes.length / 2)
  await mkdir(join(dataFolder, 'inbox'), { recursive: true })
  await writeFile(join(dataFolder, 'inbox', `${crypto.randomUUID()}.live`), arrived)
  return arrived
}

const onlyCapture = async ({ captures }: TestArchive) => {
  const { items } = await captures.list({ limit: 10, offset: 0 })
  expect(items).toHaveLength(1)
  return items[0]!
}

test('a recording that a crash interrupted has its audio, beside one that has none', async () => {
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
  const request = { model: null, language: null, prompt: null, keepRefined: false }
  await until(async () => (await again.captures.get(adopted.id))?.status === 'completed', {
    what: 'the interrupted recording',
  })
  expect((await again.captures.retranscribe(adopted.id, request)).ok).toBe(true)
})

for (const where of ['row', 'row and record'] as const)
  test(`audio that is there and counts as missing in ${where} is given back`, async () => {
    await using folder = await createTestFolder()
    const archive = await openArchive({ folder })
    const made = await finishedCapture(archive)
    await archive.database.run((orm) => markAudio(orm, [made.id], { isThere: false }))
    // Any change writes into the record what the row says.
    if (where === 'row and record') await archive.captures.update(made.id, { title: 'a title' })
    const inRecord = (await keptRecord(folder.dataFolder, made.id)).capture.audioAvailable
    expect(inRecord).toBe(where === 'row')
    const verified = () => verifyCaptures({ database: archive.database, dataFolder: folder.dataFolder })
    expect((await verified()).differences).toHaveLength(1)
    await archive.stop()

    const again = await openArchive({ folder })
    expect(again.recovery).toEqual({ ...NOTHING, audioFound: 1 })
    expect(await again.captures.get(made.id)).toMatchObject({ audioAvailable: true })
    expect((await keptRecord(folder.dataFolder, made.id)).capture.audioAvailable).toBe(true)
    const { database } = again
    expect((await verifyCaptures({ database, dataFolder: folder.dataFolder })).differences).toEqual([])
    await again.stop()
    await using last = await openArchive({ folder })
    expect(last.recovery).toEqual(NOTHING)
  })

test('a flipped byte is noticed in audio that counts as missing', async () => {
  await using archive = await openArchive()
  const made = await finishedCapture(archive)
  const { database, dataFolder } = archive
  await database.run((orm) => markAudio(orm, [made.id], { isThere: false }))
  await archive.captures.update(made.id, { title: 'a title' })
  const path = join(dataFolder, made.audioPath)
  const bytes = await Bun.file(path).bytes()
  bytes[1000]! ^= 1
  await writeFile(path, bytes)
  const { differences } = await verifyCaptures({ database, dataFolder })
  expect(differences.map(({ what }) => what)).toContain('its audio is not what was received')
})

test('a recording that waits in the inbox is taken in by a start, however full the queue is', async () => {
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

test('a recording that this process still receives is adopted when all of it is there, not before', async () => {
  await using folder = await createTestFolder()
  const first = await openArchive({ folder, working: false })
  const bytes = await Bun.file(resolve(import.meta.dir, '../speech/short-01.flac')).bytes()
  const rest = Promise.withResolvers<void>()
  async function* body() {
    yield bytes.subarray(0, 5000)
    await rest.promise
    yield bytes.subarray(5000)
  }
  const inbox = join(folder.dataFolder, 'inbox')
  const live = { idleMs: 60_000, isOnlyCopy: true }
  const receiving = receiveAudio({ folder: inbox, body: body(), maxBytes: 10_000_000, live })
  const written = async () => {
    const [name] = await readdir(inbox)
    return name !== undefined && (await stat(join(inbox, name))).size === 5000
  }
  await until(written, { what: 'the first bytes' })
  await first.stop()
  await using again = await openArchive({ folder, working: false })
  expect(again.recovery.adopted).toBe(0)
  expect(await written()).toBe(true)
  rest.resolve()
  expect((await receiving).ok).toBe(true)
  await until(async () => (await again.captures.list({ limit: 1, offset: 0 })).total === 1, {
    what: 'the recording',
  })
  const audio = await again.captures.audioFile((await onlyCapture(again)).id)
  expect(audio.ok && (await Bun.file(audio.value.path).bytes())).toEqual(bytes)
})

test('a recording in the inbox that cannot be read keeps no other one, and no start, back', async () => {
  await using folder = await createTestFolder()
  const arrived = await leaveInInbox(folder.dataFolder)
  const unreadable = join(folder.dataFolder, 'inbox', '0.live')
  // Reading a folder fails for root as well.
  await mkdir(unreadable)
  await using archive = await openArchive({ folder })
  expect(archive.recovery.adopted).toBe(1)
  expect((await onlyCapture(archive)).audioBytes).toBe(arrived.length)
  expect(existsSync(unreadable)).toBe(true)
})

test('what was being written when the process died is removed', async () => {
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

test('a job that was running at a kill -9 runs again at once', async () => {
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
  'a database that is set aside is made again from the files',
  async () => {
    await using folder = await createTestFolder()
    const archive = await openArchive({ folder })
    const made = await finishedCapture(archive)
    await archive.stop()

    const anew = { ...folder, open: () => folder.open({ anew: true }) }
    await using again = await openArchive({ folder: anew })
    expect(again.recovery).toEqual({ ...NOTHING, restored: 1 })
    expect(await again.captures.get(made.id)).toEqual(made)
    const names = await readdir(folder.dataFolder)
    expect(names.filter((name) => name.startsWith('postgres-18.unusable-'))).toHaveLength(1)
  },
  60_000,
)

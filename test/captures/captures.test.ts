// Captures with real files, database and queue; the recogniser is a hand-written function.

import { expect, test } from 'bun:test'
import { existsSync, mkdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { quarantine } from '../../db/quarantine.ts'
import { recordPathOf } from '../../src/captures/capture-files.ts'
import { verifyCaptures } from '../../src/captures/copies.ts'
import { type Log, silentLog } from '../../src/lib/log.ts'
import { fail, succeed } from '../../src/lib/result.ts'
import { newId } from '../../src/lib/uuid.ts'
import { createDataFolderStore } from '../../src/store/data-folder.ts'
import {
  capture,
  copyOf,
  endedJob,
  fields,
  finishedCapture,
  onlyCopy,
  openArchive,
  receive,
  recordOf,
  said,
} from '../support/archive.ts'
import { createTestFolder } from '../support/database.ts'
import { until } from '../support/until.ts'

const REFINEMENT = { flags: null, writingStyleId: null, useLlm: null, llmModel: null }

const jsonOf = async (dataFolder: string, id: string) =>
  JSON.parse(await readFile(join(dataFolder, recordPathOf(id)), 'utf8'))

test('stores the audio and the copy of a new capture, readable by this user only', async () => {
  await using archive = await openArchive({ working: false })
  const incoming = await receive(archive.dataFolder)
  const created = await archive.captures.create({
    incoming,
    fields: fields({ appName: 'Mail', title: 'A "title"', language: 'de', sttModel: 'base' }),
  })
  if (!created.ok) throw new Error(created.failure.message)
  const { capture: made } = created.value
  expect(existsSync(incoming.path)).toBe(false)
  expect(made.audioPath).toMatch(/^captures\/\d{4}-\d\d\/[0-9a-f-]{36}\.flac$/)
  const path = join(archive.dataFolder, made.audioPath)
  expect((await stat(path)).size).toBe(incoming.bytes)
  expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
  await copyOf(archive, made.id)
  expect((await stat(path.replace('.flac', '.json'))).mode & 0o777).toBe(0o600)
  expect(await jsonOf(archive.dataFolder, made.id)).toMatchObject({
    format: 1,
    state: 'kept',
    capture: { id: made.id, status: 'pending', appName: 'Mail', title: 'A "title"', revision: 1 },
    versions: [],
  })
  expect(await archive.captures.get(made.id)).toEqual(made)
})

test('updates the copy after every change, with the revision of the row', async () => {
  await using archive = await openArchive()
  const made = await finishedCapture(archive)
  const patched = await archive.captures.update(made.id, {
    transcriptRefined: 'Hello, World. Again.',
    starred: true,
    title: 'Greeting',
  })
  expect(patched).toMatchObject({ revision: made.revision + 1, wordCount: 3, starred: true })
  expect(await archive.captures.get(made.id)).toEqual(patched!)
  expect((await copyOf(archive, made.id)).capture).toMatchObject({
    transcriptRaw: 'hello',
    transcriptRefined: 'Hello, World. Again.',
    title: 'Greeting',
    revision: patched!.revision,
  })
})

test('distinguishes a missing capture from a bug', async () => {
  await using archive = await openArchive({ working: false })
  for (const id of [newId(new Date()), crypto.randomUUID(), '', '../../etc/passwd']) {
    expect(await archive.captures.get(id)).toBeNull()
    expect(await archive.captures.update(id, { starred: true })).toBeNull()
    expect(await archive.captures.remove(id)).toBe(false)
    expect(await archive.captures.cancel(id)).toBeNull()
    expect(await archive.captures.versions(id)).toBeNull()
    expect(await archive.captures.audioFile(id)).toMatchObject({ failure: { code: 'capture_not_found' } })
    expect(await archive.jobs.get(id)).toBeNull()
  }
})

test('refuses recordings beyond the queue limit, and leaves the uploaded file to the caller', async () => {
  await using archive = await openArchive({ working: false, maxQueue: 2 })
  await capture(archive)
  const second = await capture(archive)
  const incoming = await receive(archive.dataFolder)
  const refused = await archive.captures.create({ incoming, fields: fields() })
  expect(refused).toMatchObject({ ok: false, failure: { code: 'queue_full' } })
  expect(existsSync(incoming.path)).toBe(true)
  await archive.captures.cancel(second.capture.id)
  expect((await archive.captures.create({ incoming, fields: fields() })).ok).toBe(true)
})

for (const how of ['create', 'discard'] as const)
  test(`accepts the only copy of a recording although the queue is full (${how})`, async () => {
    await using archive = await openArchive({ working: false, maxQueue: 1 })
    await capture(archive)
    const kept = await archive.captures[how](await onlyCopy(archive, { isDiscarded: how === 'discard' }))
    expect(kept.ok).toBe(true)
    expect(await readdir(join(archive.dataFolder, 'inbox'))).toEqual([])
  })

for (const how of ['create', 'discard'] as const)
  test(`stores the only copy of a recording as soon as possible, without a restart (${how})`, async () => {
    await using archive = await openArchive({ working: false })
    const { dataFolder, captures } = archive
    const intaken = await onlyCopy(archive, { title: 'said once', isDiscarded: how === 'discard' })
    const bytes = await Bun.file(intaken.incoming.path).bytes()
    // A file instead of the folder: creating anything in it fails.
    await writeFile(join(dataFolder, 'captures'), '')
    const refused = await captures[how](intaken)
    if (refused.ok) throw new Error('it was stored')
    expect(refused.failure.code).toBe('storage_unavailable')
    expect(refused.failure.message).toContain('stored in the inbox')
    expect(existsSync(intaken.incoming.path)).toBe(true)
    await rm(join(dataFolder, 'captures'))
    const trashed = how === 'discard'
    const made = await until(async () => (await captures.list({ limit: 1, offset: 0, trashed })).items[0], {
      what: 'the recording to be stored',
    })
    expect(made).toMatchObject({ id: intaken.arrival!.id, title: 'said once', audioAvailable: true })
    expect(made.error?.code).not.toBe('upload_interrupted')
    expect(await Bun.file(join(dataFolder, made.audioPath)).bytes()).toEqual(bytes)
    expect(await readdir(join(dataFolder, 'inbox'))).toEqual([])
  })

for (const how of ['create', 'discard'] as const)
  test(`creates no capture without audio if a waiting recording was removed meanwhile (${how})`, async () => {
    await using folder = await createTestFolder()
    const { dataFolder } = folder
    const failures: unknown[] = []
    const log: Log = { ...silentLog, error: (_, message) => void failures.push(message) }
    await using archive = await openArchive({ folder, working: false, log })
    const intaken = await onlyCopy(archive, { isDiscarded: how === 'discard' })
    await writeFile(join(dataFolder, 'captures'), '')
    expect((await archive.captures[how](intaken)).ok).toBe(false)
    await rm(intaken.incoming.path)
    await rm(join(dataFolder, 'captures'))
    const before = failures.length
    await until(() => failures.length > before, { what: 'another attempt' })
    expect(
      (await verifyCaptures({ database: archive.database, store: createDataFolderStore(dataFolder) }))
        .captures,
    ).toBe(0)
  })

test('stores a capture whose copy cannot be written, and writes the copy later', async () => {
  await using folder = await createTestFolder()
  const { dataFolder } = folder
  const refused = Promise.withResolvers<void>()
  const blocked: string[] = []
  const log: Log = {
    ...silentLog,
    debug({ phase, captureId }: { phase?: unknown; captureId?: unknown }) {
      if (phase !== 'moved' || blocked.length > 0) return
      // A folder at that path makes the write fail.
      blocked.push(`${join(dataFolder, recordPathOf(String(captureId)))}.part`)
      mkdirSync(blocked[0]!)
    },
    warn: () => refused.resolve(),
  }
  await using archive = await openArchive({ folder, working: false, log })
  const { id } = (await capture(archive)).capture
  await refused.promise
  expect(await archive.captures.get(id)).toMatchObject({ status: 'pending' })
  await rm(blocked[0]!, { recursive: true })
  await archive.captures.close()
  expect((await recordOf(dataFolder, id)).capture).toEqual((await archive.captures.get(id))!)
  expect(
    (await verifyCaptures({ database: archive.database, store: createDataFolderStore(dataFolder) }))
      .differences,
  ).toEqual([])
})

test('stores the transcript that a retranscription replaces as a version', async () => {
  const texts = ['first words', 'second words', 'third words']
  await using archive = await openArchive({
    transcribe: async ({ language }) => succeed(said(texts.shift()!, { language })),
  })
  const made = await finishedCapture(archive, { language: 'en' })
  await archive.captures.update(made.id, { transcriptRefined: 'First words.' })
  const again = async (keepRefined: boolean) => {
    const request = { model: 'base', language: 'de', prompt: null, keepRefined }
    const queued = await archive.captures.retranscribe(made.id, request)
    if (!queued.ok) throw new Error(queued.failure.message)
    await endedJob(archive, queued.value.jobId)
    return archive.captures.get(made.id)
  }
  expect(await again(true)).toMatchObject({
    transcriptRaw: 'second words',
    transcriptRefined: 'First words.',
  })
  expect(await again(false)).toMatchObject({
    status: 'completed',
    transcriptRaw: 'third words',
    transcriptRefined: null,
    language: 'de',
  })
  expect(await archive.captures.versions(made.id)).toMatchObject([
    // A text by the user replaced it.
    { number: 1, transcriptRaw: 'first words', transcriptRefined: null },
    { number: 2, transcriptRaw: 'first words', transcriptRefined: 'First words.', language: 'en' },
    { number: 3, transcriptRaw: 'second words', segments: [{ text: 'second words' }] },
  ])
})

test('stores the earlier state as a version when the user edits the refined text, in the copy too', async () => {
  await using archive = await openArchive()
  const { captures } = archive
  const { id, transcriptRefined: first } = await finishedCapture(archive)
  await captures.update(id, { transcriptRefined: 'By hand.' })
  await captures.update(id, { transcriptRefined: 'By hand, again.' })
  await captures.update(id, { transcriptRefined: 'By hand, again.', starred: true })
  await captures.update(id, { title: 'A title' })
  const versions = (await captures.versions(id))!
  expect(versions.map(({ number, transcriptRefined }) => [number, transcriptRefined])).toEqual([
    [1, first],
    [2, 'By hand.'],
  ])
  const copy = await copyOf(archive, id)
  expect(copy.capture).toMatchObject({ transcriptRefined: 'By hand, again.', title: 'A title' })
  expect(copy.versions.map(({ number, transcriptRefined }) => [number, transcriptRefined])).toEqual([
    [1, first],
    [2, 'By hand.'],
  ])
})

test('stores a text by the user as a version when a refinement replaces it', async () => {
  await using archive = await openArchive()
  const { captures } = archive
  const { id } = await finishedCapture(archive)
  await captures.update(id, { transcriptRefined: 'By hand.' })
  const before = (await captures.versions(id))!.length
  const refining = await captures.refine(id, REFINEMENT)
  if (!refining.ok) throw new Error(refining.failure.message)
  await endedJob(archive, refining.value.jobId)
  const versions = (await captures.versions(id))!
  expect(versions.slice(before).map(({ transcriptRefined }) => transcriptRefined)).toEqual(['By hand.'])
})

test('restores a version completely, and stores the replaced transcript as a version', async () => {
  await using archive = await openArchive()
  const { captures } = archive
  const made = await finishedCapture(archive)
  await captures.correctSegment(made.id, { number: 0, text: 'hullo there' })
  await captures.update(made.id, { transcriptRefined: 'Hullo there, by hand.', title: 'Kept' })
  const restored = await captures.restoreVersion(made.id, 1)
  expect(restored).toMatchObject({
    ok: true,
    value: {
      transcriptRaw: made.transcriptRaw,
      transcriptRefined: made.transcriptRefined,
      segments: made.segments,
      wordCount: made.wordCount,
      title: 'Kept',
    },
  })
  const again = await captures.restoreVersion(made.id, 3)
  expect(again).toMatchObject({
    value: { transcriptRefined: 'Hullo there, by hand.', segments: [{ text: 'hullo there' }] },
  })
  expect((await captures.versions(made.id))!.map(({ number }) => number)).toEqual([1, 2, 3, 4])
  expect(await captures.restoreVersion(made.id, 9)).toMatchObject({ failure: { code: 'version_not_found' } })
})

test('refuses to restore a version during a job on the capture, or of a missing capture', async () => {
  await using archive = await openArchive({ working: false })
  const { capture: made, jobId } = await capture(archive)
  expect(await archive.captures.restoreVersion(made.id, 1)).toMatchObject({
    failure: { code: 'capture_busy', conflictingId: jobId },
  })
  expect(await archive.captures.restoreVersion(crypto.randomUUID(), 1)).toMatchObject({
    failure: { code: 'capture_not_found' },
  })
})

test('leaves the earlier transcript when a retranscription fails, and stores the error in the job', async () => {
  const answers = [
    succeed(said('kept')),
    fail({ code: 'model_not_installed', message: 'Install the model first.' }),
  ]
  await using archive = await openArchive({ transcribe: async () => answers.shift()! })
  const made = await finishedCapture(archive)
  const request = { model: 'large-v3', language: null, prompt: null, keepRefined: false }
  const queued = await archive.captures.retranscribe(made.id, request)
  if (!queued.ok) throw new Error(queued.failure.message)
  expect(await endedJob(archive, queued.value.jobId)).toMatchObject({
    kind: 'retranscribe',
    state: 'failed',
    error: { code: 'model_not_installed' },
  })
  expect(await archive.captures.get(made.id)).toEqual(made)
})

test('refuses a second job for a capture, and names the first', async () => {
  await using archive = await openArchive({ working: false })
  const { capture: made, jobId } = await capture(archive)
  const request = { model: null, language: null, prompt: null, keepRefined: false }
  expect(await archive.captures.retranscribe(made.id, request)).toMatchObject({
    failure: { code: 'capture_busy', conflictingId: jobId },
  })
})

test('refuses to transcribe missing audio', async () => {
  await using archive = await openArchive()
  const made = await finishedCapture(archive)
  await rm(join(archive.dataFolder, made.audioPath))
  const request = { model: null, language: null, prompt: null, keepRefined: false }
  expect(await archive.captures.retranscribe(made.id, request)).toMatchObject({
    failure: { code: 'audio_gone' },
  })
  expect(await archive.captures.audioFile(made.id)).toMatchObject({ failure: { code: 'audio_gone' } })
  expect(await archive.captures.get(made.id)).toMatchObject({ transcriptRaw: 'hello' })
})

test('transcribes a failed capture again', async () => {
  const answers = [fail({ code: 'unknown_model', message: 'No such model.' }), succeed(said('now it works'))]
  await using archive = await openArchive({ transcribe: async () => answers.shift()! })
  const made = await finishedCapture(archive)
  expect(made).toMatchObject({ status: 'failed', error: { code: 'unknown_model' } })
  const request = { model: null, language: null, prompt: null, keepRefined: false }
  const queued = await archive.captures.retranscribe(made.id, request)
  if (!queued.ok) throw new Error(queued.failure.message)
  await endedJob(archive, queued.value.jobId)
  expect(await archive.captures.get(made.id)).toMatchObject({ status: 'completed', error: null })
  expect(await archive.captures.versions(made.id)).toEqual([])
})

test('leaves only a tombstone with the statistics data of a removed capture', async () => {
  await using archive = await openArchive()
  const made = await finishedCapture(archive, { appName: 'Mail' })
  expect(await archive.captures.remove(made.id)).toBe(true)
  expect(await archive.captures.get(made.id)).toBeNull()
  expect(await archive.captures.remove(made.id)).toBe(false)
  expect((await archive.captures.list({ limit: 10, offset: 0 })).total).toBe(0)
  expect(existsSync(join(archive.dataFolder, made.audioPath))).toBe(false)
  const { remains, state } = await jsonOf(archive.dataFolder, made.id)
  expect(state).toBe('deleted')
  expect(remains).toMatchObject({ id: made.id, wordCount: 1, appName: 'Mail', sttModel: 'tiny.en-q5_1' })
  expect(JSON.stringify(remains)).not.toContain('hello')
})

test('removes set-aside files that may contain the text of a removed capture', async () => {
  await using archive = await openArchive()
  const made = await finishedCapture(archive)
  const damaged = join(archive.dataFolder, made.audioPath.replace('.flac', '.json.unreadable'))
  await writeFile(damaged, '{"format":1,"state":"kept","capture":{"transcriptRaw":"hello"')
  const folder = join(archive.dataFolder, 'postgres-17')
  await mkdir(folder)
  const aside = await quarantine(folder)

  await archive.captures.trash(made.id)
  expect([existsSync(damaged), existsSync(aside)]).toEqual([true, true])
  await archive.captures.remove(made.id)
  expect([existsSync(damaged), existsSync(aside)]).toEqual([false, false])
})

test('hides a removed capture whose audio cannot be erased, and erases it on the next request', async () => {
  await using archive = await openArchive()
  const made = await finishedCapture(archive)
  const audio = join(archive.dataFolder, made.audioPath)
  // A folder at that path cannot be erased as a file, not even by root.
  await rename(audio, `${audio}.away`)
  await mkdir(audio)

  await expect(archive.captures.remove(made.id)).rejects.toThrow(/EISDIR|EPERM/)
  expect(await archive.captures.get(made.id)).toBeNull()
  expect((await archive.captures.list({ limit: 10, offset: 0 })).total).toBe(0)

  await rm(audio, { recursive: true })
  await rename(`${audio}.away`, audio)
  expect(await archive.captures.remove(made.id)).toBe(true)
  expect(existsSync(audio)).toBe(false)
  expect(await archive.captures.remove(made.id)).toBe(false)
})

test('stops the job of a capture when the capture is removed', async () => {
  const started = Promise.withResolvers<void>()
  await using archive = await openArchive({
    transcribe: async ({ signal }) => {
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
      started.resolve()
      await aborted
      return fail({ code: 'aborted', message: 'Stopped.' })
    },
  })
  const { capture: made, jobId } = await capture(archive)
  await started.promise
  const waiting = endedJob(archive, jobId)
  expect(await archive.captures.remove(made.id)).toBe(true)
  await waiting
  expect(await archive.jobs.get(jobId)).toBeNull()
})

test('stores twenty recordings that arrive at once', async () => {
  await using archive = await openArchive()
  const made = await Promise.all(Array.from({ length: 20 }, () => finishedCapture(archive)))
  expect(new Set(made.map((one) => one.id)).size).toBe(20)
  expect(made.every((one) => one.status === 'completed')).toBe(true)
  expect(await readdir(join(archive.dataFolder, 'inbox'))).toEqual([])
})

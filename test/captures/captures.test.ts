// Captures with real files, database and queue; the recogniser is a hand-written function.

import { expect, test } from 'bun:test'
import { existsSync, mkdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setAside } from '../../db/set-aside.ts'
import { recordPathOf } from '../../src/captures/capture-files.ts'
import { verifyCaptures } from '../../src/captures/verify-captures.ts'
import { type Log, silentLog } from '../../src/lib/log.ts'
import { fail, succeed } from '../../src/lib/result.ts'
import { newId } from '../../src/lib/uuid.ts'
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
  JSON.parse(await readFile(recordPathOf(dataFolder, id), 'utf8'))

test('a new capture has its audio and its copy in place, for this user alone', async () => {
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

test('the copy follows every change, and row and copy carry the same number', async () => {
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

test('a capture that is not there is told apart from a bug', async () => {
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

test('refuses more than may wait, and leaves the upload to its owner', async () => {
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
  test(`takes the only copy of a recording although no more may wait (${how})`, async () => {
    await using archive = await openArchive({ working: false, maxQueue: 1 })
    await capture(archive)
    const kept = await archive.captures[how](await onlyCopy(archive, { isDiscarded: how === 'discard' }))
    expect(kept.ok).toBe(true)
    expect(await readdir(join(archive.dataFolder, 'inbox'))).toEqual([])
  })

for (const how of ['create', 'discard'] as const)
  test(`the only copy of a recording waits until it can be stored, without a restart (${how})`, async () => {
    await using archive = await openArchive({ working: false })
    const { dataFolder, captures } = archive
    const intaken = await onlyCopy(archive, { title: 'said once', isDiscarded: how === 'discard' })
    const bytes = await Bun.file(intaken.incoming.path).bytes()
    // A file in place of the folder: nothing can be made in it.
    await writeFile(join(dataFolder, 'captures'), '')
    const refused = await captures[how](intaken)
    if (refused.ok) throw new Error('it was stored')
    expect(refused.failure.code).toBe('storage_unavailable')
    expect(refused.failure.message).toContain('safe in its inbox')
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
  test(`a recording that waited and was taken away meanwhile becomes no capture without audio (${how})`, async () => {
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
    expect((await verifyCaptures({ database: archive.database, dataFolder })).captures).toBe(0)
  })

test('a capture is stored although its copy cannot be written, and the copy follows', async () => {
  await using folder = await createTestFolder()
  const { dataFolder } = folder
  const refused = Promise.withResolvers<void>()
  const blocked: string[] = []
  const log: Log = {
    ...silentLog,
    debug({ phase, captureId }: { phase?: unknown; captureId?: unknown }) {
      if (phase !== 'moved' || blocked.length > 0) return
      // No file can be written in place of a folder.
      blocked.push(`${recordPathOf(dataFolder, String(captureId))}.part`)
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
  expect(recordOf(dataFolder, id).capture).toEqual((await archive.captures.get(id))!)
  expect((await verifyCaptures({ database: archive.database, dataFolder })).differences).toEqual([])
})

test('a retranscription keeps what it replaces as a version', async () => {
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
    // What a person wrote replaced it.
    { number: 1, transcriptRaw: 'first words', transcriptRefined: null },
    { number: 2, transcriptRaw: 'first words', transcriptRefined: 'First words.', language: 'en' },
    { number: 3, transcriptRaw: 'second words', segments: [{ text: 'second words' }] },
  ])
})

test('a refined text that a person changes leaves the earlier state as a version, in the copy too', async () => {
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

test('what a person wrote outlives a refinement that replaces it, as a version', async () => {
  await using archive = await openArchive()
  const { captures } = archive
  const { id } = await finishedCapture(archive)
  await captures.update(id, { transcriptRefined: 'By hand.' })
  const before = (await captures.versions(id))!.length
  const asked = await captures.refine(id, REFINEMENT)
  if (!asked.ok) throw new Error(asked.failure.message)
  await endedJob(archive, asked.value.jobId)
  const versions = (await captures.versions(id))!
  expect(versions.slice(before).map(({ transcriptRefined }) => transcriptRefined)).toEqual(['By hand.'])
})

test('a version is brought back whole, and what it replaces becomes one', async () => {
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

test('refuses to bring a version back while a job works on the capture, and of one that is not there', async () => {
  await using archive = await openArchive({ working: false })
  const { capture: made, jobId } = await capture(archive)
  expect(await archive.captures.restoreVersion(made.id, 1)).toMatchObject({
    failure: { code: 'capture_busy', conflictingId: jobId },
  })
  expect(await archive.captures.restoreVersion(crypto.randomUUID(), 1)).toMatchObject({
    failure: { code: 'capture_not_found' },
  })
})

test('a retranscription that fails leaves the earlier transcript, and the job carries the error', async () => {
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

test('refuses to transcribe audio that is gone', async () => {
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

test('a failed capture can be transcribed again', async () => {
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

test('a removed capture leaves only a tombstone with what the statistics need', async () => {
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

test('a removed capture takes along what was set aside and may hold its text', async () => {
  await using archive = await openArchive()
  const made = await finishedCapture(archive)
  const spoiled = join(archive.dataFolder, made.audioPath.replace('.flac', '.json.unreadable'))
  await writeFile(spoiled, '{"format":1,"state":"kept","capture":{"transcriptRaw":"hello"')
  const folder = join(archive.dataFolder, 'postgres-17')
  await mkdir(folder)
  const aside = await setAside(folder)

  await archive.captures.trash(made.id)
  expect([existsSync(spoiled), existsSync(aside)]).toEqual([true, true])
  await archive.captures.remove(made.id)
  expect([existsSync(spoiled), existsSync(aside)]).toEqual([false, false])
})

test('a capture whose audio the disk will not erase is gone from every list, and asking again has it erased', async () => {
  await using archive = await openArchive()
  const made = await finishedCapture(archive)
  const audio = join(archive.dataFolder, made.audioPath)
  // A folder in its place is what no user can erase as a file, root neither.
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

test('removing a capture stops the work on it', async () => {
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

test('twenty recordings at once all arrive', async () => {
  await using archive = await openArchive()
  const made = await Promise.all(Array.from({ length: 20 }, () => finishedCapture(archive)))
  expect(new Set(made.map((one) => one.id)).size).toBe(20)
  expect(made.every((one) => one.status === 'completed')).toBe(true)
  expect(await readdir(join(archive.dataFolder, 'inbox'))).toEqual([])
})

// Models brought from a hub on this computer into a models folder: once each, checked, resumed, cancelled.
// Everything is real but the hub's place and, where a test says so, how much room the disk has.

import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createProbeModel } from '../../src/engine/probe-model.ts'
import type { ArchiveEvent } from '../../src/lib/events.ts'
import { silentLog } from '../../src/lib/log.ts'
import type { DownloadState } from '../../src/models/download-state.ts'
import { createDownloads, type DownloadsDeps } from '../../src/models/downloads.ts'
import { createEndedDownloads } from '../../src/models/ended-downloads.ts'
import { createFolderTurn } from '../../src/models/folder-turn.ts'
import { DOWNLOADS_FOLDER, partFile } from '../../src/models/part-file.ts'
import { createModelStore } from '../../src/models/store.ts'
import { PATIENCE } from '../../src/models/transfer.ts'
import { bundledBytes } from '../support/ggml.ts'
import { until } from '../support/until.ts'
import { startHub } from './hub.ts'

const NAME = 'ada/models/ggml-swiss.bin'
const FILE = 'ggml-swiss.bin'
const model = createProbeModel()

const hub = await startHub()
afterAll(() => hub[Symbol.asyncDispose]())

let modelsFolder: string
beforeEach(async () => {
  modelsFolder = await mkdtemp(join(tmpdir(), 'dictation-downloads-'))
  hub.files.clear()
  hub.files.set(NAME, model)
  hub.requests.length = 0
  hub.mischief.length = 0
  hub.hubMischief.length = 0
  hub.pace.bytesPerSecond = null
  Object.assign(hub.tells, { etag: true, size: true, listing: true })
})
afterEach(() => rm(modelsFolder, { recursive: true, force: true }))

function open(more: Partial<DownloadsDeps> & { bundledFolder?: string } = {}) {
  const { bundledFolder = join(modelsFolder, 'none'), ...rest } = more
  const store = createModelStore({ bundledFolder, modelsFolder })
  const published: ArchiveEvent[] = []
  const downloads = createDownloads({
    ...{ modelsFolder, store, maxModelBytes: 2_000_000_000, log: silentLog, clock: () => new Date() },
    folderTurn: createFolderTurn(modelsFolder),
    baseUrl: () => hub.url,
    publish: (event) => published.push(event),
    patience: { ...PATIENCE, stallMs: 10_000, pauseMs: 1, longestPauseMs: 5 },
    ...rest,
  })
  const states: DownloadState[] = []
  downloads.watch((state) => states.push(state))
  const outcome = () =>
    until(() => states.find(({ status }) => ['complete', 'error', 'canceled'].includes(status)), {
      timeoutMs: 60_000,
      what: () => `the download to end; it said ${JSON.stringify(states.at(-1))}`,
    })
  return { store, downloads, states, published, outcome }
}

const started = { ok: true, value: { outcome: 'started', name: 'swiss' } } as const
const here = () => readFile(join(modelsFolder, FILE)).catch(() => null)
const leftovers = async () =>
  (await readdir(join(modelsFolder, DOWNLOADS_FOLDER)).catch(() => [])).filter((name) =>
    name.includes('.part'),
  )

test('brings a model, tells how it goes, and it can be used', async () => {
  const { store, downloads, states, published, outcome } = open()
  expect(await downloads.start(NAME)).toEqual(started)
  expect(downloads.active()).toEqual([
    expect.objectContaining({ model_name: NAME, status: 'downloading', filename: FILE, error: null }),
  ])
  expect(await outcome()).toMatchObject({ name: 'swiss', status: 'complete', current: model.length })
  expect(states.map(({ status }) => status)).toContain('verifying')
  expect(published.at(-1)).toEqual({
    ...{ name: 'model.progress', modelName: 'swiss', status: 'complete' },
    ...{ current: model.length, total: model.length },
  })
  expect((await here())?.equals(model)).toBe(true)
  expect(await store.resolve('swiss')).toMatchObject({ ok: true })
  expect([downloads.active(), await leftovers()]).toEqual([[], []])
  expect(await downloads.start(NAME)).toEqual({ ok: true, value: { outcome: 'already_here', name: 'swiss' } })
})

test('brings a published model that must be the pinned one to the byte', async () => {
  hub.files.set('ggerganov/whisper.cpp/ggml-tiny.en-q5_1.bin', await bundledBytes())
  const { store, downloads, outcome } = open()
  expect(await downloads.start('whisper-tiny.en')).toMatchObject({ value: { name: 'tiny.en-q5_1' } })
  expect(await outcome()).toMatchObject({ status: 'complete', total: 32_166_155 })
  expect(await store.resolve('tiny.en')).toMatchObject({ ok: true, value: { bytes: 32_166_155 } })
  expect(hub.requests[0]!.path).toContain('/resolve/5359861c739e955e79d9a303bcbc70fb988958b1/')
})

test('downloads a model once, however many ask for it', async () => {
  hub.pace.bytesPerSecond = 4_000_000
  const { downloads, outcome } = open()
  const answers = await Promise.all(Array.from({ length: 8 }, () => downloads.start(NAME)))
  expect(answers.map((one) => one.ok && one.value.outcome).toSorted()).toEqual([
    ...Array(7).fill('joined'),
    'started',
  ])
  expect(await outcome()).toMatchObject({ status: 'complete' })
  expect(hub.requests.filter(({ host }) => host === 'bytes')).toHaveLength(1)
})

test('a cancelled download asks for nothing more, and nothing is left of it', async () => {
  hub.pace.bytesPerSecond = 2_000_000
  const { downloads, outcome } = open()
  const before = hub.sentBytes()
  await downloads.start(NAME)
  await until(() => downloads.states()[0] && downloads.states()[0]!.current > 100_000)
  expect(await downloads.cancel('swiss')).toBe(true)
  expect(await outcome()).toMatchObject({ status: 'canceled', error: null })
  await until(() => hub.pouring() === 0, { what: 'the connection to end' })
  const [sent, asked] = [hub.sentBytes(), hub.requests.length]
  expect(sent - before).toBeLessThan(model.length)
  expect([await here(), await leftovers()]).toEqual([null, []])
  expect(await downloads.cancel('swiss')).toBe(false)
  expect(await downloads.cancel('base')).toBe(false)
  expect([hub.sentBytes(), hub.requests.length]).toEqual([sent, asked])
  hub.pace.bytesPerSecond = null
  expect(await downloads.start(NAME)).toEqual(started)
  await until(() => here())
})

describe('after a stop', () => {
  test('the next start goes on with what was under way, from where it was', async () => {
    hub.pace.bytesPerSecond = 3_000_000
    const first = open()
    await first.downloads.start(NAME)
    await until(() => (first.downloads.states()[0]?.current ?? 0) > 300_000)
    await first.downloads.stop()
    const had = await partFile(modelsFolder, FILE).size()
    expect(had).toBeGreaterThan(0)
    hub.pace.bytesPerSecond = null

    const second = open()
    await second.downloads.resume()
    expect(second.downloads.active()).toMatchObject([{ model_name: NAME }])
    expect(await second.outcome()).toMatchObject({ status: 'complete', askedAs: NAME })
    expect(hub.requests.at(-1)!.headers.get('range')).toBe(`bytes=${had}-`)
    expect((await here())?.equals(model)).toBe(true)
  })

  test('a process that was killed has left what the next one goes on with', async () => {
    hub.pace.bytesPerSecond = 3_000_000
    const script = resolve(import.meta.dir, 'download-fixture.ts')
    const child = Bun.spawn([process.execPath, script, hub.url, modelsFolder, NAME], { stdout: 'inherit' })
    const part = partFile(modelsFolder, FILE)
    await until(async () => (await part.size()) > 300_000)
    child.kill('SIGKILL')
    await child.exited
    hub.pace.bytesPerSecond = null
    const { downloads, outcome } = open()
    await downloads.resume()
    expect(await outcome()).toMatchObject({ status: 'complete' })
    expect(hub.requests.at(-1)!.headers.get('range')).toMatch(/^bytes=\d{6,}-$/)
    expect((await here())?.equals(model)).toBe(true)
  })

  test('what had failed is told as half done and waits until it is asked for', async () => {
    const half = model.subarray(0, model.length / 2)
    const part = partFile(modelsFolder, FILE)
    const first = open()
    await first.downloads.start(NAME)
    await first.outcome()
    await rm(join(modelsFolder, FILE))
    await writeFile(part.path, half)
    const sha256 = new Bun.CryptoHasher('sha256').update(model).digest('hex')
    await part.writeNote({ id: NAME, askedAs: NAME, etag: null, sha256, bytes: model.length, running: false })
    hub.requests.length = 0

    const { downloads, outcome } = open()
    await downloads.resume()
    expect([downloads.active(), hub.requests]).toEqual([[], []])
    expect((await downloads.halfDone()).get(FILE)).toBeCloseTo(0.5, 3)
    expect(await downloads.start(NAME)).toEqual(started)
    expect(await outcome()).toMatchObject({ status: 'complete' })
    expect(hub.requests.at(-1)!.headers.get('range')).toBe(`bytes=${half.length}-`)
  })

  test('a part that lost its end in a power cut is thrown away, and the whole is brought', async () => {
    const part = partFile(modelsFolder, FILE)
    const sha256 = new Bun.CryptoHasher('sha256').update(model).digest('hex')
    const { downloads, outcome } = open()
    await downloads.start(NAME)
    await outcome()
    await rm(join(modelsFolder, FILE))
    await writeFile(part.path, new Uint8Array(1_000_000))
    await part.writeNote({ id: NAME, askedAs: NAME, etag: null, sha256, bytes: model.length, running: true })
    const again = open()
    await again.downloads.resume()
    expect(await again.outcome()).toMatchObject({ status: 'complete' })
    expect((await here())?.equals(model)).toBe(true)
  })

  test('parts that nobody can go on with are removed', async () => {
    const { downloads, outcome } = open()
    await downloads.start(NAME)
    await outcome()
    const folder = join(modelsFolder, DOWNLOADS_FOLDER)
    await writeFile(join(folder, 'import-1.part'), 'x')
    await writeFile(join(folder, 'ggml-a.bin.part.json'), '{broken')
    await partFile(modelsFolder, 'ggml-b.bin').writeNote({
      ...{ id: 'nobody', askedAs: 'nobody', etag: null, sha256: null, bytes: null, running: true },
    })
    await downloads.resume()
    expect(await leftovers()).toEqual([])
  })
})

describe('refuses', () => {
  test('a file whose SHA-256 is wrong, and removes it', async () => {
    hub.mischief.push({ kind: 'wrong bytes' })
    const { downloads, outcome } = open()
    await downloads.start(NAME)
    expect(await outcome()).toMatchObject({ status: 'error', error: expect.stringContaining('thrown away') })
    expect([await here(), await leftovers()]).toEqual([null, []])
    expect(downloads.find(NAME)).toMatchObject({ status: 'error' })
  })

  test('what is no model, although its SHA-256 is right', async () => {
    hub.files.set(NAME, new Uint8Array(100_000))
    const { downloads, outcome } = open()
    await downloads.start(NAME)
    expect(await outcome()).toMatchObject({
      status: 'error',
      error: expect.stringContaining('not a whole Whisper model'),
    })
    expect([await here(), await leftovers()]).toEqual([null, []])
  })

  test('names that nobody publishes, and files that would take the name of a published one', async () => {
    const { downloads } = open()
    for (const name of [
      'nope',
      'ada/models',
      'ada/../ggml-x.bin',
      'ada/models/notes.txt',
      'ada/models/ggml-base.bin',
    ])
      expect(await downloads.start(name)).toMatchObject({ ok: false, failure: { code: 'unknown_model' } })
    expect(hub.requests).toEqual([])
  })

  test('a model that the engine cannot hold', async () => {
    const { downloads } = open({ maxModelBytes: 1_000_000_000 })
    expect(await downloads.start('large-v3')).toMatchObject({ failure: { code: 'model_too_large' } })
    expect(await downloads.start('large-v3-f16')).toMatchObject({ failure: { code: 'model_too_large' } })
  })

  test('what the disk has no room for, before anything is asked of anyone (the disk says so by a number)', async () => {
    const { downloads } = open({ freeBytes: async () => 550_000_000 })
    expect(await downloads.start('base')).toMatchObject({ failure: { code: 'disk_full' } })
    expect(await downloads.start(NAME)).toEqual(started)
    const crowded = open({ freeBytes: async () => 499_000_000 })
    expect(await crowded.downloads.start(NAME)).toMatchObject({ ok: false })
    expect(hub.requests.filter(({ path }) => path.includes('ggerganov'))).toEqual([])
    await downloads.stop()
  })

  test('to work beside another process that brings a model into the same folder', async () => {
    hub.pace.bytesPerSecond = 1_000_000
    const script = resolve(import.meta.dir, 'download-fixture.ts')
    const child = Bun.spawn([process.execPath, script, hub.url, modelsFolder, NAME], { stdout: 'inherit' })
    await until(async () => (await partFile(modelsFolder, FILE).size()) > 0)
    expect(await open().downloads.start('base')).toMatchObject({ failure: { code: 'model_folder_busy' } })
    child.kill('SIGKILL')
    await child.exited
  })
})

test('says in words what went wrong, and keeps what it has for the next try', async () => {
  hub.mischief.push({ kind: 'cut', afterBytes: 500_000, graceMs: 300 })
  for (let i = 0; i < 30; i += 1) hub.mischief.push({ kind: 'status', status: 503 })
  const { downloads, outcome } = open()
  await downloads.start(NAME)
  expect(await outcome()).toMatchObject({ status: 'error', error: expect.stringContaining('answered 503') })
  expect(await partFile(modelsFolder, FILE).size()).toBeGreaterThan(0)
  expect((await downloads.halfDone()).has(FILE)).toBe(true)
  expect(await downloads.cancel(NAME)).toBe(true)
  expect(await leftovers()).toEqual([])
})

describe('a failed download', () => {
  const failing = async () => {
    hub.hubMischief.push({ status: 404 }, { status: 404 })
    const opened = open()
    await opened.downloads.start(NAME)
    await opened.outcome()
    return opened
  }
  const reason = expect.stringContaining('has no such file')

  test('stays among the active tasks with its reason, until it is cleared', async () => {
    const { downloads } = await failing()
    expect(downloads.active()).toMatchObject([{ model_name: NAME, status: 'error', error: reason }])
    expect(downloads.states()).toEqual([])
    expect(downloads.clearFailed()).toBe(1)
    expect([downloads.active(), downloads.clearFailed()]).toEqual([[], 0])
  })

  test('is no longer one as soon as it is asked for again', async () => {
    const { downloads, states } = await failing()
    hub.hubMischief.length = 0
    await downloads.start(NAME)
    expect(downloads.active()).toMatchObject([{ status: 'downloading', error: null }])
    await until(() => states.at(-1)?.status === 'complete', { timeoutMs: 60_000 })
    expect(downloads.active()).toEqual([])
  })

  test('is no longer one when it is cancelled', async () => {
    const { downloads } = await failing()
    await downloads.cancel(NAME)
    expect(downloads.active()).toEqual([])
  })
})

test('the failures that are told are the newest, however many there were', () => {
  const ended = createEndedDownloads()
  const failed = (number: number) => ({
    ...{ name: `${number}`, askedAs: `${number}`, file: `${number}.bin`, status: 'error' as const },
    ...{ current: 0, total: null, bytesPerSecond: null, etaSeconds: null },
    ...{ startedAt: new Date(), error: 'why' },
  })
  for (let number = 1; number <= 1000; number++) ended.add(failed(number))
  expect(ended.failed().length).toBeLessThan(100)
  expect(ended.failed().at(-1)?.name).toBe('1000')
})

test('brings a published file anew that is here but broken', async () => {
  const bytes = await bundledBytes()
  hub.files.set('ggerganov/whisper.cpp/ggml-tiny.en-q5_1.bin', bytes)
  await writeFile(join(modelsFolder, 'ggml-tiny.en-q5_1.bin'), bytes.subarray(0, 1000))
  const { store, downloads, outcome } = open()
  expect(await downloads.start('tiny.en')).toMatchObject({ value: { outcome: 'started' } })
  expect(await outcome()).toMatchObject({ status: 'complete' })
  expect(await store.resolve('tiny.en')).toMatchObject({ ok: true })
})

test('a file of the user’s own is here already, and its name leads nowhere else', async () => {
  await writeFile(join(modelsFolder, 'ggml-mine.bin'), model)
  const { downloads } = open()
  expect(await downloads.start('mine')).toEqual({
    ok: true,
    value: { outcome: 'already_here', name: 'mine' },
  })
  expect([hub.requests, existsSync(join(modelsFolder, DOWNLOADS_FOLDER))]).toEqual([[], false])
})

test('calls a file that says nothing as its repository is called', async () => {
  hub.files.set('KBLab/kb-whisper-tiny/ggml-model-q5_0.bin', model)
  const { downloads, outcome } = open()
  expect(await downloads.start('KBLab/kb-whisper-tiny/ggml-model-q5_0.bin')).toMatchObject({
    value: { name: 'kb-whisper-tiny-q5_0' },
  })
  expect(await outcome()).toMatchObject({ file: 'ggml-kb-whisper-tiny-q5_0.bin', status: 'complete' })
})

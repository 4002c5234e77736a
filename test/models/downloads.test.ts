// Downloads from a local hub; everything else is real, except the free disk space in one test.

import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createProbeModel } from '../../src/engine/probe-model.ts'
import type { ArchiveEvent } from '../../src/lib/events.ts'
import { silentLog } from '../../src/lib/log.ts'
import { createEndedDownloads, type DownloadState } from '../../src/models/download-state.ts'
import { createDownloads, type DownloadsDeps } from '../../src/models/downloads.ts'
import { createFolderTurn, DOWNLOADS_FOLDER, partFile } from '../../src/models/part-file.ts'
import { createModelStore } from '../../src/models/store.ts'
import { RETRY_POLICY } from '../../src/models/transfer.ts'
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
    retryPolicy: { ...RETRY_POLICY, stallMs: 10_000, pauseMs: 1, longestPauseMs: 5 },
    ...rest,
  })
  const states: DownloadState[] = []
  downloads.watch((state) => states.push(state))
  const outcome = () =>
    until(() => states.find(({ status }) => ['complete', 'error', 'canceled'].includes(status)), {
      timeoutMs: 60_000,
      what: () => `the download to end; last state: ${JSON.stringify(states.at(-1))}`,
    })
  return { store, downloads, states, published, outcome }
}

const started = { ok: true, value: { outcome: 'started', name: 'swiss' } } as const
const here = () => readFile(join(modelsFolder, FILE)).catch(() => null)
const leftovers = async () =>
  (await readdir(join(modelsFolder, DOWNLOADS_FOLDER)).catch(() => [])).filter((name) =>
    name.includes('.part'),
  )

test('downloads a model, reports progress, and the model is usable', async () => {
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

test('downloads a published model with the pinned revision and SHA-256', async () => {
  hub.files.set('ggerganov/whisper.cpp/ggml-tiny.en-q5_1.bin', await bundledBytes())
  const { store, downloads, outcome } = open()
  expect(await downloads.start('whisper-tiny.en')).toMatchObject({ value: { name: 'tiny.en-q5_1' } })
  expect(await outcome()).toMatchObject({ status: 'complete', total: 32_166_155 })
  expect(await store.resolve('tiny.en')).toMatchObject({ ok: true, value: { bytes: 32_166_155 } })
  expect(hub.requests[0]!.path).toContain('/resolve/5359861c739e955e79d9a303bcbc70fb988958b1/')
})

test('downloads a model once for several simultaneous requests', async () => {
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

test('a cancelled download sends no more requests and leaves no files', async () => {
  hub.pace.bytesPerSecond = 2_000_000
  const { downloads, outcome } = open()
  const before = hub.sentBytes()
  await downloads.start(NAME)
  await until(() => downloads.states()[0] && downloads.states()[0]!.current > 100_000)
  expect(await downloads.cancel('swiss')).toBe(true)
  expect(await outcome()).toMatchObject({ status: 'canceled', error: null })
  await until(() => hub.pouring() === 0, { what: 'the connection to end' })
  const [sent, requests] = [hub.sentBytes(), hub.requests.length]
  expect(sent - before).toBeLessThan(model.length)
  expect([await here(), await leftovers()]).toEqual([null, []])
  expect(await downloads.cancel('swiss')).toBe(false)
  expect(await downloads.cancel('base')).toBe(false)
  expect([hub.sentBytes(), hub.requests.length]).toEqual([sent, requests])
  hub.pace.bytesPerSecond = null
  expect(await downloads.start(NAME)).toEqual(started)
  await until(() => here())
})

describe('after a stop', () => {
  test('the next start resumes a running download where it stopped', async () => {
    hub.pace.bytesPerSecond = 3_000_000
    const first = open()
    await first.downloads.start(NAME)
    await until(() => (first.downloads.states()[0]?.current ?? 0) > 300_000)
    await first.downloads.stop()
    const partBytes = await partFile(modelsFolder, FILE).size()
    expect(partBytes).toBeGreaterThan(0)
    hub.pace.bytesPerSecond = null

    const second = open()
    await second.downloads.resume()
    expect(second.downloads.active()).toMatchObject([{ model_name: NAME }])
    expect(await second.outcome()).toMatchObject({ status: 'complete', askedAs: NAME })
    expect(hub.requests.at(-1)!.headers.get('range')).toBe(`bytes=${partBytes}-`)
    expect((await here())?.equals(model)).toBe(true)
  })

  test('the next start resumes the download of a killed process', async () => {
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

  test('reports a failed download as unfinished and resumes it only on request', async () => {
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

  test('discards a part damaged by a power cut and downloads the whole file', async () => {
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

  test('removes parts that cannot be resumed', async () => {
    const { downloads, outcome } = open()
    await downloads.start(NAME)
    await outcome()
    const folder = join(modelsFolder, DOWNLOADS_FOLDER)
    await writeFile(join(folder, 'import-1.part'), 'x')
    await writeFile(join(folder, 'ggml-a.bin.part.json'), '{broken')
    await partFile(modelsFolder, 'ggml-b.bin').writeNote({
      ...{ id: 'unknown', askedAs: 'unknown', etag: null, sha256: null, bytes: null, running: true },
    })
    await downloads.resume()
    expect(await leftovers()).toEqual([])
  })
})

describe('refuses', () => {
  test('a file with a wrong SHA-256, and removes it', async () => {
    hub.mischief.push({ kind: 'wrong bytes' })
    const { downloads, outcome } = open()
    await downloads.start(NAME)
    expect(await outcome()).toMatchObject({ status: 'error', error: expect.stringContaining('discarded') })
    expect([await here(), await leftovers()]).toEqual([null, []])
    expect(downloads.find(NAME)).toMatchObject({ status: 'error' })
  })

  test('a file that is not a model, even with the right SHA-256', async () => {
    hub.files.set(NAME, new Uint8Array(100_000))
    const { downloads, outcome } = open()
    await downloads.start(NAME)
    expect(await outcome()).toMatchObject({
      status: 'error',
      error: expect.stringContaining('not a whole Whisper model'),
    })
    expect([await here(), await leftovers()]).toEqual([null, []])
  })

  test('unpublished names, and files that would take the name of a published model', async () => {
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

  test('a model that is too large for the engine', async () => {
    const { downloads } = open({ maxModelBytes: 1_000_000_000 })
    expect(await downloads.start('large-v3')).toMatchObject({ failure: { code: 'model_too_large' } })
    expect(await downloads.start('large-v3-f16')).toMatchObject({ failure: { code: 'model_too_large' } })
  })

  test('a model that does not fit the disk, before any request', async () => {
    const { downloads } = open({ freeBytes: async () => 550_000_000 })
    expect(await downloads.start('base')).toMatchObject({ failure: { code: 'disk_full' } })
    expect(await downloads.start(NAME)).toEqual(started)
    const crowded = open({ freeBytes: async () => 499_000_000 })
    expect(await crowded.downloads.start(NAME)).toMatchObject({ ok: false })
    expect(hub.requests.filter(({ path }) => path.includes('ggerganov'))).toEqual([])
    await downloads.stop()
  })

  test('to start while another process downloads into the same folder', async () => {
    hub.pace.bytesPerSecond = 1_000_000
    const script = resolve(import.meta.dir, 'download-fixture.ts')
    const child = Bun.spawn([process.execPath, script, hub.url, modelsFolder, NAME], { stdout: 'inherit' })
    await until(async () => (await partFile(modelsFolder, FILE).size()) > 0)
    expect(await open().downloads.start('base')).toMatchObject({ failure: { code: 'model_folder_busy' } })
    child.kill('SIGKILL')
    await child.exited
  })
})

test('reports the reason of a failure and keeps the part for the next try', async () => {
  hub.mischief.push({ kind: 'cut', afterBytes: 500_000, graceMs: 300 })
  for (let i = 0; i < 30; i += 1) hub.mischief.push({ kind: 'status', status: 503 })
  const { downloads, outcome } = open()
  await downloads.start(NAME)
  expect(await outcome()).toMatchObject({
    status: 'error',
    error: expect.stringContaining('responded with status 503'),
  })
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

  test('stays among the active tasks with its reason until cleared', async () => {
    const { downloads } = await failing()
    expect(downloads.active()).toMatchObject([{ model_name: NAME, status: 'error', error: reason }])
    expect(downloads.states()).toEqual([])
    expect(downloads.clearFailed()).toBe(1)
    expect([downloads.active(), downloads.clearFailed()]).toEqual([[], 0])
  })

  test('is removed from the active tasks when it restarts', async () => {
    const { downloads, states } = await failing()
    hub.hubMischief.length = 0
    await downloads.start(NAME)
    expect(downloads.active()).toMatchObject([{ status: 'downloading', error: null }])
    await until(() => states.at(-1)?.status === 'complete', { timeoutMs: 60_000 })
    expect(downloads.active()).toEqual([])
  })

  test('is removed from the active tasks when it is cancelled', async () => {
    const { downloads } = await failing()
    await downloads.cancel(NAME)
    expect(downloads.active()).toEqual([])
  })
})

test('limits the reported failures to the newest', () => {
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

test('downloads a broken published file again', async () => {
  const bytes = await bundledBytes()
  hub.files.set('ggerganov/whisper.cpp/ggml-tiny.en-q5_1.bin', bytes)
  await writeFile(join(modelsFolder, 'ggml-tiny.en-q5_1.bin'), bytes.subarray(0, 1000))
  const { store, downloads, outcome } = open()
  expect(await downloads.start('tiny.en')).toMatchObject({ value: { outcome: 'started' } })
  expect(await outcome()).toMatchObject({ status: 'complete' })
  expect(await store.resolve('tiny.en')).toMatchObject({ ok: true })
})

test('reports the user’s own file as already_here without a request', async () => {
  await writeFile(join(modelsFolder, 'ggml-mine.bin'), model)
  const { downloads } = open()
  expect(await downloads.start('mine')).toEqual({
    ok: true,
    value: { outcome: 'already_here', name: 'mine' },
  })
  expect([hub.requests, existsSync(join(modelsFolder, DOWNLOADS_FOLDER))]).toEqual([[], false])
})

test('names a file without a descriptive name after its repository', async () => {
  hub.files.set('KBLab/kb-whisper-tiny/ggml-model-q5_0.bin', model)
  const { downloads, outcome } = open()
  expect(await downloads.start('KBLab/kb-whisper-tiny/ggml-model-q5_0.bin')).toMatchObject({
    value: { name: 'kb-whisper-tiny-q5_0' },
  })
  expect(await outcome()).toMatchObject({ file: 'ggml-kb-whisper-tiny-q5_0.bin', status: 'complete' })
})

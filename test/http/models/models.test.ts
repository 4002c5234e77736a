// The model routes with a local hub and the real engine, including Voicebox's requests. Interrupted transfers are tested in
// test/models.

import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { modelRoutes } from '../../../src/app.ts'
import { createEngine } from '../../../src/engine/create-engine.ts'
import { createProbeModel } from '../../../src/engine/probe-model.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { createModels } from '../../../src/models/models.ts'
import { DOWNLOADS_FOLDER } from '../../../src/models/part-file.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../../src/settings/settings.ts'
import { startHub } from '../../models/hub.ts'
import { baseModel, bundledBytes, bundledModel } from '../../support/ggml.ts'
import { until } from '../../support/until.ts'
import { webOf } from '../../support/web.ts'

const NAME = 'ada/models/ggml-swiss.bin'
const model = createProbeModel()

const hub = await startHub()
const engine = createEngine({ choice: 'simd', threads: 1, idleUnloadMs: () => 60_000, log: silentLog })
afterAll(async () => {
  await engine.close()
  await hub[Symbol.asyncDispose]()
})

let modelsFolder: string
const shutdown = new AbortController()

beforeEach(async () => {
  modelsFolder = await mkdtemp(join(tmpdir(), 'dictation-http-models-'))
  hub.files.clear()
  hub.files.set(NAME, model)
  hub.requests.length = 0
  hub.pace.bytesPerSecond = null
})
afterEach(async () => {
  await engine.unload()
  await rm(modelsFolder, { recursive: true, force: true })
})

async function open({
  settings = {},
  maxModelBytes,
}: {
  settings?: Partial<Settings>
  maxModelBytes?: number
} = {}) {
  const limited = { ...engine, info: () => ({ ...engine.info(), ...(maxModelBytes && { maxModelBytes }) }) }
  const now = { ...DEFAULT_SETTINGS, ...settings }
  const parts = createModels({
    ...{ modelsFolder, bundledFolder: dirname(bundledModel.path), log: silentLog, clock: () => new Date() },
    ...{
      preferences: () => [{ name: now.sttModel, by: 'setting' }],
      isTooSlow: () => false,
      baseUrl: () => hub.url,
      engine: limited,
      publish() {},
    },
  })
  const folders = { models: modelsFolder }
  const deps = { ...parts, engine: limited, folders, log: silentLog, shutdown: shutdown.signal }
  const { call } = await webOf(modelRoutes({ ...deps, settings: { current: () => now } }), {
    origins: ['http://localhost:5173'],
  })
  const post = (path: string, body?: object) =>
    call(path, {
      method: 'POST',
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
  const status = async () => {
    const { models } = (await (await call('/models/status')).json()) as { models: Record<string, unknown>[] }
    return (name: string) => models.find((one) => one.model_name === name)
  }
  return { ...parts, call, post, status }
}

/** All events until the stream ends. */
async function eventsOf(response: Response): Promise<Record<string, unknown>[]> {
  const text = await response.text()
  expect(text).not.toContain('event:')
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!))
}

const importing = (content: BlobPart, fileName: string, fields: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new File([content], fileName))
  return { method: 'POST', body: form }
}

test('starts a download at once, streams its progress, and installs the model', async () => {
  hub.pace.bytesPerSecond = 8_000_000
  const { call, post, status } = await open()
  const first = await post('/models/download', { model_name: NAME })
  expect([first.status, await first.json()]).toEqual([
    202,
    {
      message: 'The download of swiss has started.',
      ...{ model_name: 'swiss', status: 'started', progress_url: '/models/progress/swiss' },
    },
  ])
  expect((await post('/models/download', { model_name: NAME })).status).toBe(202)
  expect((await status())('swiss')).toMatchObject({
    downloading: true,
    downloaded: false,
    file: 'ggml-swiss.bin',
  })
  const events = await eventsOf(await call('/models/progress/swiss'))
  expect(events[0]).toMatchObject({ model_name: 'swiss', status: 'downloading', filename: 'ggml-swiss.bin' })
  expect(events.at(-1)).toMatchObject({
    ...{ model_name: 'swiss', status: 'complete', progress: 100, error: null },
    ...{ current: model.length, total: model.length, bytes_per_second: null, eta_seconds: null },
  })
  const percents = events.map(({ progress }) => Number(progress))
  expect(percents).toEqual(percents.toSorted((one, other) => one - other))
  expect(events.filter(({ progress }) => progress === 100).map((event) => event.status)).toEqual(['complete'])
  expect((await status())('swiss')).toMatchObject({ downloading: false, downloaded: true, size_mb: 7 })
  const again = await post('/models/download', { model_name: NAME })
  expect([again.status, ((await again.json()) as { status: string }).status]).toEqual([200, 'already_here'])
  expect(hub.requests.filter(({ host }) => host === 'bytes')).toHaveLength(1)
})

test('ends the stream of an installed model after one event', async () => {
  const { call } = await open()
  expect(await eventsOf(await call('/models/progress/whisper-tiny.en'))).toMatchObject([
    { model_name: 'whisper-tiny.en', status: 'complete', progress: 100, filename: 'ggml-tiny.en-q5_1.bin' },
  ])
})

test('waits for a download that has not started, and reports why it failed', async () => {
  hub.hubMischief.push({ status: 404 }, { status: 404 })
  const { call, post } = await open()
  const watching = call('/models/progress/small-q5_1').then(eventsOf)
  await post('/models/download', { model_name: 'whisper-small' })
  expect((await watching).at(-1)).toMatchObject({
    ...{ model_name: 'small-q5_1', status: 'error' },
    error: expect.stringContaining('has no such file: ggml-small-q5_1.bin in ggerganov/whisper.cpp.'),
  })
})

test('reports a cancelled download to its watchers, never as an error', async () => {
  hub.pace.bytesPerSecond = 1_000_000
  const { call, post, downloads } = await open()
  await post('/models/download', { model_name: NAME })
  await until(() => (downloads.states()[0]?.current ?? 0) > 0)
  const watching = call('/models/progress/swiss').then(eventsOf)
  const cancelled = await post('/models/download/cancel', { model_name: 'swiss' })
  expect([cancelled.status, await cancelled.json()]).toEqual([
    200,
    { message: 'The download of swiss was cancelled.', model_name: 'swiss' },
  ])
  expect((await watching).at(-1)).toMatchObject({ status: 'canceled' })
  for (const name of ['swiss', 'base', 'nobody knows it'])
    expect((await post('/models/download/cancel', { model_name: name })).status).toBe(200)
  expect(existsSync(join(modelsFolder, 'ggml-swiss.bin'))).toBe(false)
})

describe('Voicebox', () => {
  test('finds its five names and the other bundled model, each with the file behind it', async () => {
    const { call } = await open()
    const { models } = (await (await call('/models/status')).json()) as { models: Record<string, unknown>[] }
    const own = models.filter(({ model_name }) => String(model_name).startsWith('whisper'))
    expect(own.map(({ model_name, alias_of }) => [model_name, alias_of])).toEqual([
      ['whisper-base', 'base-q5_1'],
      ['whisper-small', 'small-q5_1'],
      ['whisper-medium', 'medium-q5_0'],
      ['whisper-large', 'large-v3-q5_0'],
      ['whisper-turbo', 'large-v3-turbo-q5_0'],
      ['whisper-tiny.en-q5_1', 'tiny.en-q5_1'],
    ])
    expect(own.shift()).toMatchObject({ downloaded: true, bundled: true, size_mb: 60 })
    expect(own.pop()).toMatchObject({ downloaded: true, bundled: true, size_mb: 32 })
    for (const { downloaded, downloading, size_mb, loaded } of own)
      expect([downloaded, downloading, size_mb, loaded]).toEqual([false, false, null, false])
    expect(models).toHaveLength(35)
  })

  test('sees the installed file behind its name', async () => {
    await writeFile(join(modelsFolder, 'ggml-base-q8_0.bin'), model)
    expect((await (await open()).status())('whisper-base')).toMatchObject({
      ...{ alias_of: 'base-q8_0', downloaded: true, file: 'ggml-base-q8_0.bin' },
    })
  })

  test('loads and unloads models with its requests', async () => {
    const { post, status } = await open()
    const loaded = await post('/models/load?model_size=whisper-tiny.en-q5_1')
    expect(await loaded.json()).toMatchObject({ model_name: 'tiny.en-q5_1', load_ms: expect.any(Number) })
    expect((await status())('tiny.en-q5_1')).toMatchObject({ loaded: true })
    expect(await (await post('/models/unload')).json()).toEqual({ message: 'tiny.en-q5_1 is unloaded.' })
    expect(await (await post('/models/unload')).json()).toEqual({ message: 'No model was loaded.' })
    expect((await post('/models/load')).status).toBe(200)
    expect((await post('/models/load?model_size=nope')).status).toBe(422)
    expect((await post('/models/load?model_size=small')).status).toBe(503)
  }, 180_000)

  test('finds the models folder', async () => {
    const { call } = await open()
    expect(await (await call('/models/cache-dir')).json()).toEqual({ path: modelsFolder })
  })
})

describe('readiness', () => {
  const readiness = async (settings: Partial<Settings>) =>
    (await (await (await open({ settings })).call('/capture/readiness')).json()) as {
      stt: object
      llm: object
      warnings: object[]
    }

  test('is given from the start, because a model ships with the server', async () => {
    expect(await readiness({})).toEqual({
      stt: {
        ...{ ready: true, model_name: 'whisper-base', display_name: 'Whisper Base (q5_1)' },
        ...{ size: 'base', size_mb: 60 },
      },
      llm: {
        ...{ ready: true, model_name: 'none', display_name: 'No language model needed' },
        ...{ size: null, size_mb: null },
      },
      warnings: [],
    })
  })

  test('is that of the installed model if the one in the settings is missing', async () => {
    expect((await readiness({ sttModel: 'turbo' })).stt).toMatchObject({
      ...{ ready: false, model_name: 'whisper-turbo', size: 'turbo', size_mb: 574 },
    })
  })

  test('requires a language model only if a setting uses one', async () => {
    const llmModel = 'qwen3'
    // Without a URL, only the rules refine.
    expect(await readiness({ llmModel })).toMatchObject({
      ...{ llm: { ready: true, model_name: 'none' }, warnings: [{ code: 'llm_not_configured' }] },
    })
    expect((await readiness({ llmModel, autoRefine: false })).llm).toMatchObject({ ready: true })
    const llmBaseUrl = 'http://127.0.0.1:11434/v1'
    expect((await readiness({ llmModel, llmBaseUrl })).llm).toMatchObject({
      ready: true,
      model_name: 'qwen3',
    })
    const llmApiKeyEnv = 'AWS_SECRET_ACCESS_KEY'
    expect((await readiness({ llmModel, llmBaseUrl, llmApiKeyEnv })).llm).toMatchObject({ ready: false })
  })
})

describe('load, unload and delete', () => {
  test('handles a model by name', async () => {
    await writeFile(join(modelsFolder, 'ggml-mine.bin'), model)
    const { call, post, status } = await open()
    expect(await (await post('/models/mine/load')).json()).toMatchObject({ model_name: 'mine' })
    expect((await status())('mine')).toMatchObject({ loaded: true })
    expect(await (await post('/models/tiny.en/unload')).json()).toMatchObject({
      message: 'tiny.en was not loaded.',
    })
    const deleted = await call('/models/mine', { method: 'DELETE' })
    expect(await deleted.json()).toEqual({ message: 'mine was deleted.', model_name: 'mine' })
    expect([existsSync(join(modelsFolder, 'ggml-mine.bin')), engine.health().loadedModel]).toEqual([
      false,
      null,
    ])
    expect((await call('/models/mine', { method: 'DELETE' })).status).toBe(404)
  }, 180_000)

  test('refuses to unload a model that is in use', async () => {
    await writeFile(join(modelsFolder, 'ggml-mine.bin'), model)
    const { call, post, modelUse } = await open()
    await post('/models/mine/load')
    const recording = Promise.withResolvers<void>()
    const used = modelUse.during({ path: join(modelsFolder, 'ggml-mine.bin') }, () => recording.promise)
    for (const [path, method] of [
      ['/models/mine', 'DELETE'],
      ['/models/mine/unload', 'POST'],
      ['/models/unload', 'POST'],
    ] as const) {
      const refused = await call(path, { method })
      expect([refused.status, await refused.json()]).toMatchObject([
        409,
        { code: 'model_in_use', conflict_id: 'mine' },
      ])
    }
    recording.resolve()
    await used
    expect((await call('/models/mine', { method: 'DELETE' })).status).toBe(200)
  }, 180_000)

  test('refuses to delete a bundled model, and reports a missing one', async () => {
    const { call, post } = await open()
    for (const { name, path } of [bundledModel, baseModel]) {
      const bundled = await call(`/models/${name}`, { method: 'DELETE' })
      expect([bundled.status, await bundled.json()]).toMatchObject([409, { code: 'model_is_bundled' }])
      expect(existsSync(path)).toBe(true)
    }
    for (const name of ['nope', 'small', '..%2F..%2Fetc%2Fpasswd', '%00', 'ggml-.bin'].filter(
      (one) => one !== '%00',
    ))
      expect((await call(`/models/${name}`, { method: 'DELETE' })).status).toBe(404)
    expect((await post('/models/nope/load')).status).toBe(404)
    expect((await post('/models/small/load')).status).toBe(503)
    expect((await post('/models/nope/unload')).status).toBe(404)
    expect((await call('/models/progress/nope')).status).toBe(404)
  })

  test('deletes the partial file of a download', async () => {
    hub.pace.bytesPerSecond = 1_000_000
    const { call, post, downloads } = await open()
    await post('/models/download', { model_name: NAME })
    await until(() => (downloads.states()[0]?.current ?? 0) > 0)
    expect((await call('/models/swiss', { method: 'DELETE' })).status).toBe(200)
    expect(downloads.active()).toEqual([])
  })
})

test('refuses to download from a repository that a page of another origin names', async () => {
  const { call } = await open()
  for (const origin of ['http://localhost:5173', 'app://obsidian.md']) {
    const headers = { origin, 'content-type': 'application/json' }
    const body = JSON.stringify({ model_name: NAME })
    const answer = await call('/models/download', { method: 'POST', headers, body })
    expect(((await answer.json()) as { code: string }).code).toBe('origin_not_allowed')
  }
  expect(hub.requests).toEqual([])
})

describe('import', () => {
  test('refuses a model from a page of another origin, including installed programs, and stores nothing', async () => {
    const { call } = await open()
    const before = await readdir(modelsFolder)
    for (const origin of ['http://localhost:5173', 'tauri://localhost']) {
      const sent = importing(model, 'ggml-planted.bin')
      const answer = await call('/models/import', { ...sent, headers: { origin } })
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
        403,
        'origin_not_allowed',
      ])
    }
    expect(await readdir(modelsFolder)).toEqual(before)
  })

  const parts = async () =>
    (await readdir(join(modelsFolder, DOWNLOADS_FOLDER)).catch(() => [])).filter((name) =>
      name.endsWith('.part'),
    )

  test('accepts the user’s own model under its own or a given name', async () => {
    const { call, status } = await open()
    const own = await call('/models/import', importing(model, 'ggml-Swiss German.bin'))
    expect([own.status, await own.json()]).toEqual([
      201,
      { message: 'swiss-german was imported.', model_name: 'swiss-german' },
    ])
    expect((await call('/models/import', importing(model, 'x.bin', { name: 'other' }))).status).toBe(201)
    expect((await status())('other')).toMatchObject({ downloaded: true, bundled: false })
    expect((await readFile(join(modelsFolder, 'ggml-other.bin'))).equals(model)).toBe(true)
    const again = await call('/models/import', importing(model, 'other.bin'))
    expect([again.status, await again.json()]).toMatchObject([
      409,
      { code: 'model_exists', conflict_id: 'other' },
    ])
    expect(await parts()).toEqual([])
  })

  test('recognises a published file by its content, whatever its name', async () => {
    await writeFile(join(modelsFolder, 'ggml-tiny.en-q5_1.bin'), 'broken')
    const { call, models } = await open()
    const sent = await call('/models/import', importing(await bundledBytes(), 'whatever.bin'))
    expect([sent.status, await sent.json()]).toMatchObject([201, { model_name: 'tiny.en-q5_1' }])
    expect(await models.resolve('tiny.en')).toMatchObject({ ok: true })
  }, 180_000)

  const refused: [what: string, content: () => BlobPart, fileName: string, status: number, code: string][] = [
    ['an empty file', () => '', 'ggml-a.bin', 400, 'empty_file'],
    ['what begins differently', () => 'GGUF and more', 'ggml-a.bin', 422, 'invalid_model'],
    ['half a model', () => model.slice(0, 1_000_000), 'ggml-a.bin', 422, 'invalid_model'],
    ['a file that takes the name of a published one', () => model, 'ggml-base.bin', 422, 'invalid_model'],
    ['a file without a name', () => model, 'ggml-.bin', 422, 'invalid_request'],
  ]
  test.each(refused)('refuses %s and stores nothing', async (_what, content, fileName, status, code) => {
    const { call } = await open()
    const answer = await call('/models/import', importing(content(), fileName))
    expect([answer.status, await answer.json()]).toMatchObject([status, { code }])
    expect([await parts(), (await readdir(modelsFolder)).filter((name) => name.endsWith('.bin'))]).toEqual([
      [],
      [],
    ])
  })

  test('refuses a model that the engine cannot hold, declared and counted, and an invalid name', async () => {
    const { call } = await open({ maxModelBytes: 5_000_000 })
    const answer = await call('/models/import', importing(model, 'ggml-a.bin'))
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'file_too_large' }])
    const named = await call('/models/import', importing('lmgg', 'a.bin', { name: '../x' }))
    expect([named.status, await named.json()]).toMatchObject([422, { errors: [{ path: '/name' }] }])
    expect(await parts()).toEqual([])
  })
})

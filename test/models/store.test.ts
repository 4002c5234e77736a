// Uses the bundled models and a small generated one; runs neither.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { chmod, link, mkdtemp, readFile, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { bytesInMemory, readGgmlFile } from '../../src/engine/ggml-file.ts'
import { createProbeModel } from '../../src/engine/probe-model.ts'
import { createModelStore } from '../../src/models/store.ts'
import { asMultilingual, baseModel, bundledBytes, bundledModel, withTokens } from '../support/ggml.ts'

const bundledFolder = dirname(bundledModel.path)

let modelsFolder: string

beforeEach(async () => {
  modelsFolder = await mkdtemp(join(tmpdir(), 'dictation-models-'))
})

afterEach(() => rm(modelsFolder, { recursive: true, force: true }))

const createStore = (maxModelBytes?: number) =>
  createModelStore({ bundledFolder, modelsFolder, maxModelBytes })

const put = (file: string, bytes: Uint8Array) => writeFile(join(modelsFolder, file), bytes)

test('resolves all names of the bundled models; base is the default', async () => {
  const store = createStore()
  for (const name of [null, 'whisper-1', 'base', 'whisper-base', 'base-q5_1', 'ggml-base-q5_1.bin'])
    expect(await store.resolve(name)).toEqual({ ok: true, value: baseModel })
  for (const name of ['tiny.en', 'whisper-tiny.en', 'tiny.en-q5_1', 'ggml-tiny.en-q5_1.bin'])
    expect(await store.resolve(name)).toEqual({ ok: true, value: bundledModel })
})

test('defaults to tiny.en if base is too slow, but resolves base by name', async () => {
  const isTooSlow = (name: string) => name === baseModel.name
  const store = createModelStore({ bundledFolder, modelsFolder, isTooSlow })
  expect(await store.resolve(null)).toEqual({ ok: true, value: bundledModel })
  expect(await store.resolve('base')).toEqual({ ok: true, value: baseModel })
  expect(await store.resolve(null, { multilingual: true })).toEqual({ ok: true, value: baseModel })
})

test('works without a models folder', async () => {
  const store = createModelStore({ bundledFolder, modelsFolder: join(modelsFolder, 'none') })
  expect(await store.resolve(null)).toMatchObject({ ok: true })
})

test('uses the first available preferred model by default, else the best one', async () => {
  await put('ggml-swiss-german.bin', createProbeModel())
  const preferring = (...names: (string | null)[]) =>
    createModelStore({
      ...{ bundledFolder, modelsFolder },
      preferences: () => names.map((name) => ({ name, by: 'setting' as const })),
    })
  expect(await preferring('swiss-german').resolve('whisper-1')).toMatchObject({
    ok: true,
    value: { name: 'swiss-german' },
  })
  expect(await preferring('swiss-german').resolve('tiny.en')).toEqual({ ok: true, value: bundledModel })
  for (const names of [
    [null, 'swiss-german'],
    ['large-v3', 'swiss-german'],
    ['swiss-german', 'tiny.en'],
  ])
    expect(await preferring(...names).resolve(null)).toMatchObject({ value: { name: 'swiss-german' } })
  for (const missing of ['large-v3', 'no-such-model', 'whisper-1'])
    expect(await preferring(missing).resolve(null)).toEqual({ ok: true, value: baseModel })
})

test('explains how to install a known model', async () => {
  const result = await createStore().resolve('base.en')
  if (result.ok) throw new Error('was found')
  expect(result.failure.code).toBe('model_not_installed')
  expect(result.failure.message).toContain('ggml-base.en-q5_1.bin (60 MB, SHA-256 4baf70dd0d7c4247')
  expect(result.failure.message).not.toContain(modelsFolder)
})

test('rejects an unknown name and lists the known ones, including the user’s own', async () => {
  await put('ggml-swiss-german.bin', createProbeModel())
  const result = await createStore().resolve('swiss-french')
  expect(result).toMatchObject({ ok: false, failure: { code: 'unknown_model' } })
  expect(result.ok ? '' : result.failure.message).toContain('swiss-german')
})

test('rejects a file that differs from the published one in one byte', async () => {
  const bytes = await bundledBytes()
  bytes[20_000_000]! ^= 1
  await put('ggml-tiny.en-q5_1.bin', bytes)
  expect(await createStore().resolve('tiny.en-q5_1')).toMatchObject({
    ok: false,
    failure: { code: 'model_unreadable', message: expect.stringContaining('SHA-256 differs') },
  })
})

test('rejects an incomplete file, and skips it for the default model', async () => {
  await put('ggml-base.en-q5_1.bin', createProbeModel())
  const store = createStore()
  expect(await store.resolve('base.en')).toMatchObject({
    ok: false,
    failure: { code: 'model_unreadable', message: expect.stringContaining('it is incomplete') },
  })
  expect(await store.resolve(null)).toEqual({ ok: true, value: baseModel })
})

test('verifies the header of the user’s own file and lists it', async () => {
  await put('ggml-swiss-german.bin', createProbeModel())
  await put('ggml-broken.bin', createProbeModel().subarray(0, 5_000_000))
  await put('ggml-UPPER CASE.bin', createProbeModel())
  await put('notes.txt', new Uint8Array(3))
  const store = createStore()
  expect(await store.resolve('swiss-german')).toMatchObject({
    ok: true,
    value: { name: 'swiss-german', multilingual: false, path: join(modelsFolder, 'ggml-swiss-german.bin') },
  })
  expect(await store.resolve('broken')).toMatchObject({ ok: false, failure: { code: 'model_unreadable' } })
  const own = (await store.status('swiss-german')).filter(({ repository }) => repository === null)
  expect(own).toEqual([
    expect.objectContaining({ name: 'broken', downloaded: true, loaded: false, sha256: null }),
    expect.objectContaining({
      name: 'swiss-german',
      downloaded: true,
      loaded: true,
      sha256: null,
      sizeMb: 7,
    }),
  ])
})

test('rejects a file that is too large for the engine, and skips it for the default model', async () => {
  await put('ggml-large-v3.bin', new Uint8Array(0))
  await truncate(join(modelsFolder, 'ggml-large-v3.bin'), 40_000_000)
  const store = createStore(35_000_000)
  for (const name of ['large-v3', 'large']) {
    expect(await store.resolve(name)).toMatchObject({
      ok: false,
      failure: {
        code: 'model_unreadable',
        message: expect.stringContaining('ggml-large-v3.bin is too large for the engine'),
      },
    })
  }
  expect(await store.resolve(null)).toMatchObject({ ok: true, value: { name: 'tiny.en-q5_1' } })
})

test('uses a smaller file of a size if the better one is too large for the engine', async () => {
  await put('ggml-tiny.en-q8_0.bin', new Uint8Array(0))
  await truncate(join(modelsFolder, 'ggml-tiny.en-q8_0.bin'), 40_000_000)
  expect(await createStore(35_000_000).resolve('tiny.en')).toMatchObject({
    ok: true,
    value: { name: 'tiny.en-q5_1' },
  })
})

test('rejects a damaged file of the user’s own and names the damaged tensor', async () => {
  const whole = await bundledBytes()
  const file = readGgmlFile(bytesInMemory(whole))
  if (!file.ok) throw new Error(file.failure.message)
  // The last block of a matrix (scale or offset) and the last number of a norm; NaN, infinity and values that are too large.
  const places = [
    ['decoder.token_embedding.weight', (bytes: number) => bytes - 24, 2, 0x7e00],
    ['decoder.token_embedding.weight', (bytes: number) => bytes - 22, 2, 0xfc00],
    ['encoder.conv1.weight', () => 0, 2, 0x7bff],
    ['decoder.ln.bias', (bytes: number) => bytes - 4, 4, 0x7fc00000],
    ['encoder.positional_embedding', (bytes: number) => bytes / 2, 4, 0x7e967699],
  ] as const
  for (const [name, placeIn, width, bits] of places) {
    const { atByte, bytes } = file.value.tensors.find((tensor) => tensor.name === name)!
    const damaged = whole.slice()
    const view = new DataView(damaged.buffer)
    if (width === 2) view.setUint16(atByte + placeIn(bytes), bits, true)
    else view.setUint32(atByte + placeIn(bytes), bits, true)
    await put('ggml-mine.bin', damaged)
    expect(await createStore().resolve('mine')).toMatchObject({
      failure: {
        code: 'model_unreadable',
        message: `ggml-mine.bin: This Whisper model is damaged: ${name} holds a number that no trained model has.`,
      },
    })
  }
  await put('ggml-mine.bin', withTokens(whole, { 65: [66] }))
  expect(await createStore().resolve('mine')).toMatchObject({
    failure: { message: expect.stringContaining('is damaged: its vocabulary is not Whisper’s') },
  })
  await put('ggml-mine.bin', whole)
  expect(await createStore().resolve('mine')).toMatchObject({ ok: true })
})

test('resolves the user’s own files by their listed names, before any other meaning', async () => {
  for (const name of ['whisper-foo', 'large', 'turbo-q5_0', 'foo'])
    await put(`ggml-${name}.bin`, createProbeModel())
  const store = createStore()
  const listed = (await store.status(null)).filter(({ repository }) => repository === null)
  expect(listed.map(({ name }) => name)).toEqual(['foo', 'large', 'turbo-q5_0', 'whisper-foo'])
  for (const { name, file } of listed) {
    for (const requested of [name, file, name.toUpperCase()])
      expect(await store.resolve(requested)).toMatchObject({ ok: true, value: { name } })
  }
  expect(await store.resolve('openai/whisper-foo')).toMatchObject({ ok: true, value: { name: 'foo' } })
})

test('detects Cantonese support, also from the cache', async () => {
  const bytes = createProbeModel()
  await put('ggml-english.bin', bytes)
  await put('ggml-many.bin', asMultilingual(bytes))
  await put('ggml-more.bin', asMultilingual(asMultilingual(bytes)))
  for (const store of [createStore(), createStore()]) {
    const found = await Promise.all(['english', 'many', 'more'].map((name) => store.resolve(name)))
    expect(found.map((one) => one.ok && [one.value.multilingual, one.value.knowsCantonese])).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ])
  }
})

test('follows a symbolic link', async () => {
  await symlink(bundledModel.path, join(modelsFolder, 'ggml-tiny.en-q5_1.bin'))
  const result = await createStore().resolve('tiny.en')
  expect(result).toMatchObject({ ok: true, value: { path: join(modelsFolder, 'ggml-tiny.en-q5_1.bin') } })
})

test('verifies a file once, and again after a change', async () => {
  const path = join(modelsFolder, 'ggml-tiny.en-q5_1.bin')
  await put('ggml-tiny.en-q5_1.bin', await bundledBytes())
  expect(await createStore().resolve('tiny.en')).toMatchObject({ ok: true, value: { path } })
  const memory = JSON.parse(await readFile(join(modelsFolder, '.checked-models.json'), 'utf8'))
  expect(Object.keys(memory)).toEqual([path])

  // Same length and modification time, like a careful forgery.
  const bytes = await bundledBytes()
  bytes[20_000_000]! ^= 1
  const { mtimeMs, atimeMs } = await Bun.file(path).stat()
  await writeFile(path, bytes)
  await utimes(path, atimeMs / 1000, mtimeMs / 1000)
  expect(await createStore().resolve('tiny.en')).toMatchObject({ failure: { code: 'model_unreadable' } })
})

test.each(['', '{', '[]', '{"x":1}', 'null'])('ignores a cache file that contains %j', async (content) => {
  await link(bundledModel.path, join(modelsFolder, 'ggml-tiny.en-q5_1.bin')).catch(async () =>
    put('ggml-tiny.en-q5_1.bin', await bundledBytes()),
  )
  await writeFile(join(modelsFolder, '.checked-models.json'), content)
  expect(await createStore().resolve('tiny.en')).toMatchObject({ ok: true })
})

test('works in a read-only folder', async () => {
  await chmod(modelsFolder, 0o500)
  expect(await createStore().resolve('tiny.en')).toMatchObject({ ok: true })
  await chmod(modelsFolder, 0o700)
})

test('lists the whole catalogue with the installed models', async () => {
  const status = await createStore().status('tiny.en-q5_1')
  expect(status).toHaveLength(29)
  const here = status.filter(({ downloaded }) => downloaded)
  expect(here.map(({ name, bundled, loaded }) => [name, bundled, loaded])).toEqual([
    ['tiny.en-q5_1', true, true],
    ['base-q5_1', true, false],
  ])
  expect(here.slice(0, 1)).toEqual([
    {
      name: 'tiny.en-q5_1',
      displayName: 'Whisper Tiny, English (q5_1)',
      size: 'tiny',
      repository: 'ggerganov/whisper.cpp',
      file: 'ggml-tiny.en-q5_1.bin',
      downloaded: true,
      loaded: true,
      sizeMb: 32,
      expectedSizeMb: 32,
      multilingual: false,
      quantization: 'q5_1',
      sha256: 'c77c5766f1cef09b6b7d47f21b546cbddd4157886b3b5d6d4f709e91e66c7c2b',
      recommended: false,
      bundled: true,
    },
  ])
})

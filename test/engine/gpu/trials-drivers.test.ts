// Drivers that end the engine's process, or never respond: the mark on disk decides what the next process does.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Engine } from '../../../src/engine/engine.ts'
import { readTrials } from '../../../src/engine/gpu/trials.ts'
import { createProcessEngine } from '../../../src/engine/process-engine.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { bundledModel } from '../../support/ggml.ts'
import { until } from '../../support/until.ts'

let folder: string
let engine: Engine
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictation-gpu-'))
})
afterEach(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const open = (fixture: string) => {
  engine = createProcessEngine({
    info: {
      ...{ name: 'fixture', version: '1', simd: 'simd128', maxModelBytes: 1e9 },
      ...{ prompt: true, secondPass: true, translate: true, wordTimes: true },
    },
    ...{ entry: resolve(import.meta.dir, fixture), threads: 1, idleUnloadMs: () => 60_000, log: silentLog },
    ...{ heartbeatTimeoutMs: 30_000, recycleGrowthBytes: 1e9, gpu: () => ({ use: 'gpu', folder }) },
  })
  return engine
}

const states = async () => Object.values(await readTrials(folder)).map(({ state }) => state)

test('a driver that ends the process is tried once, and the CPU transcribes from then on', async () => {
  const { load, info } = open('crashing-driver-fixture.ts')
  expect(await load(bundledModel)).toMatchObject({ ok: false, failure: { code: 'engine_crashed' } })
  expect(await states()).toEqual(['trying'])
  expect(await load(bundledModel)).toMatchObject({ ok: true })
  expect(info().device).toEqual({
    gpu: null,
    reason: 'The last attempt on the GPU ended the process: dictation gpu retry tries it again.',
  })
}, 60_000)

test('a load that the server cuts short is not held against the GPU', async () => {
  const { load, close } = open('hanging-driver-fixture.ts')
  const cutShort = new AbortController()
  const first = load(bundledModel, cutShort.signal)
  await until(async () => (await states()).includes('trying'))
  cutShort.abort()
  expect(await first).toMatchObject({ ok: false, failure: { code: 'aborted' } })
  expect(await states()).toEqual([])
  const second = load(bundledModel)
  await until(async () => (await states()).includes('trying'))
  await close()
  expect(await second).toMatchObject({ ok: false, failure: { code: 'engine_closed' } })
  expect(await states()).toEqual([])
}, 60_000)

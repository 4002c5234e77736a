// The engine and the clock are scripted; models and files are real. The real benchmark: test/api/base-model.test.ts.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Engine } from '../../src/engine/engine.ts'
import { silentLog } from '../../src/lib/log.ts'
import { fail, succeed } from '../../src/lib/result.ts'
import {
  BENCHMARK_FILE,
  createBenchmark,
  MAX_MEASUREMENTS,
  openBenchmarkResult,
} from '../../src/models/benchmark.ts'
import { createModelUse } from '../../src/models/model-use.ts'
import { createModelStore, type Preference } from '../../src/models/store.ts'
import { baseModel, bundledModel } from '../support/ggml.ts'
import { until } from '../support/until.ts'

const VOICE_SECONDS = 5.3

let dataFolder: string
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'dictation-speed-'))
})
afterEach(() => rm(dataFolder, { recursive: true, force: true }))

const stored = async () => JSON.parse(await readFile(join(dataFolder, BENCHMARK_FILE), 'utf8'))

/** A start of the server on the same folder. @param factors of the runs in turn; the last one repeats */
async function start({
  factors = [0.5],
  processor = '2 × Pentium',
  threads = 2,
  chosen = null as string | null,
  breaks = false,
  idleMs = 1,
  repeatAfterMs = 3_600_000,
} = {}) {
  const result = await openBenchmarkResult({
    ...{ dataFolder, threads, processor },
    engine: { name: 'scripted', version: '1' },
  })
  let now = 0
  let runs = 0
  const engines = { opened: 0, closed: 0 }
  /** while set, a run ends only by abort */
  let hangs = false
  const openEngine = () => {
    engines.opened += 1
    return {
      load: async () =>
        breaks ? fail({ code: 'engine_crashed' as const, message: '' }) : succeed({ loadMs: 1 }),
      async transcribe({ samples, signal, language }) {
        expect([samples.length, language]).toEqual([VOICE_SECONDS * 16_000, null])
        if (hangs) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
        now += (factors[runs] ?? factors.at(-1)!) * VOICE_SECONDS * 1000
        runs += 1
        return succeed({ language: 'en', languageProbability: 1, segments: [] })
      },
      async close() {
        engines.closed += 1
      },
    } as Pick<Engine, 'load' | 'transcribe' | 'close'> as Engine
  }
  const modelUse = createModelUse()
  const preferences: () => Preference[] = () => [{ name: chosen, by: 'setting' }]
  const store = createModelStore({
    ...{ bundledFolder: dirname(baseModel.path), modelsFolder: dataFolder },
    ...{ preferences, isTooSlow: result.isTooSlow },
  })
  const benchmark = createBenchmark({
    ...{ result, store, modelUse, openEngine, log: silentLog, idleMs, repeatAfterMs },
    now: () => now,
  })
  const measurements: number[] = []
  return {
    ...{ result, store, modelUse, benchmark, engines, measurements },
    runs: () => runs,
    hang: (whether: boolean) => {
      hangs = whether
    },
    begin: () => benchmark.start((factor) => measurements.push(factor)),
  }
}

type Started = Awaited<ReturnType<typeof start>>

async function measured(one: Started, times = 1) {
  one.begin()
  await until(() => one.measurements.length >= times, { what: 'a measurement' })
  await one.benchmark.stop()
}

const defaultOf = ({ store }: Started) => store.choice()

test('a fast result keeps base as default and is not measured again', async () => {
  const first = await start({ factors: [3, 0.4, 0.5] })
  expect(defaultOf(first)).toEqual({ name: baseModel.name, chosenBy: 'size' })
  await measured(first)
  expect(first.measurements).toEqual([0.4])
  expect(first.engines).toEqual({ opened: 1, closed: 1 })
  expect(await stored()).toMatchObject({ realTimeFactor: 0.4, measurements: 1, processor: '2 × Pentium' })

  const next = await start()
  next.begin()
  await next.benchmark.stop()
  expect([next.runs(), next.result.current()?.realTimeFactor]).toEqual([0, 0.4])
  expect(defaultOf(next)).toEqual({ name: baseModel.name, chosenBy: 'size' })
})

test('a slow result makes tiny.en the default, also after a restart', async () => {
  const first = await start({ factors: [2.5] })
  await measured(first)
  expect(defaultOf(first)).toEqual({ name: bundledModel.name, chosenBy: 'speed' })
  expect(defaultOf(await start())).toEqual({ name: bundledModel.name, chosenBy: 'speed' })
})

test('measures a slow computer again and keeps the best result', async () => {
  await measured(await start({ factors: [2.5] }))
  const later = await start({ factors: [0.9] })
  await measured(later)
  expect(defaultOf(later)).toEqual({ name: baseModel.name, chosenBy: 'size' })
  expect(await stored()).toMatchObject({ realTimeFactor: 0.9, measurements: 2 })
})

test('stops measuring after MAX_MEASUREMENTS slow results', async () => {
  const slow = await start({ factors: [2], repeatAfterMs: 1 })
  await measured(slow, MAX_MEASUREMENTS)
  expect(await stored()).toMatchObject({ realTimeFactor: 2, measurements: MAX_MEASUREMENTS })
  const later = await start()
  later.begin()
  await later.benchmark.stop()
  expect(later.runs()).toBe(0)
})

test.each([
  ['another processor', { processor: '64 × Threadripper' }],
  ['another number of threads', { threads: 8 }],
])('discards a result from %s and measures again', async (_what, given) => {
  await measured(await start({ factors: [2.5] }))
  const moved = await start({ ...given, factors: [0.2] })
  expect(moved.result.current()).toBeNull()
  expect(defaultOf(moved)).toEqual({ name: baseModel.name, chosenBy: 'size' })
  await measured(moved)
  expect(await stored()).toMatchObject({ realTimeFactor: 0.2, measurements: 1 })
})

test.each([
  ['cut off', (text: string) => text.slice(0, 40)],
  ['of a different shape', () => '{"realTimeFactor": "slow"}'],
  ['empty', () => ''],
])('measures again if the file is %s', async (_how, damage) => {
  await measured(await start({ factors: [2.5] }))
  const path = join(dataFolder, BENCHMARK_FILE)
  await writeFile(path, damage(await readFile(path, 'utf8')))
  const later = await start({ factors: [0.3] })
  expect(later.result.current()).toBeNull()
  await measured(later)
  expect(await stored()).toMatchObject({ realTimeFactor: 0.3, measurements: 1 })
})

test('stops when a transcription starts and measures when none runs', async () => {
  const one = await start()
  const recording = Promise.withResolvers<void>()
  one.hang(true)
  one.begin()
  await until(() => one.engines.opened === 1)
  const used = one.modelUse.during({ path: '/any' }, () => recording.promise)
  await until(() => one.engines.closed === 1, { what: 'the benchmark to stop' })
  expect(one.measurements).toEqual([])
  one.hang(false)
  recording.resolve()
  await used
  await until(() => one.measurements.length === 1)
  await one.benchmark.stop()
})

test('does not run if the user chose a model, and gives up if the engine fails', async () => {
  for (const given of [{ chosen: 'tiny.en' }, { breaks: true }]) {
    const one = await start(given)
    one.begin()
    await until(() => one.engines.opened === one.engines.closed)
    await one.benchmark.stop()
    expect([one.runs(), one.measurements]).toEqual([0, []])
  }
})

test('stop() aborts a run at once', async () => {
  const one = await start({ idleMs: 3_600_000 })
  one.hang(true)
  one.begin()
  await until(() => one.engines.opened === 1)
  await one.benchmark.stop()
  expect([one.engines.closed, one.measurements]).toEqual([1, []])
}, 180_000)

// Benchmarks the bundled default model if its speed on this computer is unknown and it would be the default.
// Runs in its own process while no transcription runs, and stops at once when one starts.

import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import {
  type Engine,
  type EngineInfo,
  MAX_WINDOW_SECONDS,
  type ModelFile,
  SAMPLE_RATE,
} from '../engine/engine.ts'
import { writeFileDurably } from '../lib/durable.ts'
import type { Log } from '../lib/log.ts'
import { ownFile } from '../lib/own-files.ts'
import { pause } from '../lib/retry.ts'
import { BUNDLED_MODELS, CATALOGUE } from './catalogue.ts'
import type { ModelUse } from './model-use.ts'
import type { ModelStore } from './store.ts'

export const BENCHMARK_FILE = 'model-speed.json'

/** The only model worth measuring: the other bundled one is faster. */
export const MEASURED_MODEL = CATALOGUE.find(({ name }) => name === BUNDLED_MODELS[0])!

/**
 * Seconds of work per second of speech. Above 1 the user waits longer than they spoke. At 150 spoken and 45 typed words a
 * minute, dictation is slower than typing from 2.3 on, on an otherwise idle computer.
 */
const MAX_REAL_TIME_FACTOR = 1

/** A slow result is measured again up to this often: the computer may have been busy. */
export const MAX_MEASUREMENTS = 5

/** A measurement is valid only for these. */
const Circumstances = {
  /** SHA-256 */
  model: Type.String(),
  engine: Type.String(),
  threads: Type.Integer(),
  processor: Type.String(),
}

const Stored = Type.Object({
  ...Circumstances,
  /** the lowest that was measured */
  realTimeFactor: Type.Number({ minimum: 0 }),
  measurements: Type.Integer({ minimum: 1 }),
})

type Measured = Pick<Static<typeof Stored>, 'realTimeFactor' | 'measurements'>

export type BenchmarkResult = {
  /** null if not measured under these circumstances */
  current(): Measured | null
  isTooSlow(model: string): boolean
  needsMeasurement(): boolean
  /** takes effect at once and is durable once resolved. @throws file system errors */
  record(realTimeFactor: number): Promise<void>
}

export async function openBenchmarkResult({
  dataFolder,
  engine,
  threads,
  processor = processorHere(),
}: {
  dataFolder: string
  engine: Pick<EngineInfo, 'name' | 'version'>
  threads: number
  processor?: string
}): Promise<BenchmarkResult> {
  const path = join(dataFolder, BENCHMARK_FILE)
  const circumstances = {
    model: MEASURED_MODEL.sha256,
    engine: `${engine.name} ${engine.version}`,
    threads,
    processor,
  }
  let measured = await read(path, circumstances)
  const isSlow = () => measured !== null && measured.realTimeFactor > MAX_REAL_TIME_FACTOR

  return {
    current: () => measured,
    isTooSlow: (model) => model === MEASURED_MODEL.name && isSlow(),
    needsMeasurement: () => measured === null || (isSlow() && measured.measurements < MAX_MEASUREMENTS),
    async record(realTimeFactor) {
      measured = {
        realTimeFactor: Math.min(realTimeFactor, measured?.realTimeFactor ?? realTimeFactor),
        measurements: (measured?.measurements ?? 0) + 1,
      }
      await writeFileDurably(path, `${JSON.stringify({ ...circumstances, ...measured }, null, 2)}\n`)
    },
  }
}

/** Detects that the data folder was moved to another computer. */
function processorHere(): string {
  const all = cpus()
  return `${all.length} × ${all[0]?.model ?? 'unknown'}`
}

/** Null without a readable result for the same circumstances; the caller then measures again. */
async function read(path: string, circumstances: Record<string, unknown>): Promise<Measured | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (!Value.Check(Stored, value)) return null
    const { realTimeFactor, measurements, ...under } = Value.Clean(Stored, value) as Static<typeof Stored>
    return Bun.deepEquals(under, circumstances) ? { realTimeFactor, measurements } : null
  } catch {
    return null
  }
}

/** Five seconds of a LibriVox reader (public domain), a typical dictation length. 16 bits at 16 kHz. */
const SPEECH = ownFile('src/models/self-test.wav')
const WAV_HEADER_BYTES = 44

/** The first run compiles the code; the best of the others counts. */
const RUNS = 3

/** Delay after a transcription: another one often follows. */
const IDLE_MS = 30_000

/** A result that was too slow is measured again: the computer may have been busy. */
const REPEAT_AFTER_MS = 15 * 60_000

export type Benchmark = {
  /** runs until the speed is known or `stop` is called; calls `onMeasured` after each measurement */
  start(onMeasured: (realTimeFactor: number) => void): void
  stop(): Promise<void>
}

export type BenchmarkDeps = {
  result: BenchmarkResult
  store: Pick<ModelStore, 'choice' | 'resolve'>
  modelUse: Pick<ModelUse, 'isAnyInUse' | 'onUse'>
  /** opens a separate engine, not the one that serves clients */
  openEngine: () => Engine
  log: Log
  idleMs?: number
  repeatAfterMs?: number
  now?: () => number
}

export function createBenchmark(deps: BenchmarkDeps): Benchmark {
  const { result, store, modelUse, log, idleMs = IDLE_MS, repeatAfterMs = REPEAT_AFTER_MS } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> = Promise.resolve()

  /** Whether the model would be the default if it were fast enough. */
  const wouldBeDefault = () => store.choice({ heedSpeed: false }).name === MEASURED_MODEL.name

  const measure = async (onMeasured: (realTimeFactor: number) => void) => {
    while (!signal.aborted && result.needsMeasurement() && wouldBeDefault()) {
      const measured = modelUse.isAnyInUse() ? 'busy' : await measureOnce(deps, signal)
      if (measured === 'failed') return
      if (measured === 'busy') {
        await pause(idleMs, signal)
        continue
      }
      await result.record(measured).catch((error: unknown) => {
        log.warn(
          { reason: String(error) },
          'could not store the benchmark result; it is measured again at the next start',
        )
      })
      onMeasured(measured)
      if (result.needsMeasurement()) await pause(repeatAfterMs, signal)
    }
  }

  return {
    start(onMeasured) {
      running = measure(onMeasured).catch((error: unknown) => {
        log.warn({ reason: String(error) }, 'the benchmark failed unexpectedly')
      })
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** @returns the real-time factor; `busy`: a transcription started */
async function measureOnce(
  { store, modelUse, openEngine, log, now = () => performance.now() }: BenchmarkDeps,
  stop: AbortSignal,
): Promise<number | 'busy' | 'failed'> {
  const model = await store.resolve(MEASURED_MODEL.name)
  if (!model.ok) return 'failed'
  const samples = await readSpeech()
  const preempted = new AbortController()
  const unsubscribe = modelUse.onUse(() => preempted.abort())
  const engine = openEngine()
  try {
    const signal = AbortSignal.any([stop, preempted.signal])
    const request = { ...REQUEST, model: model.value as ModelFile, samples, signal }
    const took: number[] = []
    while (took.length < RUNS) {
      // Load outside the measured time.
      const loaded = await engine.load(request.model, signal)
      const startedAt = now()
      const transcribed = loaded.ok ? await engine.transcribe(request) : loaded
      if (signal.aborted) return 'busy'
      if (!transcribed.ok) {
        log.warn(
          { code: transcribed.failure.code, reason: transcribed.failure.message },
          'the benchmark failed',
        )
        return 'failed'
      }
      took.push(now() - startedAt)
    }
    return toThousandths(Math.min(...took) / ((samples.length * 1000) / SAMPLE_RATE))
  } finally {
    unsubscribe()
    await engine.close()
  }
}

const toThousandths = (factor: number) => Math.round(factor * 1000) / 1000

const REQUEST = { language: null, task: 'transcribe', prompt: null } as const

async function readSpeech(): Promise<Float32Array> {
  const bytes = await Bun.file(SPEECH).arrayBuffer()
  return Float32Array.from(
    new Int16Array(bytes, WAV_HEADER_BYTES).subarray(0, MAX_WINDOW_SECONDS * SAMPLE_RATE),
    (sample) => sample / 0x8000,
  )
}

// Benchmarks the bundled default model if its speed on this computer is unknown and it would be the default.
// Runs in its own process while no transcription runs, and stops at once when one starts.

import { join } from 'node:path'
import { type Engine, MAX_WINDOW_SECONDS, type ModelFile, SAMPLE_RATE } from '../engine/engine.ts'
import type { Log } from '../lib/log.ts'
import { pause } from '../lib/retry.ts'
import { type BenchmarkResult, MEASURED_MODEL } from './benchmark-result.ts'
import type { ModelUse } from './model-use.ts'
import type { ModelStore } from './store.ts'

/** Five seconds of a LibriVox reader (public domain), a typical dictation length. 16 bits at 16 kHz. */
const SPEECH = join(import.meta.dir, 'self-test.wav')
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

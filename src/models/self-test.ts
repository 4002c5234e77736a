// Measures how fast the first of the bundled models hears, where it would hear and that is not known of this computer.
// In a process of its own while nobody is heard, and gives way at once to whoever comes; keeps what it finds in speed-record.ts.

import { join } from 'node:path'
import { type Engine, MAX_WINDOW_SECONDS, type ModelFile, SAMPLE_RATE } from '../engine/engine.ts'
import type { Log } from '../lib/log.ts'
import { pause } from '../lib/retry.ts'
import type { ModelUse } from './model-use.ts'
import { MEASURED_MODEL, type SpeedRecord } from './speed-record.ts'
import type { ModelStore } from './store.ts'

/** Five seconds of a LibriVox reader, in the public domain: as long as a dictation often is. 16 bits at 16 kHz. */
const VOICE = join(import.meta.dir, 'self-test.wav')
const WAV_HEADER_BYTES = 44

/** The first hearing compiles what the others use; of the others the best is what the computer can do. */
const HEARINGS = 3

/** After somebody was heard the next thing is often the next recording. */
const QUIET_MS = 30_000

/** A computer that was too slow is tried again when whatever kept it busy may be over. */
const AGAIN_AFTER_MS = 15 * 60_000

export type SelfTest = {
  /** goes on until it is known, or `stop`; `onMeasured` is told of each measurement */
  start(onMeasured: (realTimeFactor: number) => void): void
  stop(): Promise<void>
}

export type SelfTestDeps = {
  record: SpeedRecord
  store: Pick<ModelStore, 'choice' | 'resolve'>
  modelUse: Pick<ModelUse, 'isAnyInUse' | 'onUse'>
  /** another one than what people are heard by */
  openEngine: () => Engine
  log: Log
  quietMs?: number
  againAfterMs?: number
  now?: () => number
}

export function createSelfTest(deps: SelfTestDeps): SelfTest {
  const { record, store, modelUse, log, quietMs = QUIET_MS, againAfterMs = AGAIN_AFTER_MS } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> = Promise.resolve()

  /** Nobody chose another model, and none that is here would hear before it even if it were fast. */
  const mayHear = () => store.choice({ heedSpeed: false }).name === MEASURED_MODEL.name

  const measure = async (onMeasured: (realTimeFactor: number) => void) => {
    while (!signal.aborted && record.wantsMeasuring() && mayHear()) {
      const measured = modelUse.isAnyInUse() ? 'busy' : await measureOnce(deps, signal)
      if (measured === 'failed') return
      if (measured === 'busy') {
        await pause(quietMs, signal)
        continue
      }
      await record.note(measured).catch((error: unknown) => {
        log.warn(
          { reason: String(error) },
          'how fast the model hears is not kept, and measured at the next start',
        )
      })
      onMeasured(measured)
      if (record.wantsMeasuring()) await pause(againAfterMs, signal)
    }
  }

  return {
    start(onMeasured) {
      running = measure(onMeasured).catch((error: unknown) => {
        log.warn({ reason: String(error) }, 'the self-test broke')
      })
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** The real-time factor; `busy`: somebody came. */
async function measureOnce(
  { store, modelUse, openEngine, log, now = () => performance.now() }: SelfTestDeps,
  stop: AbortSignal,
): Promise<number | 'busy' | 'failed'> {
  const model = await store.resolve(MEASURED_MODEL.name)
  if (!model.ok) return 'failed'
  const samples = await readVoice()
  const someoneCame = new AbortController()
  const forget = modelUse.onUse(() => someoneCame.abort())
  const engine = openEngine()
  try {
    const signal = AbortSignal.any([stop, someoneCame.signal])
    const hear = { ...HEARING, model: model.value as ModelFile, samples, signal }
    const took: number[] = []
    while (took.length < HEARINGS) {
      // Loading is no part of hearing.
      const loaded = await engine.load(hear.model, signal)
      const startedAt = now()
      const heard = loaded.ok ? await engine.transcribe(hear) : loaded
      if (signal.aborted) return 'busy'
      if (!heard.ok) {
        log.warn({ code: heard.failure.code, reason: heard.failure.message }, 'the self-test failed')
        return 'failed'
      }
      took.push(now() - startedAt)
    }
    return toThousandths(Math.min(...took) / ((samples.length * 1000) / SAMPLE_RATE))
  } finally {
    forget()
    await engine.close()
  }
}

const toThousandths = (factor: number) => Math.round(factor * 1000) / 1000

const HEARING = { language: null, task: 'transcribe', prompt: null } as const

async function readVoice(): Promise<Float32Array> {
  const bytes = await Bun.file(VOICE).arrayBuffer()
  return Float32Array.from(
    new Int16Array(bytes, WAV_HEADER_BYTES).subarray(0, MAX_WINDOW_SECONDS * SAMPLE_RATE),
    (sample) => sample / 0x8000,
  )
}

import { SHOUT_MAX_MODEL_BYTES, SHOUT_VERSION } from '../../wasm/shout/shout.ts'
import { type Log, silentLog } from '../lib/log.ts'
import { ownFile } from '../lib/own-files.ts'
import { createAutoEngine } from './auto-engine.ts'
import type { Engine } from './engine.ts'
import type { GpuRequest } from './gpu/gpu-request.ts'
import { createProcessEngine } from './process-engine.ts'

export type EngineOptions = {
  threads: number
  /** read each time the engine becomes idle. @default 300_000 */
  idleUnloadMs?: () => number
  /** @default 30_000, because a machine under load sends heartbeats late */
  heartbeatTimeoutMs?: number
  /** @default 256 MB */
  recycleGrowthBytes?: number
  /** read before each window: a change loads the model again. @default the GPU is off */
  gpu?: (() => GpuRequest) | undefined
  /** receives the id of each process that starts, at level debug */
  log?: Log
}

const DEFAULTS = {
  idleUnloadMs: () => 300_000,
  heartbeatTimeoutMs: 30_000,
  recycleGrowthBytes: 256_000_000,
  log: silentLog,
}

/** Increases with each change to the text that our own engine produces. */
const VERSION = '1'

/** large in f32, the largest model, whose weights are repacked to half of that. Loading checks the machine's memory. */
const MAX_MODEL_BYTES = 6_300_000_000

/** Our own engine: Whisper in SIMD WebAssembly with tiled kernels. */
export const createWhisperEngine = (options: EngineOptions): Engine =>
  createProcessEngine({
    ...DEFAULTS,
    ...options,
    info: {
      name: 'whisper-simd',
      version: VERSION,
      simd: 'simd128',
      prompt: true,
      secondPass: true,
      translate: true,
      wordTimes: true,
      maxModelBytes: MAX_MODEL_BYTES,
    },
    entry: ownFile('src/engine/whisper-recogniser.ts'),
  })

/** The engine that runs everywhere: whisper.cpp, compiled to WebAssembly by @transcribe/shout. */
export const createShoutEngine = (options: EngineOptions): Engine =>
  createProcessEngine({
    ...DEFAULTS,
    ...options,
    info: {
      name: 'whisper.cpp',
      version: SHOUT_VERSION,
      simd: 'simd128',
      prompt: false,
      secondPass: false,
      translate: true,
      wordTimes: true,
      maxModelBytes: SHOUT_MAX_MODEL_BYTES,
    },
    entry: ownFile('src/engine/shout-recogniser.ts'),
  })

/** `simd`: our own engine; `shout`: whisper.cpp; `auto`: `simd`, with `shout` as fallback. */
export const ENGINE_CHOICES = ['auto', 'simd', 'shout'] as const

export type EngineChoice = (typeof ENGINE_CHOICES)[number]

const ENGINES: Record<EngineChoice, (options: EngineOptions) => Engine> = {
  auto: (options) =>
    createAutoEngine({
      preferred: createWhisperEngine(options),
      reference: createShoutEngine(options),
      log: options.log ?? silentLog,
    }),
  simd: createWhisperEngine,
  shout: createShoutEngine,
}

/** Starts no process: loading the first model does. */
export const createEngine = ({ choice, ...options }: EngineOptions & { choice: EngineChoice }): Engine =>
  ENGINES[choice](options)

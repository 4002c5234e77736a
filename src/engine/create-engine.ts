// Creates the engine that DICTATION_ENGINE selects.

import { silentLog } from '../lib/log.ts'
import { createAutoEngine } from './auto-engine.ts'
import type { Engine } from './engine.ts'
import type { EngineOptions } from './engine-options.ts'
import { createShoutEngine } from './shout-engine.ts'
import { createWhisperEngine } from './whisper-engine.ts'

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

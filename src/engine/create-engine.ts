// Which engine DICTATION_ENGINE stands for.
// Knows no model; an engine is made here and nowhere else.

import { silentLog } from '../lib/log.ts'
import { createAutoEngine } from './auto-engine.ts'
import type { Engine } from './engine.ts'
import type { EngineOptions } from './engine-options.ts'
import { createShoutEngine } from './shout-engine.ts'
import { createWhisperEngine } from './whisper-engine.ts'

/** `simd` is our own engine, `shout` whisper.cpp; `auto` takes the first and falls back to the second. */
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

/** Starts nothing: the first model loaded starts the engine's process. */
export const createEngine = ({ choice, ...options }: EngineOptions & { choice: EngineChoice }): Engine =>
  ENGINES[choice](options)

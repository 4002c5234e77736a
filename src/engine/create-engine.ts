// Which engine DICTATION_ENGINE stands for.
// Knows no model; an engine is made here and nowhere else.

import type { Engine } from './engine.ts'
import type { EngineOptions } from './engine-options.ts'
import { createShoutEngine } from './shout-engine.ts'

/** `auto` is the fastest engine that runs here. */
export const ENGINE_CHOICES = ['auto', 'shout'] as const

export type EngineChoice = (typeof ENGINE_CHOICES)[number]

const ENGINES: Record<EngineChoice, (options: EngineOptions) => Engine> = {
  auto: createShoutEngine,
  shout: createShoutEngine,
}

/** Starts nothing: the first model loaded starts the engine's process. */
export const createEngine = ({ choice, ...options }: EngineOptions & { choice: EngineChoice }): Engine =>
  ENGINES[choice](options)

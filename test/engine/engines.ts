// The engines that the contract runs for, by name.

import { createShoutEngine, createWhisperEngine, type EngineOptions } from '../../src/engine/create-engine.ts'
import type { Engine } from '../../src/engine/engine.ts'

export const ENGINES: Record<string, (options: EngineOptions) => Engine> = {
  'whisper-simd': createWhisperEngine,
  'whisper.cpp': createShoutEngine,
}

// The engines that the contract runs for, by name.

import type { Engine } from '../../src/engine/engine.ts'
import type { EngineOptions } from '../../src/engine/engine-options.ts'
import { createShoutEngine } from '../../src/engine/shout-engine.ts'
import { createWhisperEngine } from '../../src/engine/whisper-engine.ts'

export const ENGINES: Record<string, (options: EngineOptions) => Engine> = {
  'whisper-simd': createWhisperEngine,
  'whisper.cpp': createShoutEngine,
}

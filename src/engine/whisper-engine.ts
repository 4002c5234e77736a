// Our own engine: Whisper in SIMD WebAssembly with tiled kernels.

import { ownFile } from '../lib/own-files.ts'
import type { Engine } from './engine.ts'
import { type EngineOptions, withDefaults } from './engine-options.ts'
import { createProcessEngine } from './process-engine.ts'

/** Increases with each change to the text that the engine produces. */
const VERSION = '1'

/** large in f32, the largest model, whose weights are repacked to half of that. Loading checks the machine's memory. */
const MAX_MODEL_BYTES = 6_300_000_000

export const createWhisperEngine = (options: EngineOptions): Engine =>
  createProcessEngine({
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
    ...withDefaults(options),
  })

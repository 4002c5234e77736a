// Our own engine: Whisper in SIMD WebAssembly with tiled kernels.
// Puts it together; the model's side is whisper-recogniser.ts, the killing and restarting process-engine.ts.

import type { Engine } from './engine.ts'
import { type EngineOptions, withDefaults } from './engine-options.ts'
import { createProcessEngine } from './process-engine.ts'

/** Counts what changes in the text that it writes. */
const VERSION = '1'

/** large in f32, the largest there is, whose weights are repacked in half of that; whether there is room is asked when it is loaded. */
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
    entry: Bun.fileURLToPath(new URL('./whisper-recogniser.ts', import.meta.url)),
    ...withDefaults(options),
  })

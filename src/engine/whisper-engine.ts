// Our own engine: Whisper in SIMD WebAssembly with tiled kernels.
// Puts it together; the model's side is whisper-recogniser.ts, the killing and restarting process-engine.ts.

import type { Engine } from './engine.ts'
import { type EngineOptions, withDefaults } from './engine-options.ts'
import { createProcessEngine } from './process-engine.ts'

/** Counts what changes in the text that it writes. */
const VERSION = '1'

/** The weights are repacked, to at most what 4 GiB hold together with everything else. */
const MAX_MODEL_BYTES = 3_300_000_000

export const createWhisperEngine = (options: EngineOptions): Engine =>
  createProcessEngine({
    info: {
      name: 'whisper-simd',
      version: VERSION,
      simd: 'simd128',
      prompt: true,
      translate: true,
      wordTimes: true,
      maxModelBytes: MAX_MODEL_BYTES,
    },
    entry: Bun.fileURLToPath(new URL('./whisper-recogniser.ts', import.meta.url)),
    ...withDefaults(options),
  })

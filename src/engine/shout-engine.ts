// The engine that runs everywhere: whisper.cpp, compiled to WebAssembly by @transcribe/shout.

import { SHOUT_MAX_MODEL_BYTES, SHOUT_VERSION } from '../../wasm/shout/shout.ts'
import { ownFile } from '../lib/own-files.ts'
import type { Engine } from './engine.ts'
import { type EngineOptions, withDefaults } from './engine-options.ts'
import { createProcessEngine } from './process-engine.ts'

export const createShoutEngine = (options: EngineOptions): Engine =>
  createProcessEngine({
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
    ...withDefaults(options),
  })

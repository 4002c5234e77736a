// Our own engine: Whisper in SIMD WebAssembly with tiled kernels.
// Puts it together; the model's side is whisper-recogniser.ts, the killing and restarting process-engine.ts.

import { fastestSimd } from '../../wasm/whisper/kernels.ts'
import { silentLog } from '../lib/log.ts'
import type { Engine } from './engine.ts'
import type { EngineOptions } from './engine-options.ts'
import { createProcessEngine } from './process-engine.ts'

/** Counts what changes in the text that it writes. */
const VERSION = '1'

/** The weights are repacked, to at most what 4 GiB hold together with everything else. */
const MAX_MODEL_BYTES = 3_300_000_000

export const createWhisperEngine = ({
  threads,
  idleUnloadMs = 300_000,
  heartbeatTimeoutMs = 30_000,
  recycleGrowthBytes = 256_000_000,
  log = silentLog,
}: EngineOptions): Engine =>
  createProcessEngine({
    info: {
      name: 'whisper-simd',
      version: VERSION,
      simd: fastestSimd(),
      prompt: true,
      translate: true,
      wordTimes: true,
      maxModelBytes: MAX_MODEL_BYTES,
    },
    entry: Bun.fileURLToPath(new URL('./whisper-recogniser.ts', import.meta.url)),
    threads,
    idleUnloadMs,
    heartbeatTimeoutMs,
    recycleGrowthBytes,
    log,
  })

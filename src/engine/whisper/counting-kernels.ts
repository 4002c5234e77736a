// Kernels that compute nothing and only count the memory allocated on them.

import { ALIGNMENT, type Kernels } from '../../../wasm/whisper/kernels.ts'

/** Reads return nothing and writes are discarded. `mark` is the count of bytes. */
export const createCountingKernels = (): Kernels => {
  const nothing = new ArrayBuffer(0)
  let end = 0
  return {
    threads: 1,
    bytes: () => new Uint8Array(nothing),
    floats: () => new Float32Array(nothing),
    allocate(bytes) {
      const at = end
      end += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
      return at
    },
    mark: () => end,
    release(to) {
      end = to
    },
    run: () => 0,
    close: async () => {},
  }
}

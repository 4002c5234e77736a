// Kernels that compute nothing and only count the memory that is asked of them.
// What is put together on them is the caller's choice.

import { ALIGNMENT, type Kernels } from '../../../wasm/whisper/kernels.ts'

/** Nothing can be read from them, and what is written to their empty memory goes nowhere. `mark` is the count. */
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

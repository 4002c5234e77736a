// How much memory a model takes in all, found before any is taken: a model is put together on kernels that only count.
// Refusing what is too much is room.ts.

import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import type { GgmlTensor } from '../ggml-file.ts'
import type { WhisperShape } from '../whisper-tensors.ts'
import { createDecoder } from './decoder.ts'
import { alignmentHeads } from './decoding/alignment-heads.ts'
import { createEncoder } from './encoder.ts'
import type { Weights } from './weights.ts'

/** For the log-mel, what each thread has of its own, and tensors while they are packed. */
const REST_BYTES = 64_000_000

const ALIGNMENT = 64

/** Nothing can be read from them, and what is written to their empty memory goes nowhere. */
const createCountingKernels = (): Kernels => {
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

/** All that it depends on. */
export type TypedShape = { shape: WhisperShape; tensors: readonly Pick<GgmlTensor, 'name' | 'type'>[] }

/** @param slots how many sequences are decoded side by side after what they have in common, which is half of each */
export const memoryNeeded = async (file: TypedShape, slots: number): Promise<number> => {
  const { shape, tensors } = file
  const kernels = createCountingKernels()
  const types = new Map(tensors.map(({ name, type }) => [name, type]))
  const weights: Weights = { shape, typeOf: (name) => types.get(name)!, read: () => 0 }
  await createEncoder({ kernels, weights })
  const decoder = await createDecoder({ kernels, weights, slots, alignmentHeads: alignmentHeads(shape) })
  const tokens = Math.ceil((shape.textTokens / 2) * (1 + slots))
  return kernels.mark() + tokens * decoder.tokenBytes + REST_BYTES
}

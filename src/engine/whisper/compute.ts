// The interface that encodes windows and decodes tokens, on the kernels or on a GPU (gpu/gpu-compute.ts).

import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import type { GgmlFile } from '../ggml-file.ts'
import { type AsyncDecoder, createDecoder } from './decoder.ts'
import { alignmentHeads } from './decoding/timing.ts'
import { createEncoder, type Encoder } from './encoder.ts'
import { slotsThatFit } from './memory.ts'
import type { Weights } from './weights.ts'

/** Sequences side by side, for best-of and beams. */
export const SEQUENCES_PER_SLOT = 5

/** Eight windows side by side, if the memory suffices, and one more that takes precedence. */
export const MAX_SLOTS = 9

/** Positions of encoded frames are bytes of f32 [frames][audioWidth], for the decoder's `setWindow`. */
export type Compute = Encoder & {
  decoder: AsyncDecoder
  /** copies frames of the last encoding */
  copyEncoded(at: number, frames: number): Promise<Float32Array>
  /** replaces the first frames of the last encoding */
  restoreEncoded(at: number, encoded: Float32Array): void
  close(): void
}

export type CreateCompute = (deps: { kernels: Kernels; weights: Weights }) => Promise<Compute>

/** @throws InsufficientMemory */
export const computeOnKernels = async (file: GgmlFile): Promise<CreateCompute> => {
  const slots = await slotsThatFit(file, { sequencesPerSlot: SEQUENCES_PER_SLOT, most: MAX_SLOTS })
  return async ({ kernels, weights }) => {
    const { shape } = weights
    const encoder = await createEncoder({ kernels, weights })
    const decoder = await createDecoder({
      kernels,
      weights,
      slots,
      sequencesPerSlot: SEQUENCES_PER_SLOT,
      alignmentHeads: alignmentHeads(shape),
    })
    return {
      ...encoder,
      decoder,
      copyEncoded: async (at, frames) => kernels.floats().slice(at / 4, at / 4 + frames * shape.audioWidth),
      restoreEncoded: (at, encoded) => kernels.floats().set(encoded, at / 4),
      close() {},
    }
  }
}

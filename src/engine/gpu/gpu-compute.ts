// A Whisper model on the GPU. Its log-mel and the reading of its file stay on the kernels.

import { type CreateCompute, MAX_SLOTS, SEQUENCES_PER_SLOT } from '../whisper/compute.ts'
import { alignmentHeads } from '../whisper/decoding/timing.ts'
import type { WhisperShape } from '../whisper-tensors.ts'
import { type Gpu, GpuFailure } from './device.ts'
import { createGpuDecoder, tokenBytesOf, windowBytesOf } from './gpu-decoder.ts'
import { createGpuEncoder } from './gpu-encoder.ts'
import { createUpload, formatOf, matrixBytes } from './upload.ts'

/** The most memory that further windows may take. */
const MAX_MORE_BYTES = 1e9

/** Frames of a window begin at multiples of 256 bytes. */
const WIDTH_STEP = 128

/**
 * How many windows run side by side: WebGPU does not report how much memory a GPU has. A window and its copy, and a third of
 * the longest sequences, as in whisper/memory.ts.
 */
export const gpuSlots = (shape: WhisperShape, maxBindingBytes: number): number => {
  const tokens = (shape.textTokens / 2) * (1 + SEQUENCES_PER_SLOT)
  const bytes = 2 * windowBytesOf(shape) + (tokens * tokenBytesOf(shape)) / 3
  const fit = 1 + Math.floor(MAX_MORE_BYTES / bytes)
  const inBinding = Math.floor(maxBindingBytes / (windowBytesOf(shape) / shape.textLayers))
  return Math.max(1, Math.min(MAX_SLOTS, fit, inBinding))
}

/** @throws GpuFailure, and what reading the weights throws */
export const computeOnGpu =
  (gpu: Gpu): CreateCompute =>
  async ({ kernels, weights }) => {
    const { shape } = weights
    const width = shape.audioWidth
    if (width % WIDTH_STEP !== 0) throw new GpuFailure(`its width ${width} is no multiple of ${WIDTH_STEP}`)
    const embeddings = formatOf(weights, ['decoder.token_embedding.weight'])
    if (matrixBytes(embeddings, shape.vocabulary * width) > gpu.maxBindingBytes)
      throw new GpuFailure('its vocabulary needs more memory than a buffer of the GPU has')
    const upload = createUpload({ gpu, kernels, weights })
    const encoder = await createGpuEncoder({ gpu, upload, shape })
    const decoder = await createGpuDecoder({
      gpu,
      upload,
      shape,
      encoded: encoder.encoded,
      slots: gpuSlots(shape, gpu.maxBindingBytes),
      sequencesPerSlot: SEQUENCES_PER_SLOT,
      alignmentHeads: alignmentHeads(shape),
    })
    upload.finish()
    await gpu.finished()
    return {
      decoder,
      async encode(mel, frames, onLayer) {
        const numbers = 2 * frames * shape.melBands
        await encoder.encode(kernels.floats().subarray(mel / 4, mel / 4 + numbers), frames, onLayer)
        return 0
      },
      async copyEncoded(at, frames) {
        const halves = await gpu.read(encoder.encoded, frames * width * 2, at / 2)
        return Float32Array.from(new Float16Array(halves))
      },
      restoreEncoded: (at, encoded) => gpu.write(encoder.encoded, at / 2, new Float16Array(encoded)),
      close: gpu.close,
    }
  }

// A Whisper file opened for hearing: its kernels, encoder, decoder and vocabulary put together.
// Decides nothing about text: that is decoding/.

import { ENCODER_SCRATCH_BYTES } from '../../../wasm/whisper/encoder-kernels.ts'
import { HOP_SAMPLES } from '../../../wasm/whisper/interface.ts'
import { type Kernels, openKernels } from '../../../wasm/whisper/kernels.ts'
import { TOKEN_SCRATCH_BYTES } from '../../../wasm/whisper/token-kernels.ts'
import type { WindowTranscript } from '../engine.ts'
import type { GgmlFile, RandomAccess } from '../ggml-file.ts'
import { createDecoder } from './decoder.ts'
import { alignmentHeads } from './decoding/alignment-heads.ts'
import { decodingModelOf, type Listener } from './decoding/decoding-model.ts'
import { type SamplesRequest, transcribeSamples } from './decoding/transcribe-samples.ts'
import { createEncoder } from './encoder.ts'
import { createLogMel, MEL_SCRATCH_BYTES } from './log-mel.ts'
import { precisionOf } from './precision.ts'
import { checkMemoryRoom } from './room.ts'
import { testKernels } from './self-test.ts'
import { createWeights, type Weights } from './weights.ts'

/** Best-of and beams have so many sequences side by side. */
const SLOTS = 5

export type WhisperModel = {
  /**
   * `samples` are at most 30 s; one call at a time.
   * @param sameSamples as in the call before, whose first piece need not be encoded again
   */
  transcribe(
    request: Omit<SamplesRequest, 'sampleCount'> & { samples: Float32Array; sameSamples?: boolean },
  ): Promise<WindowTranscript>
  close(): Promise<void>
}

export type ModelOptions = {
  source: RandomAccess
  file: GgmlFile
  threads: number
  /** @default openKernels; others may watch what they open */
  open?: typeof openKernels
}

/**
 * The source is not needed afterwards.
 * @throws NoRoom before it takes memory, UnusableWeights, OutOfKernelMemory, KernelsBroken
 */
export const openModel = async (options: ModelOptions): Promise<WhisperModel> => {
  const { source, file, threads, open = openKernels } = options
  await checkMemoryRoom(file, SLOTS)
  const scratchBytes = Math.max(ENCODER_SCRATCH_BYTES, TOKEN_SCRATCH_BYTES, MEL_SCRATCH_BYTES)
  const kernels = await open({ threads, scratchBytes })
  try {
    const weights = createWeights({ kernels, source, file })
    testKernels(kernels, precisionOf(weights).finest(''))
    return await modelOn(kernels, { weights, file })
  } catch (error) {
    // Its threads would go on waiting for work.
    await kernels.close()
    throw error
  }
}

const isSame = (one: Float32Array, other: Float32Array) =>
  Buffer.from(one.buffer, one.byteOffset, one.byteLength).equals(
    Buffer.from(other.buffer, other.byteOffset, other.byteLength),
  )

const modelOn = async (
  kernels: Kernels,
  { weights, file }: { weights: Weights; file: GgmlFile },
): Promise<WhisperModel> => {
  const { shape, filters } = file
  const encoder = await createEncoder({ kernels, weights })
  const decoder = await createDecoder({
    kernels,
    weights,
    slots: SLOTS,
    alignmentHeads: alignmentHeads(shape),
  })
  const logMel = createLogMel({ kernels, filters, bands: shape.melBands })
  let last: Float32Array | null = null
  /** The first piece of the last samples, as it was encoded, for when they are heard again. */
  let start: { at: number; frames: number; encoded: Float32Array } | null = null
  let encodedAt = 0

  const encode = async (fromSample: number, frames: number, onPart?: (fraction: number) => void) => {
    if (fromSample === 0 && start?.frames === frames) {
      kernels.floats().set(start.encoded, start.at / 4)
      return start.at
    }
    const at = await encoder.encode(logMel.window(fromSample / HOP_SAMPLES), frames, onPart)
    const encoded = kernels.floats().subarray(at / 4, at / 4 + frames * shape.audioWidth)
    if (fromSample === 0) start = { at, frames, encoded: encoded.slice() }
    return at
  }

  const listener: Listener = {
    model: decodingModelOf(file),
    decoder,
    async encode(fromSample, frames, onPart) {
      encodedAt = await encode(fromSample, frames, onPart)
      await decoder.listen(encodedAt, frames)
    },
    attendTo: (fromFrame, frames) => decoder.listen(encodedAt + fromFrame * shape.audioWidth * 4, frames),
  }

  return {
    transcribe({ samples, sameSamples = false, ...request }) {
      if (!sameSamples || last === null || !isSame(samples, last)) {
        last = start = null
        logMel.compute(samples)
        last = samples
      }
      return transcribeSamples(listener, { ...request, sampleCount: samples.length })
    },
    close: kernels.close,
  }
}

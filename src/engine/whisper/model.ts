// Opens a Whisper model file: kernels, encoder, decoder and vocabulary.

import { ENCODER_SCRATCH_BYTES } from '../../../wasm/whisper/encoder-kernels.ts'
import { HOP_SAMPLES } from '../../../wasm/whisper/interface.ts'
import { type Kernels, openKernels } from '../../../wasm/whisper/kernels.ts'
import { TOKEN_SCRATCH_BYTES } from '../../../wasm/whisper/token-kernels.ts'
import type { WindowTranscript } from '../engine.ts'
import type { GgmlFile, RandomAccess } from '../ggml-file.ts'
import { createBatchScheduler } from './batch-scheduler.ts'
import { type CreateCompute, computeOnKernels } from './compute.ts'
import { decodingModelOf, type WindowModel } from './decoding/decode-segment.ts'
import { type SamplesRequest, transcribeSamples } from './decoding/transcribe.ts'
import { useFastestTile } from './fastest-tile.ts'
import { createLogMel, MEL_SCRATCH_BYTES } from './log-mel.ts'
import { precisionOf } from './precision.ts'
import { testKernels } from './self-test.ts'
import { createSlots, type Slot } from './slots.ts'
import { createWeights, type Weights } from './weights.ts'

export type WhisperModel = {
  /** how many calls run side by side, besides one that takes precedence; 1: one call at a time, of either kind */
  windows: number
  /**
   * `samples` are at most 30 s. Callers make up to `windows` calls at a time, and one without `sideBySide`. The same
   * samples give the same text, whatever runs beside them.
   * @param sameSamples the samples of an earlier call: reuse its encoded first piece if it is still cached
   * @param sideBySide wait for calls without this flag, which take precedence
   */
  transcribe(
    request: Omit<SamplesRequest, 'sampleCount'> & {
      samples: Float32Array
      sameSamples?: boolean
      sideBySide?: boolean | undefined
    },
  ): Promise<WindowTranscript>
  /** The first frames of the encoder, to compare two models. While nothing is transcribed. */
  encodedFrames(samples: Float32Array, frames: number): Promise<Float32Array>
  close(): Promise<void>
}

export type ModelOptions = {
  source: RandomAccess
  file: GgmlFile
  threads: number
  /** @default the kernels' */
  compute?: CreateCompute | undefined
  /** @default openKernels; tests observe the kernels by passing their own */
  open?: typeof openKernels
}

/**
 * Reads the source to the end; the caller may close it afterwards.
 * @throws InsufficientMemory before allocating memory, UnusableWeights, OutOfKernelMemory, KernelsBroken
 */
export const openModel = async (options: ModelOptions): Promise<WhisperModel> => {
  const { source, file, threads, open = openKernels } = options
  const createCompute = options.compute ?? (await computeOnKernels(file))
  const scratchBytes = Math.max(ENCODER_SCRATCH_BYTES, TOKEN_SCRATCH_BYTES, MEL_SCRATCH_BYTES)
  const kernels = await open({ threads, scratchBytes })
  try {
    const weights = createWeights({ kernels, source, file })
    useFastestTile(kernels)
    testKernels(kernels, precisionOf(weights).finest(''))
    return await modelOn(kernels, { weights, file, createCompute })
  } catch (error) {
    // Otherwise its threads would wait for work forever.
    await kernels.close()
    throw error
  }
}

const modelOn = async (
  kernels: Kernels,
  { weights, file, createCompute }: { weights: Weights; file: GgmlFile; createCompute: CreateCompute },
): Promise<WhisperModel> => {
  const { shape, filters } = file
  const width = shape.audioWidth
  const compute = await createCompute({ kernels, weights })
  const { decoder } = compute
  const logMel = createLogMel({ kernels, filters, bands: shape.melBands })
  const model = decodingModelOf(file)
  const scheduler = createBatchScheduler(decoder)
  const slots = createSlots(decoder)
  let inMel: Float32Array | null = null

  /** @returns position of the encoded frames, valid until the next encoding */
  const encode = async (
    samples: Float32Array,
    { fromSample, frames }: { fromSample: number; frames: number },
    onPart?: (fraction: number) => void,
  ) => {
    if (inMel !== samples) logMel.compute(samples)
    inMel = samples
    return await compute.encode(logMel.window(fromSample / HOP_SAMPLES), frames, onPart)
  }

  const windowModelAt = (
    slot: Slot,
    member: ReturnType<typeof scheduler.join>,
    {
      samples,
      cachesEncoded,
      signal,
    }: { samples: Float32Array; cachesEncoded: boolean; signal: AbortSignal },
  ): WindowModel => {
    /** A copy of the last encoded frames, for `attendTo`. */
    let cached: { at: number; encoded: Float32Array } | null = null
    return {
      model,
      decoder: member.decoder,
      async encode(fromSample, frames, onPart) {
        const piece = { fromSample, frames }
        if (slots.reuse(slot, piece) && (!cachesEncoded || cached)) return
        await member.setWindow(async () => {
          const at = await encode(samples, piece, (fraction) => {
            signal.throwIfAborted()
            onPart?.(fraction)
          })
          if (cachesEncoded) cached = { at, encoded: await compute.copyEncoded(at, frames) }
          return { encoded: at, frames }
        })
        slots.noteEncoded(slot, piece)
      },
      async attendTo(fromFrame, frames) {
        if (!cached) throw new Error('the encoded frames were not cached')
        const { at, encoded } = cached
        slots.forget(slot)
        await member.setWindow(async () => {
          compute.restoreEncoded(at, encoded)
          return { encoded: at + fromFrame * width * 4, frames }
        })
      },
    }
  }

  return {
    windows: Math.max(1, decoder.slots - 1),
    async transcribe({ samples, sameSamples = false, sideBySide = false, ...request }) {
      const slot = await slots.take(samples, sameSamples)
      const member = scheduler.join(slot.index, !sideBySide)
      try {
        const cachesEncoded = (request.parts ?? []).length > 0
        const { signal } = request
        const windowModel = windowModelAt(slot, member, { samples: slot.samples, cachesEncoded, signal })
        return await transcribeSamples(windowModel, { ...request, sampleCount: samples.length })
      } finally {
        member.leave()
        slots.release(slot)
      }
    },
    encodedFrames: async (samples, frames) =>
      compute.copyEncoded(await encode(samples, { fromSample: 0, frames }), frames),
    close() {
      compute.close()
      return kernels.close()
    },
  }
}

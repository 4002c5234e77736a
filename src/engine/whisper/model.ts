// Opens a Whisper model file: kernels, encoder, decoder and vocabulary.

import { ENCODER_SCRATCH_BYTES } from '../../../wasm/whisper/encoder-kernels.ts'
import { HOP_SAMPLES } from '../../../wasm/whisper/interface.ts'
import { type Kernels, openKernels } from '../../../wasm/whisper/kernels.ts'
import { TOKEN_SCRATCH_BYTES } from '../../../wasm/whisper/token-kernels.ts'
import type { WindowTranscript } from '../engine.ts'
import type { GgmlFile, RandomAccess } from '../ggml-file.ts'
import { createBatchScheduler } from './batch-scheduler.ts'
import { createDecoder } from './decoder.ts'
import { decodingModelOf, type WindowModel } from './decoding/decode-segment.ts'
import { alignmentHeads } from './decoding/timing.ts'
import { type SamplesRequest, transcribeSamples } from './decoding/transcribe.ts'
import { createEncoder } from './encoder.ts'
import { createLogMel, MEL_SCRATCH_BYTES } from './log-mel.ts'
import { slotsThatFit } from './memory.ts'
import { precisionOf } from './precision.ts'
import { testKernels } from './self-test.ts'
import { createSlots, type Slot } from './slots.ts'
import { createWeights, type Weights } from './weights.ts'

/** Sequences side by side, for best-of and beams. */
const SEQUENCES_PER_SLOT = 5

/** Eight windows side by side, if the memory suffices, and one more that takes precedence. */
const MOST_SLOTS = 9

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
  close(): Promise<void>
}

export type ModelOptions = {
  source: RandomAccess
  file: GgmlFile
  threads: number
  /** @default openKernels; tests observe the kernels by passing their own */
  open?: typeof openKernels
}

/**
 * Reads the source to the end; the caller may close it afterwards.
 * @throws InsufficientMemory before allocating memory, UnusableWeights, OutOfKernelMemory, KernelsBroken
 */
export const openModel = async (options: ModelOptions): Promise<WhisperModel> => {
  const { source, file, threads, open = openKernels } = options
  const slots = await slotsThatFit(file, { sequencesPerSlot: SEQUENCES_PER_SLOT, most: MOST_SLOTS })
  const scratchBytes = Math.max(ENCODER_SCRATCH_BYTES, TOKEN_SCRATCH_BYTES, MEL_SCRATCH_BYTES)
  const kernels = await open({ threads, scratchBytes })
  try {
    const weights = createWeights({ kernels, source, file })
    testKernels(kernels, precisionOf(weights).finest(''))
    return await modelOn(kernels, { weights, file, slots })
  } catch (error) {
    // Otherwise its threads would wait for work forever.
    await kernels.close()
    throw error
  }
}

const modelOn = async (
  kernels: Kernels,
  { weights, file, slots: slotCount }: { weights: Weights; file: GgmlFile; slots: number },
): Promise<WhisperModel> => {
  const { shape, filters } = file
  const width = shape.audioWidth
  const encoder = await createEncoder({ kernels, weights })
  const decoder = await createDecoder({
    kernels,
    weights,
    slots: slotCount,
    sequencesPerSlot: SEQUENCES_PER_SLOT,
    alignmentHeads: alignmentHeads(shape),
  })
  const logMel = createLogMel({ kernels, filters, bands: shape.melBands })
  const model = decodingModelOf(file)
  const scheduler = createBatchScheduler(decoder)
  const slots = createSlots(decoder)
  let inMel: Float32Array | null = null

  /** @returns byte of the encoded frames in the kernels' memory, valid until the next encoding */
  const encode = async (
    samples: Float32Array,
    { fromSample, frames }: { fromSample: number; frames: number },
    onPart?: (fraction: number) => void,
  ) => {
    if (inMel !== samples) logMel.compute(samples)
    inMel = samples
    return await encoder.encode(logMel.window(fromSample / HOP_SAMPLES), frames, onPart)
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
          const encoded = kernels.floats().subarray(at / 4, at / 4 + frames * width)
          if (cachesEncoded) cached = { at, encoded: encoded.slice() }
          return { encoded: at, frames }
        })
        slots.noteEncoded(slot, piece)
      },
      async attendTo(fromFrame, frames) {
        if (!cached) throw new Error('the encoded frames were not cached')
        const { at, encoded } = cached
        slots.forget(slot)
        await member.setWindow(async () => {
          kernels.floats().set(encoded, at / 4)
          return { encoded: at + fromFrame * width * 4, frames }
        })
      },
    }
  }

  return {
    windows: Math.max(1, slotCount - 1),
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
    close: kernels.close,
  }
}

// Resamples a mono stream from any rate to 16 kHz, block by block, with exact length and no delay.
// Uses Speex's filter (quality 7: −112 dB of aliasing, flat to 7 kHz).

import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import createSpeex from '@echogarden/speex-resampler-wasm/simd'
import { ownFile } from '../../lib/own-files.ts'

export const OUTPUT_RATE = 16_000

const QUALITY = 7
/** Input samples per call. */
const BLOCK = 4096
/** Rates of 4 kHz and more produce at most four samples per input sample; some extra for the filter's rounding. */
const MAX_OUTPUT = BLOCK * 4 + 64
/** Number of zeros per call that push the last samples out of the filter. */
const TAIL_BLOCK = 512
const FLOAT_BYTES = 4

export type Resampler = {
  push(samples: Float32Array): void
  /** emits the tail; push nothing afterwards */
  finish(): void
}

export type Speex = Awaited<ReturnType<typeof createSpeex>>

/** The package does not export its module, which is beside the script. */
const MODULE = join(
  dirname(ownFile('node_modules/@echogarden/speex-resampler-wasm/simd')),
  'speex-resampler-simd.wasm',
)

export const loadSpeex = async (): Promise<Speex> => createSpeex({ wasmBinary: await readFile(MODULE) })

/**
 * @param rate of the input in Hz
 * @param emit receives the output; the array is only valid during the call
 */
export function createResampler(
  speex: Speex,
  rate: number,
  emit: (samples: Float32Array) => void,
): Resampler {
  const lengths = speex._malloc(3 * FLOAT_BYTES)
  const [inLength, outLength, errorCode] = [lengths, lengths + 4, lengths + 8]
  const input = speex._malloc(BLOCK * FLOAT_BYTES)
  const output = speex._malloc(MAX_OUTPUT * FLOAT_BYTES)
  const state = speex._speex_resampler_init(1, rate, OUTPUT_RATE, QUALITY, errorCode)
  if (state === 0) throw new Error(`The resampler does not support ${rate} Hz.`)
  // Drops the filter's leading half, so that the first output sample aligns with the first input sample.
  speex._speex_resampler_skip_zeros(state)
  let samplesIn = 0
  let samplesOut = 0

  const wanted = () => Math.round((samplesIn * OUTPUT_RATE) / rate)

  function process(block: Float32Array): void {
    for (let done = 0; done < block.length; ) {
      speex.HEAPF32.set(block.subarray(done), input / FLOAT_BYTES)
      speex.HEAPU32[inLength / 4] = block.length - done
      speex.HEAPU32[outLength / 4] = MAX_OUTPUT
      speex._speex_resampler_process_float(state, 0, input, inLength, output, outLength)
      const consumed = speex.HEAPU32[inLength / 4]!
      const produced = speex.HEAPU32[outLength / 4]!
      if (consumed === 0 && produced === 0) throw new Error('The resampler makes no progress.')
      done += consumed
      const start = output / FLOAT_BYTES
      const samples = speex.HEAPF32.subarray(start, start + Math.min(produced, wanted() - samplesOut))
      samplesOut += samples.length
      emit(samples)
    }
  }

  return {
    push(samples) {
      for (let at = 0; at < samples.length; at += BLOCK) {
        const block = samples.subarray(at, at + BLOCK)
        samplesIn += block.length
        process(block)
      }
    },
    finish() {
      const zeros = new Float32Array(TAIL_BLOCK)
      while (samplesOut < wanted()) process(zeros)
      speex._speex_resampler_destroy(state)
      for (const pointer of [lengths, input, output]) speex._free(pointer)
    },
  }
}

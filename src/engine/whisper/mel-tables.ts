// Lookup tables of the log-mel kernel: the window, the FFT's twiddles, and the filters without their zeros.

import { MEL_FRAME_SAMPLES } from '../../../wasm/whisper/interface.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import { FFT_BINS } from '../whisper-tensors.ts'

export type MelTables = { window: number; twiddles: number; filters: number }

/**
 * @param filters [bands][201], each a run of weights among zeros
 * @returns the byte offset of each table in the kernels' memory
 */
export const writeMelTables = (kernels: Kernels, filters: Float32Array, bands: number): MelTables => ({
  window: writeWindow(kernels),
  twiddles: writeTwiddles(kernels),
  filters: writeFilters(kernels, filters, bands),
})

/** A periodic Hann window. */
function writeWindow(kernels: Kernels) {
  const at = kernels.allocate(4 * MEL_FRAME_SAMPLES)
  const window = kernels.floats().subarray(at / 4)
  for (let i = 0; i < MEL_FRAME_SAMPLES; i += 1) {
    window[i] = 0.5 * (1 - Math.cos((2 * Math.PI * i) / MEL_FRAME_SAMPLES))
  }
  return at
}

function writeTwiddles(kernels: Kernels) {
  const at = kernels.allocate(8 * MEL_FRAME_SAMPLES)
  const twiddles = kernels.floats().subarray(at / 4)
  for (let k = 0; k < MEL_FRAME_SAMPLES; k += 1) {
    twiddles[2 * k] = Math.cos((2 * Math.PI * k) / MEL_FRAME_SAMPLES)
    twiddles[2 * k + 1] = -Math.sin((2 * Math.PI * k) / MEL_FRAME_SAMPLES)
  }
  return at
}

function writeFilters(kernels: Kernels, filters: Float32Array, bands: number) {
  const table = kernels.allocate(12 * bands)
  const weights = kernels.allocate(4 * bands * FFT_BINS)
  kernels.floats().set(filters.subarray(0, bands * FFT_BINS), weights / 4)
  const words = new Int32Array(kernels.bytes().buffer, table, 3 * bands)
  for (let band = 0; band < bands; band += 1) {
    const filter = filters.subarray(band * FFT_BINS, (band + 1) * FFT_BINS)
    const isWeight = (weight: number) => weight !== 0
    const first = Math.max(0, filter.findIndex(isWeight))
    const count = filter.findLastIndex(isWeight) + 1 - first
    words.set([first, Math.max(0, count), weights + 4 * (band * FFT_BINS + first)], 3 * band)
  }
  return table
}

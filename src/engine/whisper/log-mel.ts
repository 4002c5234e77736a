// Log-mel of up to 30 s of samples, computed once; the encoder takes windows of it, from any frame on.

import {
  HOP_SAMPLES,
  KERNEL,
  MEL_FRAME_SAMPLES,
  MEL_FRAMES_IN_CHUNK,
  MEL_LANES,
  MEL_NUMBERS_IN_CHUNK,
} from '../../../wasm/whisper/interface.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import { FFT_BINS } from '../whisper-tensors.ts'

export type MelTables = { window: number; twiddles: number; filters: number }

/**
 * @param filters [bands][201], each a run of weights among zeros
 * @returns the byte offset of each table in the kernels' memory
 */
const writeMelTables = (kernels: Kernels, filters: Float32Array, bands: number): MelTables => ({
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

/** The most samples per call, and the frames that the encoder takes at once. */
const MAX_SAMPLES = 30 * 16_000
const WINDOW_FRAMES = MAX_SAMPLES / HOP_SAMPLES
/** Scratch memory of the kernel per thread: four frames, twice. */
export const MEL_SCRATCH_BYTES = 2 * MEL_LANES * 4 * MEL_FRAME_SAMPLES

export type LogMel = {
  /**
   * NaN counts as silence.
   * @returns how many frames the samples fill; as in whisper.cpp, within 100 ms of their length
   * @throws RangeError for more than MAX_SAMPLES
   */
  compute(samples: Float32Array): number
  /**
   * @param from a frame of the last `compute`, at most its number of frames
   * @returns byte of f32 [3000][bands] in the kernels' memory, silence after the end; valid until the next `compute`
   */
  window(from: number): number
}

/** The first frame is centred on the first sample. */
const REFLECTED = MEL_FRAME_SAMPLES / 2
const MAX_COMPUTED = fourfold(framesTouched(MAX_SAMPLES))
const SILENCE = -10
/** Values are clamped to 80 dB below the maximum. */
const RANGE = 8

export type LogMelOptions = {
  kernels: Kernels
  /** [bands][201], from the model file */
  filters: Float32Array
  /** a multiple of four */
  bands: number
}

export const createLogMel = ({ kernels, filters, bands }: LogMelOptions): LogMel => {
  const tables = writeMelTables(kernels, filters, bands)
  const padded = kernels.allocate(4 * (MAX_COMPUTED * HOP_SAMPLES + MEL_FRAME_SAMPLES))
  const maxima = kernels.allocate(4 * (MAX_COMPUTED / MEL_FRAMES_IN_CHUNK + 1))
  const mel = kernels.allocate(4 * bands * (MAX_COMPUTED + WINDOW_FRAMES))
  let filled = 0

  const pad = (samples: Float32Array, computed: number) => {
    const to = kernels.floats().subarray(padded / 4, padded / 4 + computed * HOP_SAMPLES + MEL_FRAME_SAMPLES)
    const reflected = Math.min(REFLECTED, Math.max(0, samples.length - 1))
    to.fill(0, 0, REFLECTED)
    for (let i = 1; i <= reflected; i += 1) to[REFLECTED - i] = samples[i]!
    to.set(samples, REFLECTED)
    to.fill(0, REFLECTED + samples.length)
  }

  return {
    compute(samples) {
      if (samples.length > MAX_SAMPLES) throw new RangeError(`${samples.length} samples are more than 30 s`)
      const computed = fourfold(framesTouched(samples.length))
      pad(samples, computed)
      const chunks = Math.ceil(computed / MEL_FRAMES_IN_CHUNK)
      kernels.run(KERNEL.logMel, chunks, {
        samples: padded,
        window: tables.window,
        twiddles: tables.twiddles,
        filters: tables.filters,
        to: mel,
        maxima,
        frames: computed,
        bands,
      })
      const floats = kernels.floats()
      const least = Math.max(...floats.subarray(maxima / 4, maxima / 4 + chunks)) - RANGE
      const count = computed * bands
      kernels.run(KERNEL.normalizeMel, Math.ceil(count / MEL_NUMBERS_IN_CHUNK), { at: mel, count, least })
      const rest = mel / 4 + count
      floats.fill((Math.max(SILENCE, least) + 4) / 4, rest, rest + WINDOW_FRAMES * bands)
      filled = framesOf(samples.length)
      return filled
    },
    window(from) {
      if (from < 0 || from > filled) throw new RangeError(`frame ${from} of ${filled}`)
      return mel + 4 * from * bands
    },
  }
}

/** The number of frames that overlap the samples. */
function framesTouched(samples: number) {
  return Math.floor((samples + REFLECTED) / HOP_SAMPLES) + 1
}

/** The number of frames that end within the samples, as in whisper.cpp. */
function framesOf(samples: number) {
  return 1 + Math.trunc((samples + REFLECTED - MEL_FRAME_SAMPLES) / HOP_SAMPLES)
}

function fourfold(frames: number) {
  return Math.ceil(frames / MEL_LANES) * MEL_LANES
}

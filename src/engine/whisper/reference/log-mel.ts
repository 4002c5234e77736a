// Log-mel in float64, by the plain Fourier sum. Treats NaN as silence, as the engine does; pads like whisper.cpp.

import { type Matrix, matrix } from './arithmetic.ts'

const FRAME = 400
const HOP = 160
const BINS = 201
/** The silence that follows, as long as a window. */
const SILENT_FRAMES = 3000

/** The angles k · n/400, by the remainder of k · n. */
const COSINES = Float64Array.from({ length: FRAME }, (_, i) => Math.cos((2 * Math.PI * i) / FRAME))
const SINES = Float64Array.from({ length: FRAME }, (_, i) => Math.sin((2 * Math.PI * i) / FRAME))

const powerOf = (frame: Float64Array, frequency: number) => {
  let re = 0
  let im = 0
  for (let n = 0, turn = 0; n < FRAME; n += 1, turn = (turn + frequency) % FRAME) {
    re += frame[n]! * COSINES[turn]!
    im += frame[n]! * SINES[turn]!
  }
  return re ** 2 + im ** 2
}

const sampleAt = (samples: Float32Array, at: number) => {
  const sample = samples[Math.abs(at)] ?? 0
  return Number.isFinite(sample) ? sample : 0
}

/** Frame 0 is centred on the first sample; the samples before it mirror those after it. */
const frameAt = (samples: Float32Array, index: number) =>
  Float64Array.from({ length: FRAME }, (_, n) => {
    const weight = 0.5 * (1 - COSINES[n]!)
    return weight * sampleAt(samples, index * HOP - FRAME / 2 + n)
  })

const bandsOf = (power: Float64Array, filters: Float32Array, bands: number) =>
  Float64Array.from({ length: bands }, (_, band) => {
    let total = 0
    for (let k = 0; k < BINS; k += 1) total += power[k]! * filters[band * BINS + k]!
    return Math.log10(Math.max(total, 1e-10))
  })

/**
 * @param filters [bands][201]
 * @returns a row of bands per frame: those of the samples, and 30 s of silence
 */
export const referenceLogMel = (samples: Float32Array, filters: Float32Array, bands: number): Matrix => {
  const frames = Math.floor(samples.length / HOP) + SILENT_FRAMES
  const mel = matrix(frames, bands, new Float64Array(frames * bands).fill(-10))
  const withSound = Math.floor((samples.length + FRAME / 2) / HOP) + 1
  for (let index = 0; index < Math.min(withSound, frames); index += 1) {
    const frame = frameAt(samples, index)
    const power = Float64Array.from({ length: BINS }, (_, k) => powerOf(frame, k))
    mel.numbers.set(bandsOf(power, filters, bands), index * bands)
  }
  const loudest = mel.numbers.reduce((most, value) => Math.max(most, value), -Infinity)
  return matrix(
    frames,
    bands,
    mel.numbers.map((value) => (Math.max(value, loudest - 8) + 4) / 4),
  )
}

// Silero's encoder: a spectrum and four convolutions for each frame independently, many frames at once.

import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import { createLayer, type Layer, upToEight } from './layer.ts'
import { type ConvolutionWeights, FREQUENCIES, HOP, type SileroWeights, WIDTH, WINDOW } from './weights.ts'

/** The samples of a frame, after the end of the previous one. */
export const FRAME_INPUT = 576
/** Samples at the end that are mirrored, so that the last window is complete. */
const MIRRORED = 64
const MOMENTS = (FRAME_INPUT + MIRRORED - WINDOW) / HOP + 1
/** Width of a convolution: one moment and its neighbours. */
const TAPS = 3

export type SileroEncoder = {
  /** @param frames f32 [count][FRAME_INPUT] @returns f32 [count][WIDTH], which the next call overwrites */
  encode(frames: Float32Array, count: number): Float32Array
}

export const createSileroEncoder = (
  kernels: Kernels,
  { basis, convolutions }: Pick<SileroWeights, 'basis' | 'convolutions'>,
  maxFrames: number,
): SileroEncoder => {
  const spectrum = createLayer(kernels, {
    inputs: WINDOW,
    outputs: 2 * FREQUENCIES,
    maxRows: maxFrames * MOMENTS,
    weight: (output, input) => basis[output * WINDOW + input]!,
  })
  const layers = convolutions.map((weights) => createConvolution(kernels, weights, maxFrames))
  const padded = new Float32Array(FRAME_INPUT + MIRRORED)

  return {
    encode(frames, count) {
      const rows = spectrum.rows()
      for (let frame = 0; frame < count; frame += 1) {
        padded.set(frames.subarray(frame * FRAME_INPUT, (frame + 1) * FRAME_INPUT))
        for (let i = 0; i < MIRRORED; i += 1) padded[FRAME_INPUT + i] = padded[FRAME_INPUT - 2 - i]!
        for (let moment = 0; moment < MOMENTS; moment += 1) {
          const window = padded.subarray(moment * HOP, moment * HOP + WINDOW)
          rows.set(window, (frame * MOMENTS + moment) * WINDOW)
        }
      }
      const spectra = spectrum.multiply(count * MOMENTS)
      let features: Moments = {
        values: magnitudes(spectra, spectrum.outputs, count * MOMENTS),
        moments: MOMENTS,
      }
      for (const layer of layers) features = layer(features, count)
      return features.values.subarray(0, count * WIDTH)
    },
  }
}

/** f32 [frames][moments][channels, rounded up to a multiple of 8] */
type Moments = { values: Float32Array; moments: number }

function magnitudes(spectra: Float32Array, stride: number, rows: number): Float32Array {
  const channels = upToEight(FREQUENCIES)
  const values = new Float32Array(rows * channels)
  for (let row = 0; row < rows; row += 1) {
    for (let i = 0; i < FREQUENCIES; i += 1) {
      const real = spectra[row * stride + i]!
      const imaginary = spectra[row * stride + FREQUENCIES + i]!
      values[row * channels + i] = Math.sqrt(real * real + imaginary * imaginary)
    }
  }
  return values
}

type Convolution = (input: Moments, frames: number) => Moments

const createConvolution = (
  kernels: Kernels,
  { inputs, outputs, stride, weight, bias }: ConvolutionWeights,
  maxFrames: number,
): Convolution => {
  const channels = upToEight(inputs)
  const layer = createLayer(kernels, {
    inputs: TAPS * channels,
    outputs,
    bias,
    maxRows: maxFrames * MOMENTS,
    weight: (output, input) => {
      const [tap, channel] = [Math.floor(input / channels), input % channels]
      return channel < inputs ? weight[(output * inputs + channel) * TAPS + tap]! : 0
    },
  })
  return ({ values, moments }, frames) => {
    const left = Math.ceil(moments / stride)
    gather(layer, { values, moments, channels, stride, left }, frames)
    const results = layer.multiply(frames * left)
    for (let i = 0; i < results.length; i += 1) if (results[i]! < 0) results[i] = 0
    return { values: results, moments: left }
  }
}

type Gathered = Moments & { channels: number; stride: number; left: number }

/** For each output moment: it and its neighbours, side by side; zeros beyond the edges. */
function gather(layer: Layer, { values, moments, channels, stride, left }: Gathered, frames: number): void {
  const rows = layer.rows()
  for (let frame = 0; frame < frames; frame += 1) {
    for (let moment = 0; moment < left; moment += 1) {
      const to = (frame * left + moment) * layer.inputs
      for (let tap = 0; tap < TAPS; tap += 1) {
        const at = moment * stride + tap - 1
        const isSilence = at < 0 || at >= moments
        const first = (frame * moments + at) * channels
        if (isSilence) rows.fill(0, to + tap * channels, to + (tap + 1) * channels)
        else rows.set(values.subarray(first, first + channels), to + tap * channels)
      }
    }
  }
}

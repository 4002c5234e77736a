// Removes frequencies below any voice: breath pops, a bumped table, wind, DC drift. Used for level measurement only;
// neither the detector nor the recogniser receives the result.

import { PCM_SAMPLE_RATE } from './pcm.ts'
import { SPEECH_FRAME_SAMPLES } from './speech-frame.ts'

/** A deep voice speaks at 80 Hz and up, and most of its power is in the overtones. */
const CUTOFF_HZ = 100

/** A second-order Butterworth high-pass filter, by the bilinear transform. */
const COEFFICIENTS = (() => {
  const warped = Math.tan((Math.PI * CUTOFF_HZ) / PCM_SAMPLE_RATE)
  const gain = 1 / (1 + Math.SQRT2 * warped + warped * warped)
  const first = 2 * (warped * warped - 1) * gain
  return { gain, first, second: (1 - Math.SQRT2 * warped + warped * warped) * gain }
})()

/** Filters samples (16 kHz) twice: 6 dB less at 100 Hz, 24 dB less with every octave below. */
export const highPassFiltered = (samples: Float32Array): Float32Array => highPass(highPass(samples))

function highPass(samples: Float32Array): Float32Array {
  const { gain, first, second } = COEFFICIENTS
  const passed = new Float32Array(samples.length)
  const origin = samples[0] ?? 0
  let [x1, x2, y1, y2] = [origin, origin, 0, 0]
  const step = (x: number): number => {
    const y = gain * (x - 2 * x1 + x2) - first * y1 - second * y2
    ;[x2, x1, y2, y1] = [x1, x, y1, y]
    return y
  }
  // A filter that starts in the middle of a swing rings, so it first runs over a lead-in mirrored from what follows.
  const lead = Math.min(SPEECH_FRAME_SAMPLES, samples.length - 1)
  for (let i = lead; i > 0; i--) step(2 * origin - samples[i]!)
  for (let i = 0; i < samples.length; i++) passed[i] = step(samples[i]!)
  return passed
}

// Takes out of sound what lies below every voice: pops of breath, a bumped table, wind, a wandering zero.
// For measuring only; neither the detector nor the recogniser hears the result.

import { PCM_SAMPLE_RATE } from './pcm.ts'
import { SPEECH_FRAME_SAMPLES } from './speech-frame.ts'

/** A deep voice speaks at 80 Hz and up, and most of its power is in the overtones. */
const CUTOFF_HZ = 100

/** A Butterworth high-pass of second order, by the bilinear transform. */
const COEFFICIENTS = (() => {
  const warped = Math.tan((Math.PI * CUTOFF_HZ) / PCM_SAMPLE_RATE)
  const gain = 1 / (1 + Math.SQRT2 * warped + warped * warped)
  const first = 2 * (warped * warped - 1) * gain
  return { gain, first, second: (1 - Math.SQRT2 * warped + warped * warped) * gain }
})()

/** The samples (16 kHz) without what is below 100 Hz: 6 dB less at 100 Hz, 24 dB less with every octave below. */
export const withoutRumble = (samples: Float32Array): Float32Array => highPass(highPass(samples))

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
  // Begun in the middle of a swing, the filter would ring: it is given one that leads up to it, mirrored from what follows.
  const lead = Math.min(SPEECH_FRAME_SAMPLES, samples.length - 1)
  for (let i = lead; i > 0; i--) step(2 * origin - samples[i]!)
  for (let i = 0; i < samples.length; i++) passed[i] = step(samples[i]!)
  return passed
}

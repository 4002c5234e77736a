// Measures the loudness of audio and computes the gain for speech detection. Only the detector gets the scaled audio;
// the recogniser gets the original.

import { PCM_SAMPLE_RATE, readPcm } from './pcm.ts'
import type { RangeOfFile } from './speech-messages.ts'

/** Silero processes 32 ms at a time. */
export const SPEECH_FRAME_SAMPLES = 512

/** One gain applies to this many samples: 160 frames, 5.12 s. */
export const LEVEL_BLOCK_SAMPLES = 160 * SPEECH_FRAME_SAMPLES

/** The range of one request to the detector's process: 30.72 s, which take it less than a tenth of a second. */
export const REQUEST_SAMPLES = 6 * LEVEL_BLOCK_SAMPLES

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
const highPassFiltered = (samples: Float32Array): Float32Array => highPass(highPass(samples))

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

/** Silero detects no speech at −52 dBFS and all of it around −20 (measured), so speech is scaled to −20. */
const TARGET_RMS = 10 ** (-20 / 20)
/** Below −75 dBFS there is only the converter's own noise, which must not be amplified. */
const SILENCE_RMS = 10 ** (-75 / 20)
/** A quarter of a second: the shortest word that must be detected. */
const LOUD_FRAMES = 8
/** A click or a key stroke lasts a frame or two and says nothing about the level of the voice. */
const CLICK_FRAMES = 2

/**
 * The RMS of the loudest quarter second of a block, without single clicks and without frequencies below a voice. Breath
 * on a microphone was 28 dB louder than the voice (measured), and Silero missed the voice when the gain followed it.
 */
export function blockLevel(block: Float32Array): number {
  const audible = highPassFiltered(block)
  const powers: number[] = []
  for (let start = 0; start < audible.length; start += SPEECH_FRAME_SAMPLES) {
    const frame = audible.subarray(start, start + SPEECH_FRAME_SAMPLES)
    let sum = 0
    for (const sample of frame) sum += sample * sample
    powers.push(sum / frame.length)
  }
  const loudestFirst = powers.sort((a, b) => b - a)
  const clicks = Math.min(CLICK_FRAMES, Math.max(0, loudestFirst.length - LOUD_FRAMES))
  const loud = loudestFirst.slice(clicks, clicks + LOUD_FRAMES)
  if (loud.length === 0) return 0
  return Math.sqrt(loud.reduce((sum, power) => sum + power, 0) / loud.length)
}

/**
 * The gain for a block, from its own level and those of its neighbours, so that a pause between two sentences is not
 * raised to the loudness of a voice.
 */
export function detectorGain(levels: number[]): number {
  const level = Math.max(0, ...levels)
  return level < SILENCE_RMS ? 1 : TARGET_RMS / level
}

/** Reads the range with one block on each side, so that a block's gain does not depend on where ranges begin. */
export async function readScaled({
  path,
  samples,
  fromSample,
  toSample,
}: RangeOfFile): Promise<Float32Array> {
  const readFrom = Math.max(0, fromSample - LEVEL_BLOCK_SAMPLES)
  const readTo = Math.min(samples, toSample + LEVEL_BLOCK_SAMPLES)
  const audio = await readPcm({ path, samples }, readFrom, readTo)
  return scaled(audio, fromSample - readFrom, toSample - readFrom)
}

/** @returns that part of the audio, scaled in place; it must begin at a block boundary */
export function scaled(audio: Float32Array, from: number, to: number): Float32Array {
  const levels: number[] = []
  for (let start = 0; start < audio.length; start += LEVEL_BLOCK_SAMPLES) {
    levels.push(blockLevel(audio.subarray(start, start + LEVEL_BLOCK_SAMPLES)))
  }
  const range = audio.subarray(from, to)
  const firstBlock = from / LEVEL_BLOCK_SAMPLES
  for (let start = 0; start < range.length; start += LEVEL_BLOCK_SAMPLES) {
    const block = firstBlock + start / LEVEL_BLOCK_SAMPLES
    const gain = detectorGain(levels.slice(Math.max(0, block - 1), block + 2))
    const end = Math.min(range.length, start + LEVEL_BLOCK_SAMPLES)
    for (let i = start; i < end; i++) range[i] = range[i]! * gain
  }
  return range
}

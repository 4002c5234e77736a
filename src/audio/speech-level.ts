// Measures the loudness of audio and computes the gain for speech detection. Only the detector gets the scaled audio;
// the recogniser gets the original.

import { highPassFiltered } from './high-pass.ts'
import { SPEECH_FRAME_SAMPLES } from './speech-frame.ts'

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

// How loud a range of a recording is, and what it must be multiplied by before speech detection.
// Only the detector hears the scaled audio; the recogniser gets the recording as it is.

import { withoutRumble } from './rumble.ts'
import { SPEECH_FRAME_SAMPLES } from './speech-frame.ts'

/** Silero finds nothing at −52 dBFS and everything around −20 (measured), so speech is brought there. */
const TARGET_RMS = 10 ** (-20 / 20)
/** Below −75 dBFS there is nothing but the converter's own noise, which must stay nothing. */
const SILENCE_RMS = 10 ** (-75 / 20)
/** A quarter of a second: the shortest word that must be heard. */
const LOUD_FRAMES = 8
/** A click or a key stroke lasts a frame or two and says nothing about the voice. */
const CLICK_FRAMES = 2

/**
 * The RMS of the loudest quarter second of a block, single clicks and what is deeper than a voice left out: breath in a
 * microphone was 28 dB louder than who spoke (measured), and Silero no longer heard the voice that was turned down for it.
 */
export function blockLevel(block: Float32Array): number {
  const audible = withoutRumble(block)
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
 * The factor for a block, from its own level and those of the blocks beside it: a pause between two
 * sentences is not lifted to the loudness of a voice.
 */
export function detectorGain(levels: number[]): number {
  const level = Math.max(0, ...levels)
  return level < SILENCE_RMS ? 1 : TARGET_RMS / level
}

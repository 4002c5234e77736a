// Turns times inside a window into times of the recording, and reads a window's audio.
// Not where windows begin and end; that is windows.ts.

import { SAMPLE_RATE, type Segment } from '../engine/engine.ts'
import { type Stretch, windowLength } from './windows.ts'

const SAMPLES_PER_MS = SAMPLE_RATE / 1000

/** Samples of a recording or of a stream, `toSample` excluded. */
export type ReadSamples = (fromSample: number, toSample: number) => Promise<Float32Array>

/** The window's stretches one behind the other: what the engine hears. */
export async function readWindow(read: ReadSamples, stretches: Stretch[]): Promise<Float32Array> {
  const audio = new Float32Array(windowLength(stretches))
  let at = 0
  for (const { fromSample, toSample } of stretches) {
    audio.set(await read(fromSample, toSample), at)
    at += toSample - fromSample
  }
  return audio
}

/** Where a sample of the recording, that lies in one of the stretches, is in the window. */
export function onWindowClock(stretches: Stretch[], sample: number): number {
  const at = stretches.findIndex(({ fromSample, toSample }) => sample >= fromSample && sample <= toSample)
  return windowLength(stretches.slice(0, at)) + sample - stretches[at]!.fromSample
}

/**
 * When a time in the window was in the recording.
 *
 * @param edge where two stretches meet, a time is the end of the first or the start of the second
 */
export function recordingMs(stretches: Stretch[], windowMs: number, edge: 'start' | 'end'): number {
  let remaining = Math.max(0, windowMs) * SAMPLES_PER_MS
  for (const { fromSample, toSample } of stretches) {
    const length = toSample - fromSample
    if (remaining < length || (edge === 'end' && remaining === length)) {
      return Math.round((fromSample + remaining) / SAMPLES_PER_MS)
    }
    remaining -= length
  }
  return Math.round(stretches.at(-1)!.toSample / SAMPLES_PER_MS)
}

/** The segment on the recording's clock. */
export function onRecordingClock(stretches: Stretch[], segment: Segment): Segment {
  const place = <T extends { startMs: number; endMs: number }>(timed: T): T => {
    const startMs = recordingMs(stretches, timed.startMs, 'start')
    return { ...timed, startMs, endMs: Math.max(startMs, recordingMs(stretches, timed.endMs, 'end')) }
  }
  return { ...place(segment), words: segment.words.map(place) }
}

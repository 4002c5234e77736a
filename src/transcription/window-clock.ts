// Turns times inside a window into times of the recording, and reads a window's audio.
// Not where windows begin and end; that is windows.ts.

import { SAMPLE_RATE, type Segment } from '../engine/engine.ts'
import { type SampleRange, windowLength } from './windows.ts'

const SAMPLES_PER_MS = SAMPLE_RATE / 1000

/** Samples of a recording or of a stream, `toSample` excluded. */
export type ReadSamples = (fromSample: number, toSample: number) => Promise<Float32Array>

/** The window's ranges one behind the other: what the engine hears. */
export async function readWindow(read: ReadSamples, ranges: SampleRange[]): Promise<Float32Array> {
  const audio = new Float32Array(windowLength(ranges))
  let at = 0
  for (const { fromSample, toSample } of ranges) {
    audio.set(await read(fromSample, toSample), at)
    at += toSample - fromSample
  }
  return audio
}

/** Where a sample of the recording, that lies in one of the ranges, is in the window. */
export function onWindowClock(ranges: SampleRange[], sample: number): number {
  const at = ranges.findIndex(({ fromSample, toSample }) => sample >= fromSample && sample <= toSample)
  return windowLength(ranges.slice(0, at)) + sample - ranges[at]!.fromSample
}

/**
 * When a time in the window was in the recording.
 *
 * @param edge where two ranges meet, a time is the end of the first or the start of the second
 */
export function recordingMs(ranges: SampleRange[], windowMs: number, edge: 'start' | 'end'): number {
  let remaining = Math.max(0, windowMs) * SAMPLES_PER_MS
  for (const { fromSample, toSample } of ranges) {
    const length = toSample - fromSample
    if (remaining < length || (edge === 'end' && remaining === length)) {
      return Math.round((fromSample + remaining) / SAMPLES_PER_MS)
    }
    remaining -= length
  }
  return Math.round(ranges.at(-1)!.toSample / SAMPLES_PER_MS)
}

/** The segment on the recording's clock. */
export function onRecordingClock(ranges: SampleRange[], segment: Segment): Segment {
  const place = <T extends { startMs: number; endMs: number }>(timed: T): T => {
    const startMs = recordingMs(ranges, timed.startMs, 'start')
    return { ...timed, startMs, endMs: Math.max(startMs, recordingMs(ranges, timed.endMs, 'end')) }
  }
  return { ...place(segment), words: segment.words.map(place) }
}

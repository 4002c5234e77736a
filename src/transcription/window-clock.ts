// Converts times of a window to times of the recording, and reads a window's audio.

import { SAMPLE_RATE, type Segment } from '../engine/engine.ts'
import { type SampleRange, windowLength } from './windows.ts'

const SAMPLES_PER_MS = SAMPLE_RATE / 1000

/** Samples of a recording or of a stream, `toSample` excluded. */
export type ReadSamples = (fromSample: number, toSample: number) => Promise<Float32Array>

/** The concatenated audio of the window's ranges: the engine's input. */
export async function readWindow(read: ReadSamples, ranges: SampleRange[]): Promise<Float32Array> {
  const audio = new Float32Array(windowLength(ranges))
  let at = 0
  for (const { fromSample, toSample } of ranges) {
    audio.set(await read(fromSample, toSample), at)
    at += toSample - fromSample
  }
  return audio
}

/** Position in the window of a sample of the recording; the sample must be in one of the ranges. */
export function onWindowClock(ranges: SampleRange[], sample: number): number {
  const at = ranges.findIndex(({ fromSample, toSample }) => sample >= fromSample && sample <= toSample)
  return windowLength(ranges.slice(0, at)) + sample - ranges[at]!.fromSample
}

/**
 * The recording's time of a time in the window.
 *
 * @param edge whether a time between two ranges is the end of the first or the start of the second
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

export function onRecordingClock(ranges: SampleRange[], segment: Segment): Segment {
  const place = <T extends { startMs: number; endMs: number }>(timed: T): T => {
    const startMs = recordingMs(ranges, timed.startMs, 'start')
    return { ...timed, startMs, endMs: Math.max(startMs, recordingMs(ranges, timed.endMs, 'end')) }
  }
  return { ...place(segment), words: segment.words.map(place) }
}

// Turns times inside a window into times of the recording, and reads a window's audio.
// Not where windows begin and end; that is windows.ts.

import type { PcmFile } from '../audio/audio-file.ts'
import { readPcm } from '../audio/pcm.ts'
import { SAMPLE_RATE } from '../engine/engine.ts'
import { type Stretch, windowLength } from './windows.ts'

const SAMPLES_PER_MS = SAMPLE_RATE / 1000

/** The window's stretches one behind the other: what the engine hears. */
export async function readWindow(
  pcm: Pick<PcmFile, 'path' | 'samples'>,
  stretches: Stretch[],
): Promise<Float32Array> {
  const audio = new Float32Array(windowLength(stretches))
  let at = 0
  for (const { fromSample, toSample } of stretches) {
    audio.set(await readPcm(pcm, fromSample, toSample), at)
    at += toSample - fromSample
  }
  return audio
}

/** Which stretch a time in the window falls into, and when that was in the recording. */
export type Moment = { stretch: number; ms: number }

/**
 * @param edge where two stretches meet, a time is the end of the first or the start of the second
 */
export function recordingMoment(stretches: Stretch[], windowMs: number, edge: 'start' | 'end'): Moment {
  let remaining = Math.max(0, windowMs) * SAMPLES_PER_MS
  for (const [index, { fromSample, toSample }] of stretches.entries()) {
    const length = toSample - fromSample
    if (remaining < length || (edge === 'end' && remaining === length)) {
      return { stretch: index, ms: Math.round((fromSample + remaining) / SAMPLES_PER_MS) }
    }
    remaining -= length
  }
  const last = stretches.length - 1
  return { stretch: last, ms: Math.round(stretches[last]!.toSample / SAMPLES_PER_MS) }
}

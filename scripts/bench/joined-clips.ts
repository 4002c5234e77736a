// Six minutes of human and synthetic voices: all short recordings of test/speech three times, each time in another
// order.

import { join } from 'node:path'
import { writeFloatWav } from '../../src/audio/decoded-wav.ts'
import { SAMPLE_RATE } from '../../src/engine/engine.ts'
import { joinedSamples } from '../../test/support/flac.ts'
import { recording } from '../../test/support/speech.ts'
import type { LongRecording } from './beside-batched.ts'
import { SHORT_CLIPS } from './short-captures.ts'

/** Coprime to the number of clips, so that each order contains all of them. */
const STRIDES = [1, 7, 11]
const PAUSE_SECONDS = 0.5

/** @param folder where the file is created */
export async function joinClips(folder: string): Promise<LongRecording> {
  const clips = STRIDES.flatMap((stride) =>
    SHORT_CLIPS.map((_, at) => SHORT_CLIPS[(at * stride) % SHORT_CLIPS.length]!),
  )
  const samples = await joinedSamples(clips.flatMap((clip) => [clip, PAUSE_SECONDS]))
  const path = join(folder, 'joined.wav')
  await writeFloatWav(path, samples)
  const minutes = Math.round(samples.length / SAMPLE_RATE / 60)
  return { what: `${minutes} minutes`, path, said: clips.map((clip) => recording(clip).text).join(' ') }
}

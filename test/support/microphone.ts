// The input of a browser's fake microphone: recordings of test/speech with silence around them, as a WAV file.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { joinedSamples } from './flac.ts'
import { wavOf } from './wav.ts'

export type MicrophoneClip = { file: string; [Symbol.asyncDispose](): Promise<void> }

/** @param parts as in joinedSamples */
export async function microphoneClip(parts: readonly (string | number)[]): Promise<MicrophoneClip> {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-microphone-'))
  const file = join(folder, 'clip.wav')
  await Bun.write(file, wavOf(await joinedSamples(parts)))
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

// What a browser's microphone hears in a test: recordings of test/speech with silence around them, as a WAV file.
// It is given to the browser by browser.ts.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { joinedSamples } from './flac.ts'
import { wavOf } from './wav.ts'

export type MicrophoneClip = { file: string; [Symbol.asyncDispose](): Promise<void> }

/** @param parts as joinedSamples has them */
export async function microphoneClip(parts: readonly (string | number)[]): Promise<MicrophoneClip> {
  const folder = await mkdtemp(join(tmpdir(), 'dictation-microphone-'))
  const file = join(folder, 'clip.wav')
  await Bun.write(file, wavOf(await joinedSamples(parts)))
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

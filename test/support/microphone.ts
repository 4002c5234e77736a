// What a browser's microphone hears in a test: recordings of test/speech with silence around them, as a WAV file.
// It is given to the browser by browser.ts.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { samplesOf } from './flac.ts'
import { wavOf } from './wav.ts'

export type MicrophoneClip = { file: string; [Symbol.asyncDispose](): Promise<void> }

const RATE = 16_000

/** @param parts names of recordings, and seconds of silence */
export async function microphoneClip(parts: readonly (string | number)[]): Promise<MicrophoneClip> {
  const samples = await Promise.all(
    parts.map((part) => (typeof part === 'string' ? samplesOf(part) : new Float32Array(part * RATE))),
  )
  const all = new Float32Array(samples.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of samples) {
    all.set(part, at)
    at += part.length
  }
  const folder = await mkdtemp(join(tmpdir(), 'dictation-microphone-'))
  const file = join(folder, 'clip.wav')
  await Bun.write(file, wavOf(all))
  return { file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

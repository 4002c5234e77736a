// The recordings of test/speech as samples, straight from the FLAC decoder, for tests below the audio layer.

import { FLACDecoder } from '@wasm-audio-decoders/flac'
import { recordingFile } from './speech.ts'

const RATE = 16_000

/** Mono at the rate of the file, which is 16 kHz for all FLAC files of test/speech except those in formats/. */
export const samplesOf = async (file: string): Promise<Float32Array> => {
  const decoder = new FLACDecoder()
  await decoder.ready
  const decoded = await decoder.decodeFile(await recordingFile(file).bytes())
  decoder.free()
  if (decoded.sampleRate !== RATE) throw new Error(`${file} is not at 16 kHz`)
  return decoded.channelData[0]!
}

/** Joined. @param parts names of recordings, and seconds of silence */
export async function joinedSamples(parts: readonly (string | number)[]): Promise<Float32Array> {
  const samples = await Promise.all(
    parts.map((part) => (typeof part === 'string' ? samplesOf(part) : new Float32Array(part * RATE))),
  )
  const all = new Float32Array(samples.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of samples) {
    all.set(part, at)
    at += part.length
  }
  return all
}

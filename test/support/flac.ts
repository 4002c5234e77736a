// Recordings of test/speech as samples, straight from the FLAC decoder.
// For tests below the audio part; everything else decodes as the server does.

import { FLACDecoder } from '@wasm-audio-decoders/flac'
import { recordingFile } from './speech.ts'

/** Mono as it is in the file, which is 16 kHz for all FLAC files of test/speech but those in formats/. */
export const samplesOf = async (file: string): Promise<Float32Array> => {
  const decoder = new FLACDecoder()
  await decoder.ready
  const decoded = await decoder.decodeFile(await recordingFile(file).bytes())
  decoder.free()
  if (decoded.sampleRate !== 16_000) throw new Error(`${file} is not at 16 kHz`)
  return decoded.channelData[0]!
}

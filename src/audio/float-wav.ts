// Writes samples unchanged into a WAV file of 32-bit floats, for callers that pass samples as a recording.

import { writeFile } from 'node:fs/promises'
import type { AudioKind } from './audio-file.ts'
import { PCM_SAMPLE_RATE } from './pcm.ts'
import { wavHeaderOf } from './wav-header.ts'

export const FLOAT_WAV: AudioKind = { format: 'wav', mediaType: 'audio/wav', extension: 'wav' }

/** @param samples 16 kHz mono */
export const writeFloatWav = (path: string, samples: Float32Array): Promise<void> => {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  return writeFile(path, [
    wavHeaderOf({ sample: 'f32', rate: PCM_SAMPLE_RATE, dataBytes: bytes.length }),
    bytes,
  ])
}

// Writes samples as they are into a WAV file of 32-bit floats, for whoever takes recordings as files.
// Reading is decoding/wav.ts.

import { writeFile } from 'node:fs/promises'
import type { AudioKind } from './audio-file.ts'
import { PCM_SAMPLE_RATE } from './pcm.ts'

export const FLOAT_WAV: AudioKind = { format: 'wav', mediaType: 'audio/wav', extension: 'wav' }

const HEADER_BYTES = 44
const FORMAT_FLOAT = 3
const SAMPLE_BYTES = 4

/** @param samples 16 kHz mono */
export const writeFloatWav = (path: string, samples: Float32Array): Promise<void> =>
  writeFile(path, [
    headerFor(samples.length),
    new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength),
  ])

function headerFor(samples: number): Uint8Array {
  const dataBytes = samples * SAMPLE_BYTES
  const header = new Uint8Array(HEADER_BYTES)
  header.set(new TextEncoder().encode('RIFF....WAVEfmt ....'))
  const view = new DataView(header.buffer)
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true)
  view.setUint32(16, 16, true)
  view.setUint16(20, FORMAT_FLOAT, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, PCM_SAMPLE_RATE, true)
  view.setUint32(28, PCM_SAMPLE_RATE * SAMPLE_BYTES, true)
  view.setUint16(32, SAMPLE_BYTES, true)
  view.setUint16(34, SAMPLE_BYTES * 8, true)
  header.set(new TextEncoder().encode('data'), 36)
  view.setUint32(40, dataBytes, true)
  return header
}

// Reads decoded recordings (PcmFile) by spans of samples.
// Writing them is the decoder's business (decoding/pcm-sink.ts), making WAV files of them decoded-wav.ts's.

import { closeSync, openSync, readSync } from 'node:fs'
import type { PcmFile } from './audio-file.ts'

export const PCM_SAMPLE_RATE = 16_000

/** Of what a decoder writes: 32-bit floats. */
export const PCM_BYTES_PER_SAMPLE = 4

/**
 * Reads samples `fromSample` (included) to `toSample` (excluded). What lies outside the file is left out,
 * so the answer may be shorter than asked, down to nothing. Read at once: the decoder has just written it, and copying
 * the two megabytes of a window takes less than handing them to another thread.
 */
export async function readPcm(
  file: Pick<PcmFile, 'path' | 'samples'>,
  fromSample: number,
  toSample: number,
): Promise<Float32Array> {
  const opened = openSync(file.path, 'r')
  try {
    return readSpan(opened, Math.max(0, fromSample), Math.min(file.samples, toSample))
  } finally {
    closeSync(opened)
  }
}

function readSpan(file: number, from: number, to: number): Float32Array {
  const bytes = new Uint8Array(Math.max(0, to - from) * PCM_BYTES_PER_SAMPLE)
  let read = 0
  while (read < bytes.length) {
    const at = from * PCM_BYTES_PER_SAMPLE + read
    const bytesRead = readSync(file, bytes, read, bytes.length - read, at)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return new Float32Array(bytes.buffer, 0, Math.floor(read / PCM_BYTES_PER_SAMPLE))
}

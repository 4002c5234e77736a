// Reads ranges of samples from decoded recordings (PcmFile).

import { closeSync, openSync, readSync } from 'node:fs'
import type { PcmFile } from './audio-file.ts'

export const PCM_SAMPLE_RATE = 16_000

/** The decoder writes 32-bit floats. */
export const PCM_BYTES_PER_SAMPLE = 4

/**
 * Reads samples `fromSample` (included) to `toSample` (excluded), clipped to the file, so the result may be shorter or
 * empty. Reads synchronously: the data is in the page cache, because the decoder has just written it, and copying the
 * two megabytes of a window is faster than a hand-over to another thread.
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

/** @returns a function that returns the complete samples so far and holds the rest for the next call */
export function createWholeSamples(sampleBytes: number): (bytes: Uint8Array) => Uint8Array {
  let left: Uint8Array = new Uint8Array()
  return (bytes) => {
    const all = left.length === 0 ? bytes : Buffer.concat([left, bytes])
    const end = all.length - (all.length % sampleBytes)
    left = all.slice(end)
    return all.subarray(0, end)
  }
}

// Reads decoded recordings (PcmFile): a span of samples, or all of it as a WAV file.
// Writing them is the decoder's business (decoding/pcm-sink.ts).

import { closeSync, openSync, readSync } from 'node:fs'
import type { PcmFile } from './audio-file.ts'
import { WAV_HEADER_BYTES, wavHeaderOf } from './wav-header.ts'

export const PCM_SAMPLE_RATE = 16_000

const BYTES_PER_SAMPLE = 4
const SAMPLES_PER_CHUNK = 32_768

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

/** Bytes of the WAV file that wavStream gives. */
export const wavLength = (file: PcmFile): number => WAV_HEADER_BYTES + file.samples * 2

/**
 * The recording as a 16 kHz mono 16-bit WAV file, read from disk as it is taken. The file is opened anew for each
 * piece: a reader may leave at any moment, even without a word, and a file that is left open ends a Bun process.
 */
export function wavStream(file: PcmFile): ReadableStream<Uint8Array> {
  let atSample = 0
  return new ReadableStream<Uint8Array>({
    start: (controller) =>
      controller.enqueue(wavHeaderOf({ sample: 's16', rate: PCM_SAMPLE_RATE, dataBytes: file.samples * 2 })),
    pull: async (controller) => {
      const samples = await readPcm(file, atSample, atSample + SAMPLES_PER_CHUNK)
      atSample += samples.length
      if (samples.length > 0) controller.enqueue(toInt16Bytes(samples))
      else controller.close()
    },
  })
}

function readSpan(file: number, from: number, to: number): Float32Array {
  const bytes = new Uint8Array(Math.max(0, to - from) * BYTES_PER_SAMPLE)
  let read = 0
  while (read < bytes.length) {
    const at = from * BYTES_PER_SAMPLE + read
    const bytesRead = readSync(file, bytes, read, bytes.length - read, at)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return new Float32Array(bytes.buffer, 0, Math.floor(read / BYTES_PER_SAMPLE))
}

function toInt16Bytes(samples: Float32Array): Uint8Array {
  const out = new Int16Array(samples.length)
  for (let i = 0; i < samples.length; i++) out[i] = Math.round(samples[i]! * 32_767)
  return new Uint8Array(out.buffer)
}

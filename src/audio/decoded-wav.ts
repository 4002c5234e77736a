// WAV files of decoded samples: a recording as 16 kHz mono 16-bit, in whole or as a byte range, and one of floats.
// The file length depends on the number of samples alone, so it is known before the samples are converted.

import { writeFile } from 'node:fs/promises'
import { toInt16Bytes, WAV_HEADER_BYTES, wavHeaderOf } from '../lib/wav.ts'
import type { AudioKind } from './audio-file.ts'
import type { DecodedAudio } from './decoded-audio-cache.ts'
import { PCM_SAMPLE_RATE } from './pcm.ts'

const WAV_SAMPLE_BYTES = 2
const SAMPLES_PER_CHUNK = 32_768

export const wavBytesOf = (samples: number): number => WAV_HEADER_BYTES + samples * WAV_SAMPLE_BYTES

/** The sample at a byte offset; offsets in the header map to the first sample. */
export const sampleAtByte = (byte: number): number =>
  Math.max(0, Math.floor((byte - WAV_HEADER_BYTES) / WAV_SAMPLE_BYTES))

export type WavPart = {
  /** in the whole file */
  samples: number
  startByte: number
  /** exclusive, not after the end of the file */
  endByte: number
}

/**
 * Produces data as the reader takes it, and leaves the shared recording at the end or when the reader cancels. Fails if
 * there are fewer samples than announced, because the Content-Length was sent already.
 */
export function wavPartStream(
  sound: DecodedAudio,
  { samples, startByte, endByte }: WavPart,
): ReadableStream<Uint8Array> {
  let at = startByte
  async function next(): Promise<Uint8Array> {
    if (at < WAV_HEADER_BYTES) {
      const header = wavHeaderOf({
        sample: 's16',
        rate: PCM_SAMPLE_RATE,
        dataBytes: samples * WAV_SAMPLE_BYTES,
      })
      return header.subarray(at, endByte)
    }
    const from = sampleAtByte(at)
    const to = Math.min(from + SAMPLES_PER_CHUNK, sampleAtByte(endByte - 1) + 1)
    const reached = await sound.reach(to)
    if (!reached.ok) throw new Error(reached.failure.message)
    const bytes = toInt16Bytes(await sound.read(from, to))
    const first = at - wavBytesOf(from)
    if (bytes.length <= first) throw new Error('The recording is shorter than announced.')
    return bytes.subarray(first, first + endByte - at)
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (at < endByte) {
          const bytes = await next()
          at += bytes.length
          controller.enqueue(bytes)
        }
        if (at < endByte) return
        sound.leave()
        controller.close()
      } catch (error) {
        sound.leave()
        throw error
      }
    },
    cancel: () => sound.leave(),
  })
}

export const FLOAT_WAV: AudioKind = { format: 'wav', mediaType: 'audio/wav', extension: 'wav' }

/** @param samples 16 kHz mono */
export const writeFloatWav = (path: string, samples: Float32Array): Promise<void> => {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  return writeFile(path, [
    wavHeaderOf({ sample: 'f32', rate: PCM_SAMPLE_RATE, dataBytes: bytes.length }),
    bytes,
  ])
}

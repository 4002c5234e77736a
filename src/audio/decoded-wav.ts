// WAV files of decoded samples: a recording as 16 kHz mono 16-bit, in whole or as a byte range, and one of floats.
// The file length depends on the number of samples alone, so it is known before the samples are converted.

import { writeFile } from 'node:fs/promises'
import type { AudioKind } from './audio-file.ts'
import type { DecodedAudio } from './decoded-audio-cache.ts'
import { PCM_SAMPLE_RATE } from './pcm.ts'

export const WAV_HEADER_BYTES = 44

const FORMATS = { s16: { tag: 1, bytes: 2 }, f32: { tag: 3, bytes: 4 } } as const
/** RIFF sizes have 32 bits (37 hours at 16 kHz); this value also means that the length is not known yet. */
const MAX_RIFF_BYTES = 0xffff_ffff

export type WavShape = {
  sample: keyof typeof FORMATS
  /** in Hz */
  rate: number
  /** null if the length is not known yet */
  dataBytes: number | null
}

export function wavHeaderOf({ sample, rate, dataBytes }: WavShape): Uint8Array {
  const { tag, bytes } = FORMATS[sample]
  const known = dataBytes ?? MAX_RIFF_BYTES
  const header = new Uint8Array(WAV_HEADER_BYTES)
  const view = new DataView(header.buffer)
  header.set(new TextEncoder().encode('RIFF....WAVEfmt ....'))
  view.setUint32(4, Math.min(MAX_RIFF_BYTES, WAV_HEADER_BYTES - 8 + known), true)
  view.setUint32(16, 16, true)
  view.setUint16(20, tag, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * bytes, true)
  view.setUint16(32, bytes, true)
  view.setUint16(34, bytes * 8, true)
  header.set(new TextEncoder().encode('data'), 36)
  view.setUint32(40, Math.min(MAX_RIFF_BYTES, known), true)
  return header
}

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

function toInt16Bytes(samples: Float32Array): Uint8Array {
  const out = new Int16Array(samples.length)
  for (let i = 0; i < samples.length; i++) out[i] = Math.round(samples[i]! * 32_767)
  return new Uint8Array(out.buffer)
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

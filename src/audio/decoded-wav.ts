// A decoded recording as a file of 16 kHz mono 16-bit WAV, in whole or from a byte to a byte.
// Its length follows from the number of samples alone, before anything is decoded.

import type { DecodedSound } from './decoded-sounds.ts'
import { PCM_SAMPLE_RATE } from './pcm.ts'
import { WAV_HEADER_BYTES, wavHeaderOf } from './wav-header.ts'

const WAV_SAMPLE_BYTES = 2
const SAMPLES_PER_CHUNK = 32_768

export const wavBytesOf = (samples: number): number => WAV_HEADER_BYTES + samples * WAV_SAMPLE_BYTES

/** The sample that a byte belongs to; those of the header to the first. */
export const sampleAtByte = (byte: number): number =>
  Math.max(0, Math.floor((byte - WAV_HEADER_BYTES) / WAV_SAMPLE_BYTES))

export type WavPart = {
  /** of the whole file */
  samples: number
  startByte: number
  /** exclusive, not behind the file's end */
  endByte: number
}

/**
 * Comes as it is taken, and leaves the sound when it ends or its reader does. It fails where fewer samples come than
 * were announced, since its length was.
 */
export function wavPartStream(
  sound: DecodedSound,
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
    if (bytes.length <= first) throw new Error('The recording is shorter than it was.')
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

// Test helpers: decode recordings and compare their audio.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AudioDecoderOptions, createAudioDecoder } from '../../src/audio/decode.ts'
import { readPcm } from '../../src/audio/pcm.ts'
import { sniffFile } from '../../src/audio/sniff.ts'

export const SPEECH_FOLDER = join(import.meta.dir, '../speech')

/** A decoder with its own folder; disposing of it removes both. */
export async function createTestDecoder(options: Partial<AudioDecoderOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'decoder test '))
  const decoder = createAudioDecoder({ workFolder: folder, maxAudioSeconds: 3600, spare: true, ...options })

  async function decodeFile(path: string, signal = new AbortController().signal) {
    const kind = sniffFile(path)?.kind ?? null
    if (kind === null) throw new Error(`${path} is not recognised`)
    return await decoder.decode({ path, kind, signal })
  }

  return {
    folder,
    decoder,
    decodeFile,
    /** writes the bytes to a file in the folder first */
    async decodeBytes(bytes: Uint8Array) {
      const path = join(folder, crypto.randomUUID())
      await Bun.write(path, bytes)
      const result = await decodeFile(path)
      await rm(path)
      return result
    },
    /** all samples of a file; throws if it cannot be decoded */
    async samplesOf(path: string): Promise<Float32Array> {
      const result = await decodeFile(path)
      if (!result.ok) throw new Error(`${path}: ${result.failure.code}: ${result.failure.message}`)
      const samples = await readPcm(result.value, 0, result.value.samples)
      await result.value.dispose()
      return samples
    },
    async [Symbol.asyncDispose]() {
      await decoder.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The largest delay in samples at which two recordings are compared; more than any codec has. */
const REACH = 1600

/**
 * Compares a second from the middle of `reference` with `decoded` at every delay.
 * @returns the delay of `decoded` at the best match, the correlation there (1 means the same audio), and how much louder
 * `decoded` is
 */
export function compareSound(
  reference: Float32Array,
  decoded: Float32Array,
): { delayMs: number; correlation: number; gainDb: number } {
  let best = { delayMs: 0, correlation: -1, gainDb: 0 }
  const from = Math.floor(reference.length / 2)
  for (let delay = -REACH; delay <= REACH; delay++) {
    let product = 0
    let referencePower = 0
    let decodedPower = 0
    for (let i = from; i < from + 16_000; i++) {
      const a = reference[i] ?? 0
      const b = decoded[i + delay] ?? 0
      product += a * b
      referencePower += a * a
      decodedPower += b * b
    }
    const correlation = product / Math.sqrt(referencePower * decodedPower || 1)
    const gainDb = 10 * Math.log10(decodedPower / referencePower)
    if (correlation > best.correlation) best = { delayMs: delay / 16, correlation, gainDb }
  }
  return best
}

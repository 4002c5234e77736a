// Decodes recordings for tests and tells how alike two of them sound.
// Holds no assertions.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AudioDecoderOptions, createAudioDecoder } from '../../src/audio/decode.ts'
import { readPcm } from '../../src/audio/pcm.ts'
import { sniffFile } from '../../src/audio/sniff-file.ts'

export const SPEECH_FOLDER = join(import.meta.dir, '../speech')

/** A decoder with a folder of its own; both are gone when it is disposed of. */
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
    /** writes the bytes to a file of the folder first */
    async decodeBytes(bytes: Uint8Array) {
      const path = join(folder, crypto.randomUUID())
      await Bun.write(path, bytes)
      const result = await decodeFile(path)
      await rm(path)
      return result
    },
    /** all samples of a file that must decode */
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

/** How far apart two recordings may be and still be compared; more than any codec delays. */
const REACH = 1600

/**
 * Slides a second from the middle of `heard` over `reference`.
 * @returns the delay of `heard` where they agree most, their correlation there (1 is the same sound),
 * and how much louder `heard` is
 */
export function compareSound(
  reference: Float32Array,
  heard: Float32Array,
): { delayMs: number; correlation: number; gainDb: number } {
  let best = { delayMs: 0, correlation: -1, gainDb: 0 }
  const from = Math.floor(reference.length / 2)
  for (let delay = -REACH; delay <= REACH; delay++) {
    let product = 0
    let referencePower = 0
    let heardPower = 0
    for (let i = from; i < from + 16_000; i++) {
      const a = reference[i] ?? 0
      const b = heard[i + delay] ?? 0
      product += a * b
      referencePower += a * a
      heardPower += b * b
    }
    const correlation = product / Math.sqrt(referencePower * heardPower || 1)
    const gainDb = 10 * Math.log10(heardPower / referencePower)
    if (correlation > best.correlation) best = { delayMs: delay / 16, correlation, gainDb }
  }
  return best
}

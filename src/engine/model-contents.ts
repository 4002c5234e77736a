// Checks that the vocabulary and the weights can be those of a trained Whisper. Damaged weights contain numbers that no
// trained model has; decoding with them takes minutes and yields no text.

import { open } from 'node:fs/promises'
import { fail, type Result, succeed } from '../lib/result.ts'
import type { GgmlFault, GgmlFile } from './ggml-file.ts'

/** A hundred times the largest published weight (37, in a norm of base). NaN fails the comparison, too. */
const LARGEST = 4096
/**
 * 1024 as float16: about eighty times the largest weight in a matrix of tiny and base, since other models may have larger
 * ones. The bits of infinity and NaN are above it.
 */
const LARGEST_HALF = 0x6400
/** Rounded down to whole blocks of the tensor's type. */
const MAX_BYTES_AT_ONCE = 4_000_000

/** ggml's float16 and quantized types: bytes per block, and the positions of its 16-bit scales and offsets. */
const BLOCKS: Record<number, { bytes: number; halvesAt: number[] }> = {
  1: { bytes: 2, halvesAt: [0] },
  2: { bytes: 18, halvesAt: [0] },
  3: { bytes: 20, halvesAt: [0, 2] },
  6: { bytes: 22, halvesAt: [0] },
  7: { bytes: 24, halvesAt: [0, 2] },
  8: { bytes: 34, halvesAt: [0] },
  10: { bytes: 84, halvesAt: [80, 82] },
  11: { bytes: 110, halvesAt: [108] },
  12: { bytes: 144, halvesAt: [0, 2] },
  13: { bytes: 176, halvesAt: [0, 2] },
  14: { bytes: 210, halvesAt: [208] },
}

const FLOAT_BYTES = 4

/** Every Whisper vocabulary starts with one token for each byte. */
const SINGLE_BYTES = 256

function isVocabularySound(vocabulary: Uint8Array[]): boolean {
  const single = vocabulary.slice(0, SINGLE_BYTES).filter(({ length }) => length === 1)
  return new Set(single.map(([byte]) => byte)).size === SINGLE_BYTES
}

const areFloatsSound = (chunk: Uint8Array): boolean =>
  new Float32Array(chunk.buffer, 0, chunk.length / FLOAT_BYTES).every((value) => Math.abs(value) <= LARGEST)

function areHalvesSound(chunk: Uint8Array, bytes: number, halvesAt: number[]): boolean {
  const halves = new Uint16Array(chunk.buffer, 0, chunk.length / 2)
  for (const at of halvesAt)
    for (let i = at / 2; i < halves.length; i += bytes / 2)
      if ((halves[i]! & 0x7fff) > LARGEST_HALF) return false
  return true
}

/** Yields to other work between two pieces. @throws the file system's errors and the signal's reason */
export async function checkContents(
  path: string,
  { vocabulary, tensors }: Pick<GgmlFile, 'vocabulary' | 'tensors'>,
  signal?: AbortSignal,
): Promise<Result<void, GgmlFault>> {
  if (!isVocabularySound(vocabulary)) return damaged('its vocabulary is not Whisper’s')
  await using file = await open(path)
  for (const { name, type, atByte, bytes } of tensors) {
    const block = BLOCKS[type]
    const blockBytes = block?.bytes ?? FLOAT_BYTES
    const pieceBytes = Math.floor(MAX_BYTES_AT_ONCE / blockBytes) * blockBytes
    for (let done = 0; done < bytes; done += pieceBytes) {
      signal?.throwIfAborted()
      const chunk = new Uint8Array(Math.min(pieceBytes, bytes - done))
      const { bytesRead } = await file.read(chunk, 0, chunk.length, atByte + done)
      if (bytesRead < chunk.length) return damaged(`it ends within ${name}`)
      const isSound = block ? areHalvesSound(chunk, blockBytes, block.halvesAt) : areFloatsSound(chunk)
      if (!isSound) return damaged(`${name} holds a number that no trained model has`)
    }
  }
  return succeed(undefined)
}

const damaged = (what: string) =>
  fail<GgmlFault>({ code: 'model_unreadable', message: `This Whisper model is damaged: ${what}.` })

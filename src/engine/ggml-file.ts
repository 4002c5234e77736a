// Reads the header and the tensor table of a whisper.cpp model file, and checks every number in it. Reads no weights.

import { fail, type Result, succeed } from '../lib/result.ts'
import { FFT_BINS, type WhisperShape, whisperTensors } from './whisper-tensors.ts'

/** Random access to a file or to bytes in memory. */
export type RandomAccess = {
  length: number
  /** @returns exactly `count` bytes; callers stay within `length` */
  read(at: number, count: number): Uint8Array
}

export type GgmlTensor = { name: string; type: number; dimensions: number[]; atByte: number; bytes: number }

export type GgmlFile = {
  shape: WhisperShape
  multilingual: boolean
  /** [melBands][FFT_BINS] */
  filters: Float32Array
  /** the bytes of each ordinary token, not always valid UTF-8 on their own */
  vocabulary: Uint8Array[]
  tensors: GgmlTensor[]
}

export type GgmlFault = { code: 'model_unreadable'; message: string }

const MAGIC = 0x67676d6c
/** English-only models have 51,864 tokens; later models add one per new language or task. */
const ENGLISH_VOCABULARY = 51_864
/** The same in every Whisper model. */
const HEAD_WIDTH = 64
const MAX_TOKEN_BYTES = 1024
const MAX_NAME_BYTES = 256
/** Small, because megabytes of weights separate the headers of two tensors. */
const CHUNK_BYTES = 4096

/** The ggml types that whisper.cpp writes: weights per block, and bytes per block. */
const TYPES: Record<number, { perBlock: number; blockBytes: number }> = {
  0: { perBlock: 1, blockBytes: 4 },
  1: { perBlock: 1, blockBytes: 2 },
  2: { perBlock: 32, blockBytes: 18 },
  3: { perBlock: 32, blockBytes: 20 },
  6: { perBlock: 32, blockBytes: 22 },
  7: { perBlock: 32, blockBytes: 24 },
  8: { perBlock: 32, blockBytes: 34 },
  10: { perBlock: 256, blockBytes: 84 },
  11: { perBlock: 256, blockBytes: 110 },
  12: { perBlock: 256, blockBytes: 144 },
  13: { perBlock: 256, blockBytes: 176 },
  14: { perBlock: 256, blockBytes: 210 },
}

/** In file order, with margins around Whisper's published models. */
const LIMITS: [keyof WhisperShape, least: number, most: number][] = [
  ['vocabulary', ENGLISH_VOCABULARY, ENGLISH_VOCABULARY + 2],
  ['audioFrames', 1, 1500],
  ['audioWidth', 1, 2048],
  ['audioHeads', 1, 64],
  ['audioLayers', 1, 64],
  // half of them must hold the special tokens of a prompt and a few tokens of text
  ['textTokens', 32, 448],
  ['textWidth', 1, 2048],
  ['textHeads', 1, 64],
  ['textLayers', 1, 64],
  ['melBands', 80, 128],
  ['fileType', 0, 9999],
]

/** Never leaves this file: a Result at every number would hide the format. */
class Fault extends Error {}

const createReader = (source: RandomAccess) => {
  let chunk: Uint8Array = new Uint8Array(0)
  let view = new DataView(chunk.buffer)
  let chunkAt = 0
  let at = 0

  /** @returns where the next `count` bytes begin in the chunk */
  const advance = (count: number, what: string) => {
    if (at + count > source.length) throw new Fault(`it ends within ${what}`)
    if (at < chunkAt || at + count > chunkAt + chunk.length) {
      chunk = source.read(at, Math.min(Math.max(count, CHUNK_BYTES), source.length - at))
      view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length)
      chunkAt = at
    }
    at += count
    return at - count - chunkAt
  }

  const bytes = (count: number, what: string) => {
    const start = advance(count, what)
    return chunk.slice(start, start + count)
  }

  const integer = (what: string, least: number, most: number) => {
    const start = advance(4, what)
    const value = view.getInt32(start, true)
    if (value < least || value > most) throw new Fault(`${what} is ${value}, expected ${least} to ${most}`)
    return value
  }

  const skip = (count: number, what: string) => {
    if (at + count > source.length) throw new Fault(`it ends within ${what}`)
    at += count
  }

  return { bytes, integer, skip, at: () => at, atEnd: () => at === source.length }
}

type Reader = ReturnType<typeof createReader>

const readShape = (reader: Reader): WhisperShape => {
  const entries: [string, number][] = []
  for (const [name, least, most] of LIMITS) entries.push([name, reader.integer(name, least, most)])
  const shape = Object.fromEntries(entries) as WhisperShape
  if (shape.melBands !== 80 && shape.melBands !== 128) throw new Fault(`melBands is ${shape.melBands}`)
  if (shape.audioWidth !== shape.textWidth) throw new Fault('its encoder and decoder differ in width')
  if (
    shape.audioWidth !== HEAD_WIDTH * shape.audioHeads ||
    shape.textWidth !== HEAD_WIDTH * shape.textHeads
  ) {
    throw new Fault('its width and its heads do not belong together')
  }
  return shape
}

const readVocabulary = (reader: Reader, shape: WhisperShape) => {
  const count = reader.integer('the number of tokens', 1, shape.vocabulary)
  const vocabulary: Uint8Array[] = []
  for (let id = 0; id < count; id += 1) {
    const length = reader.integer('the length of a token', 0, MAX_TOKEN_BYTES)
    vocabulary.push(reader.bytes(length, 'a token'))
  }
  return vocabulary
}

const readTensor = (reader: Reader, expected: Map<string, number[]>): GgmlTensor => {
  const dimensionCount = reader.integer('the number of dimensions of a tensor', 1, 4)
  const nameBytes = reader.integer('the length of the name of a tensor', 1, MAX_NAME_BYTES)
  const type = reader.integer('the type of a tensor', 0, 14)
  const dimensions: number[] = []
  for (let i = 0; i < dimensionCount; i += 1) {
    dimensions.push(reader.integer('a dimension of a tensor', 1, 1 << 20))
  }
  const name = new TextDecoder().decode(reader.bytes(nameBytes, 'the name of a tensor'))
  const wanted = expected.get(name)
  if (!wanted) throw new Fault('it holds a tensor that is not Whisper’s, or one twice')
  expected.delete(name)
  if (wanted.join() !== dimensions.join()) throw new Fault(`${name} has the wrong dimensions`)
  const layout = TYPES[type]
  if (!layout || dimensions[0]! % layout.perBlock) throw new Fault(`${name} has an unknown type`)
  const elements = dimensions.reduce((product, size) => product * size, 1)
  const bytes = (elements / layout.perBlock) * layout.blockBytes
  const atByte = reader.at()
  reader.skip(bytes, name)
  return { name, type, dimensions, atByte, bytes }
}

const readAll = (source: RandomAccess): GgmlFile => {
  const reader = createReader(source)
  if (reader.integer('its first word', -(2 ** 31), 2 ** 31) !== MAGIC)
    throw new Fault('it begins differently')
  const shape = readShape(reader)
  reader.integer('the number of mel bands', shape.melBands, shape.melBands)
  reader.integer('the number of frequencies', FFT_BINS, FFT_BINS)
  const filterBytes = reader.bytes(4 * shape.melBands * FFT_BINS, 'the mel filters')
  // `bytes` returns a copy, which is aligned to four bytes
  const filters = new Float32Array(filterBytes.buffer)
  // The filters are triangles with an area of 1 over hertz.
  if (!filters.every((weight) => weight >= 0 && weight <= 1))
    throw new Fault('a mel filter has a weight outside 0 to 1')
  const vocabulary = readVocabulary(reader, shape)
  const expected = new Map(whisperTensors(shape).map(({ name, dimensions }) => [name, dimensions]))
  const tensors: GgmlTensor[] = []
  while (!reader.atEnd()) tensors.push(readTensor(reader, expected))
  const [missing] = expected.keys()
  if (missing) throw new Fault(`${missing} is missing`)
  return { shape, multilingual: shape.vocabulary > ENGLISH_VOCABULARY, filters, vocabulary, tensors }
}

/**
 * Checks every number before using it, and never allocates by an unchecked one. A file that passes has each of Whisper's
 * tensors once, with the right dimensions, and its sizes add up to its length to the byte.
 */
export const readGgmlFile = (source: RandomAccess): Result<GgmlFile, GgmlFault> => {
  try {
    return succeed(readAll(source))
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const message = `This is not a whole Whisper model in ggml format: ${error.message}.`
    return fail({ code: 'model_unreadable', message })
  }
}

export const bytesInMemory = (bytes: Uint8Array): RandomAccess => ({
  length: bytes.length,
  read: (at, count) => bytes.subarray(at, at + count),
})

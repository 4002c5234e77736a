// Writes weights in ggml's formats: for blocks of 32 by the rules of its reference quantizers (shared with make.py of
// the model), for two of the k-quants by a simple one of our own.

type BlockWriter = {
  /** ggml's number of the type, and of a file that mostly consists of it */
  type: number
  fileType: number
  weights: number
  bytes: number
  /** receives a zeroed block; null if the type has no blocks */
  write: ((block: DataView, weights: Float32Array) => void) | null
}

/** The quantizers of blocks of 32 compute in f32 throughout. */
const f = Math.fround

const HALF_BITS = new Uint16Array(1)
const HALF = new Float16Array(HALF_BITS.buffer)

const putHalf = (block: DataView, at: number, value: number) => {
  HALF[0] = value
  block.setUint16(at, HALF_BITS[0]!, true)
}

/** The reciprocal in f32, by which the reference quantizers multiply; 0 for a block of zeros. */
const inverse = (scale: number) => (scale === 0 ? 0 : f(1 / scale))

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

const greatestOf = (weights: Float32Array) => {
  let greatest = 0
  for (let i = 0; i < weights.length; i += 1) {
    if (Math.abs(weights[i]!) > Math.abs(greatest)) greatest = weights[i]!
  }
  return greatest
}

const rangeOf = (weights: Float32Array) => {
  let least = weights[0]!
  let most = weights[0]!
  for (let i = 1; i < weights.length; i += 1) {
    least = Math.min(least, weights[i]!)
    most = Math.max(most, weights[i]!)
  }
  return { least, most }
}

const values = new Uint8Array(256)

/** Low nibbles hold the first 16 values, high ones the others; a fifth bit is stored separately. */
const packBlockOf32 = (block: DataView, fifthsAt: number | null, nibblesAt: number) => {
  let fifths = 0
  for (let i = 0; i < 32; i += 1) fifths |= (values[i]! >> 4) << i
  if (fifthsAt !== null) block.setInt32(fifthsAt, fifths, true)
  for (let i = 0; i < 16; i += 1) {
    block.setUint8(nibblesAt + i, (values[i]! & 15) | ((values[i + 16]! & 15) << 4))
  }
}

/** q4_0 and q5_0: the weight of the largest magnitude becomes the smallest value. */
const symmetric = (bits: 4 | 5) => (block: DataView, weights: Float32Array) => {
  const middle = 2 ** (bits - 1)
  const scale = f(greatestOf(weights) / -middle)
  const factor = inverse(scale)
  for (let i = 0; i < 32; i += 1) {
    values[i] = within(Math.trunc(f(f(weights[i]! * factor) + f(middle + 0.5))), 0, 2 * middle - 1)
  }
  putHalf(block, 0, scale)
  packBlockOf32(block, bits === 5 ? 2 : null, bits === 5 ? 6 : 2)
}

/** q4_1 and q5_1: values are relative to the smallest weight. */
const fromLeast = (bits: 4 | 5) => (block: DataView, weights: Float32Array) => {
  const { least, most } = rangeOf(weights)
  const scale = f(f(most - least) / (2 ** bits - 1))
  const factor = inverse(scale)
  for (let i = 0; i < 32; i += 1) {
    values[i] = within(Math.trunc(f(f(f(weights[i]! - least) * factor) + 0.5)), 0, 2 ** bits - 1)
  }
  putHalf(block, 0, scale)
  putHalf(block, 2, least)
  packBlockOf32(block, bits === 5 ? 4 : null, bits === 5 ? 8 : 4)
}

const eightBits = (block: DataView, weights: Float32Array) => {
  const scale = f(Math.abs(greatestOf(weights)) / 127)
  const factor = inverse(scale)
  putHalf(block, 0, scale)
  for (let i = 0; i < 32; i += 1) {
    const size = Math.floor(f(Math.abs(f(weights[i]! * factor)) + 0.5))
    block.setInt8(2 + i, weights[i]! < 0 ? -size : size)
  }
}

/** 8 groups of 32, each with a 6-bit scale and a 6-bit minimum. */
const fourBitsK = (block: DataView, weights: Float32Array) => {
  const ranges = groupsOf(weights, 32).map((group) => {
    const { least, most } = rangeOf(group)
    return { scale: (most - Math.min(0, least)) / 15, least: -Math.min(0, least) }
  })
  const scale = Math.max(...ranges.map((range) => range.scale)) / 63
  const least = Math.max(...ranges.map((range) => range.least)) / 63
  for (const [group, range] of ranges.entries()) {
    const groupScale = Math.round(range.scale * inverse(scale))
    const groupLeast = Math.round(range.least * inverse(least))
    packSixBits(block, group, groupScale, groupLeast)
    for (let i = 32 * group; i < 32 * (group + 1); i += 1) {
      const value = (weights[i]! + least * groupLeast) * inverse(scale * groupScale)
      values[i] = within(Math.round(value), 0, 15)
    }
  }
  putHalf(block, 0, scale)
  putHalf(block, 2, least)
  for (let i = 0; i < 128; i += 1) {
    const first = 64 * Math.floor(i / 32) + (i % 32)
    block.setUint8(16 + i, values[first]! | (values[first + 32]! << 4))
  }
}

const packSixBits = (block: DataView, group: number, scale: number, least: number) => {
  if (group < 4) {
    block.setUint8(4 + group, scale)
    block.setUint8(8 + group, least)
    return
  }
  block.setUint8(8 + group, (scale & 15) | ((least & 15) << 4))
  block.setUint8(group, block.getUint8(group) | ((scale >> 4) << 6))
  block.setUint8(4 + group, block.getUint8(4 + group) | ((least >> 4) << 6))
}

/** 16 groups of 16, each with an 8-bit scale. */
const sixBitsK = (block: DataView, weights: Float32Array) => {
  const groups = groupsOf(weights, 16)
  const scales = groups.map((group) => Math.abs(greatestOf(group)) / 31)
  const scale = Math.max(...scales) / 127
  for (const [group, own] of scales.entries()) {
    const groupScale = Math.round(own * inverse(scale))
    block.setInt8(192 + group, groupScale)
    for (let i = 16 * group; i < 16 * (group + 1); i += 1) {
      values[i] = within(Math.round(weights[i]! * inverse(scale * groupScale)), -32, 31) + 32
    }
  }
  putHalf(block, 208, scale)
  for (let i = 0; i < 64; i += 1) {
    const [high, place] = [Math.floor(i / 32), i % 32]
    const [a, b, c, d] = [0, 32, 64, 96].map((shift) => values[128 * high + shift + place]!) as Four
    block.setUint8(64 * high + place, (a & 15) | ((c & 15) << 4))
    block.setUint8(64 * high + 32 + place, (b & 15) | ((d & 15) << 4))
    block.setUint8(128 + i, (a >> 4) | ((b >> 4) << 2) | ((c >> 4) << 4) | ((d >> 4) << 6))
  }
}

type Four = [number, number, number, number]

const groupsOf = (weights: Float32Array, size: number) =>
  Array.from({ length: weights.length / size }, (_, group) =>
    weights.subarray(group * size, (group + 1) * size),
  )

const blocksOf32 = (
  type: number,
  fileType: number,
  bytes: number,
  write: BlockWriter['write'],
): BlockWriter => ({
  type,
  fileType,
  weights: 32,
  bytes,
  write,
})

export const KINDS = {
  f32: { type: 0, fileType: 0, weights: 1, bytes: 4, write: null },
  f16: { type: 1, fileType: 1, weights: 1, bytes: 2, write: null },
  q4_0: blocksOf32(2, 2, 18, symmetric(4)),
  q4_1: blocksOf32(3, 3, 20, fromLeast(4)),
  q5_0: blocksOf32(6, 8, 22, symmetric(5)),
  q5_1: blocksOf32(7, 9, 24, fromLeast(5)),
  q8_0: blocksOf32(8, 7, 34, eightBits),
  q4_K: { type: 12, fileType: 12, weights: 256, bytes: 144, write: fourBitsK },
  q6_K: { type: 14, fileType: 14, weights: 256, bytes: 210, write: sixBitsK },
} satisfies Record<string, BlockWriter>

export type Kind = keyof typeof KINDS

export const bytesOf = (count: number, kind: Kind) => (count / KINDS[kind].weights) * KINDS[kind].bytes

/** @param to as many bytes as `bytesOf` returns, all zero */
export const writeWeights = (weights: Float32Array, kind: Kind, to: Uint8Array) => {
  const { weights: perBlock, bytes, write } = KINDS[kind]
  if (!write) {
    const numbers = kind === 'f32' ? weights : new Float16Array(weights)
    to.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength))
    return
  }
  for (let block = 0; block * perBlock < weights.length; block += 1) {
    const view = new DataView(to.buffer, to.byteOffset + block * bytes, bytes)
    write(view, weights.subarray(block * perBlock, (block + 1) * perBlock))
  }
}

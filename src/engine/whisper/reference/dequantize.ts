// Reads every ggml weight type as float64, one weight at a time. Slow and simple: the kernels are compared with it.

export type BlockType = {
  name: string
  weights: number
  bytes: number
  /** only for types with blocks */
  weight: ((block: DataView, index: number) => number) | null
}

const bitsOf = (block: DataView, at: number, shift: number, mask: number) =>
  (block.getUint8(at) >> shift) & mask

/** Blocks of 32 hold the first half of their weights in low nibbles, the second half in high ones. */
const nibbleOf32 = (block: DataView, at: number, index: number) =>
  bitsOf(block, at + (index % 16), index < 16 ? 0 : 4, 15)

const fifthBitOf32 = (block: DataView, at: number, index: number) => (block.getUint32(at, true) >>> index) & 1

/** Every float16 by its bits: a table, because converting each weight takes seconds per model. */
const HALVES = Float64Array.from(new Float16Array(Uint16Array.from({ length: 65_536 }, (_, i) => i).buffer))

const half = (block: DataView, at: number) => HALVES[block.getUint16(at, true)]!

/** 4- and 5-bit k-quants: scale and least value of each of 8 groups in 6 bits, packed into 12 bytes. */
const sixBitPair = (block: DataView, at: number, group: number) => {
  if (group < 4)
    return { scale: bitsOf(block, at + group, 0, 63), least: bitsOf(block, at + group + 4, 0, 63) }
  return {
    scale: bitsOf(block, at + group + 4, 0, 15) | (bitsOf(block, at + group - 4, 6, 3) << 4),
    least: bitsOf(block, at + group + 4, 4, 15) | (bitsOf(block, at + group, 6, 3) << 4),
  }
}

/** 3-bit k-quants: scales of 16 groups in 6 bits, low four bits in 8 bytes, high two in 4 bytes. */
const sixBitScale = (block: DataView, at: number, group: number) =>
  bitsOf(block, at + (group % 8), group < 8 ? 0 : 4, 15) |
  (bitsOf(block, at + 8 + (group % 4), 2 * Math.floor(group / 4), 3) << 4)

/** Values of 2 bits: 32 bytes hold 128 weights, each byte four of them, 32 apart. */
const twoBits = (block: DataView, at: number, index: number) =>
  bitsOf(block, at + 32 * Math.floor(index / 128) + (index % 32), 2 * (Math.floor(index / 32) % 4), 3)

/** Values of 4 bits: 32 bytes hold 64 weights, each byte two of them, 32 apart. */
const fourBits = (block: DataView, at: number, index: number) =>
  bitsOf(block, at + 32 * Math.floor(index / 64) + (index % 32), index % 64 < 32 ? 0 : 4, 15)

/** By ggml's type number. */
export const BLOCK_TYPES: Record<number, BlockType> = {
  0: { name: 'f32', weights: 1, bytes: 4, weight: null },
  1: { name: 'f16', weights: 1, bytes: 2, weight: null },
  2: {
    name: 'q4_0',
    weights: 32,
    bytes: 18,
    weight: (block, i) => half(block, 0) * (nibbleOf32(block, 2, i) - 8),
  },
  3: {
    name: 'q4_1',
    weights: 32,
    bytes: 20,
    weight: (block, i) => half(block, 0) * nibbleOf32(block, 4, i) + half(block, 2),
  },
  6: {
    name: 'q5_0',
    weights: 32,
    bytes: 22,
    weight: (block, i) => half(block, 0) * (nibbleOf32(block, 6, i) + 16 * fifthBitOf32(block, 2, i) - 16),
  },
  7: {
    name: 'q5_1',
    weights: 32,
    bytes: 24,
    weight: (block, i) =>
      half(block, 0) * (nibbleOf32(block, 8, i) + 16 * fifthBitOf32(block, 4, i)) + half(block, 2),
  },
  8: { name: 'q8_0', weights: 32, bytes: 34, weight: (block, i) => half(block, 0) * block.getInt8(2 + i) },
  10: {
    name: 'q2_K',
    weights: 256,
    bytes: 84,
    weight(block, i) {
      const group = Math.floor(i / 16)
      const scale = half(block, 80) * bitsOf(block, group, 0, 15)
      return scale * twoBits(block, 16, i) - half(block, 82) * bitsOf(block, group, 4, 15)
    },
  },
  11: {
    name: 'q3_K',
    weights: 256,
    bytes: 110,
    weight(block, i) {
      const scale = half(block, 108) * (sixBitScale(block, 96, Math.floor(i / 16)) - 32)
      const thirdBit = bitsOf(block, i % 32, Math.floor(i / 32), 1)
      return scale * (twoBits(block, 32, i) + 4 * thirdBit - 4)
    },
  },
  12: {
    name: 'q4_K',
    weights: 256,
    bytes: 144,
    weight(block, i) {
      const { scale, least } = sixBitPair(block, 4, Math.floor(i / 32))
      return half(block, 0) * scale * fourBits(block, 16, i) - half(block, 2) * least
    },
  },
  13: {
    name: 'q5_K',
    weights: 256,
    bytes: 176,
    weight(block, i) {
      const { scale, least } = sixBitPair(block, 4, Math.floor(i / 32))
      const fifthBit = bitsOf(block, 16 + (i % 32), Math.floor(i / 32), 1)
      return half(block, 0) * scale * (fourBits(block, 48, i) + 16 * fifthBit) - half(block, 2) * least
    },
  },
  14: {
    name: 'q6_K',
    weights: 256,
    bytes: 210,
    weight(block, i) {
      const high = Math.floor(i / 128)
      const quarter = Math.floor(i / 32) % 4
      const low = bitsOf(block, 64 * high + 32 * (quarter % 2) + (i % 32), quarter < 2 ? 0 : 4, 15)
      const top = bitsOf(block, 128 + 32 * high + (i % 32), 2 * quarter, 3)
      return half(block, 208) * block.getInt8(192 + Math.floor(i / 16)) * (low + 16 * top - 32)
    },
  },
}

/** @param type ggml's type number */
export const dequantize = (type: number, bytes: Uint8Array): Float64Array => {
  const block = BLOCK_TYPES[type]!
  if (!block.weight) {
    const numbers = new Uint8Array(bytes).buffer
    return new Float64Array(block.bytes === 4 ? new Float32Array(numbers) : new Float16Array(numbers))
  }
  const blocks = bytes.length / block.bytes
  const weights = new Float64Array(blocks * block.weights)
  for (let index = 0; index < blocks; index += 1) {
    const view = new DataView(bytes.buffer, bytes.byteOffset + index * block.bytes, block.bytes)
    for (let i = 0; i < block.weights; i += 1) weights[index * block.weights + i] = block.weight(view, i)
  }
  return weights
}

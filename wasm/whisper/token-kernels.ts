// The kernels of the decoder as calls: packed matrices and vectors, their products, and attention.
// Knows no layers; what the kernels compute stands in assembly/token-*.ts.

import { KERNEL } from './kernel-numbers.ts'
import type { Kernels } from './kernels.ts'

/** inputs that share a scale; also the width of a head */
export const GROUP = 64
const PANEL_ROWS = 8
const SCALE_BYTES = 4 * PANEL_ROWS
/** What a thread must have for these kernels, of any model. */
export const TOKEN_SCRATCH_BYTES = 40_960

/** Panels and vectors of a chunk in assembly/token-pack.ts, tokens of one in assembly/token-product.ts. */
const PACKED_PANELS = 8
const PACKED_VECTORS = 4
const EMBEDDED_TOKENS = 8
/** As many bytes of weights make a chunk: about a microsecond's work with one vector. */
const CHUNK_BYTES = 16_384

/** short: i8 weights; long: i16 weights, for files that are not quantized */
export type Precision = 'short' | 'long'

export type PackedMatrix = { at: number; rows: number; inputs: number; precision: Precision }

/** i16 [vectors][width] and the scale of each */
export type PackedVectors = { at: number; scales: number; width: number }

export const groupBytes = (precision: Precision) =>
  SCALE_BYTES + GROUP * PANEL_ROWS * (precision === 'long' ? 2 : 1)

const long = (precision: Precision) => (precision === 'long' ? 1 : 0)
const panelsOf = (rows: number) => Math.ceil(rows / PANEL_ROWS)
const groupsOf = (inputs: number) => Math.ceil(inputs / GROUP)

/** Rows are counted in whole panels of 8, inputs in whole groups of 64. */
export const packedBytes = (rows: number, inputs: number, precision: Precision) =>
  panelsOf(rows) * groupsOf(inputs) * groupBytes(precision)

/**
 * Packs f32 [rows][inputs] at byte `from` to byte `to`; inputs are a multiple of 64.
 * @param from.rowBytes from row to row, where they do not lie side by side
 */
export const packMatrix = (
  kernels: Kernels,
  from: { at: number; rowBytes?: number },
  { at, rows, inputs, precision }: PackedMatrix,
) => {
  const groups = groupsOf(inputs)
  const strides = [from.rowBytes ?? inputs * 4, groups, groups * groupBytes(precision), groupBytes(precision)]
  const chunks = Math.ceil(panelsOf(rows) / PACKED_PANELS)
  kernels.run(KERNEL.packMatrix, chunks, [from.at, at, rows, ...strides, long(precision)])
}

/** Packs keys, f32 [frames][heads · 64], as a matrix [frames][64] for each head, one after another. */
export const packKeys = (
  kernels: Kernels,
  from: { at: number; rowBytes: number },
  to: { at: number; frames: number; heads: number; precision: Precision },
) => {
  const headBytes = packedBytes(to.frames, GROUP, to.precision)
  const strides = [from.rowBytes, to.heads, groupBytes(to.precision), headBytes]
  const chunks = Math.ceil(panelsOf(to.frames) / PACKED_PANELS)
  kernels.run(KERNEL.packMatrix, chunks, [from.at, to.at, to.frames, ...strides, long(to.precision)])
}

/** Packs values, f32 [frames][heads · 64], as a matrix [64][frames] for each head, one after another. */
export const packValues = (
  kernels: Kernels,
  from: { at: number; rowBytes: number },
  to: { at: number; frames: number; heads: number; precision: Precision },
) => {
  const width = to.heads * GROUP
  const integers = [from.at, to.at, width, from.rowBytes, to.frames, long(to.precision)]
  kernels.run(KERNEL.packTransposed, panelsOf(width), integers)
}

/** Packs f32 [count][width] as vectors, normed before where there is a norm. */
export const packVectors = (
  kernels: Kernels,
  from: { at: number; count: number; norm?: { weight: number; bias: number } },
  to: PackedVectors,
) => {
  const { weight, bias } = from.norm ?? { weight: 0, bias: 0 }
  const chunks = Math.ceil(from.count / PACKED_VECTORS)
  kernels.run(KERNEL.packVectors, chunks, [from.at, to.at, to.scales, weight, bias, from.count, to.width])
}

const FINISH = { store: 0, gelu: 1, add: 2 }

export type Multiplication = {
  matrix: PackedMatrix
  vectors: PackedVectors
  count: number
  /** f32 [count][rows, up to the next 8] */
  to: number
  bias?: number
  /** @default store */
  finish?: keyof typeof FINISH
}

/** How many numbers lie between the results of two vectors. */
export const resultStride = (rows: number) => panelsOf(rows) * PANEL_ROWS

export const multiply = (kernels: Kernels, { matrix, vectors, count, to, bias, finish }: Multiplication) => {
  const panels = panelsOf(matrix.rows)
  const groups = groupsOf(matrix.inputs)
  const perChunk = Math.max(1, Math.round(CHUNK_BYTES / (groups * groupBytes(matrix.precision))))
  const where = [matrix.at, vectors.at, vectors.scales, to, resultStride(matrix.rows) * 4, bias ?? 0]
  const shape = [FINISH[finish ?? 'store'], count, panels, groups, perChunk, long(matrix.precision)]
  kernels.run(KERNEL.multiply, Math.ceil(panels / perChunk), [...where, ...shape])
}

/** Four words for each vector: its token, its position, the list of its sequence's records, how many it attends to. */
export const TABLE_WORDS = 4

export const embed = (
  kernels: Kernels,
  from: { embeddings: PackedMatrix; positions: number; table: number; count: number },
  to: number,
) => {
  const { embeddings, positions, table, count } = from
  const shape = [count, groupsOf(embeddings.inputs), long(embeddings.precision)]
  kernels.run(KERNEL.embed, Math.ceil(count / EMBEDDED_TOKENS), [
    embeddings.at,
    positions,
    table,
    to,
    ...shape,
  ])
}

/** What a token's record holds of one layer: keys and values in i16, and a scale of both for each head. */
export const keptBytes = (width: number) => width * 4 + (width / GROUP) * 8

/** Keeps keys and values of the vectors, then lets each attend to its sequence up to itself. */
export const attendTokens = (
  kernels: Kernels,
  from: { projected: number; table: number; count: number; width: number; layerInRecord: number },
  to: number,
) => {
  const { projected, table, count, width, layerInRecord } = from
  kernels.run(KERNEL.attendTokens, width / GROUP, [projected, to, table, count, width, layerInRecord])
}

/** Where the integers begin in what a token's record holds of an alignment head; before them is their factor. */
export const ALIGNMENT_HEAD_BYTES = 16

/** What a token's record holds of one alignment head: a factor (f32), and an i16 for each frame. */
export const alignmentBytes = (frames: number) => ALIGNMENT_HEAD_BYTES + Math.ceil((frames * 2) / 16) * 16

/** Lets each vector attend to the window; `alignment` is explained at the kernel. */
export const attendFrames = (
  kernels: Kernels,
  from: { queries: number; table: number; count: number; width: number; alignment: number },
  window: { keys: number; values: number; frames: number; precision: Precision },
  to: number,
) => {
  const { keys, values, frames, precision } = window
  const heads = [packedBytes(frames, GROUP, precision), packedBytes(GROUP, frames, precision)]
  const rest = [frames, from.table, from.alignment, long(precision)]
  const integers = [from.queries, to, from.count, from.width, keys, values, ...heads, ...rest]
  kernels.run(KERNEL.attendFrames, from.width / GROUP, integers)
}

// The decoder's kernels as functions: packed matrices and vectors, their products, and attention.

import {
  ALIGNMENT_HEAD_BYTES,
  EMBEDDED_TOKENS_IN_CHUNK,
  FINISH,
  FLOAT_GRID,
  FLOAT_GROUP,
  GROUP,
  GROUP_HEAD_BYTES,
  HEAD,
  KERNEL,
  LOGIT_BLOCKS_IN_CHUNK,
  LOGITS_IN_BLOCK,
  LONG_GRID,
  PACKED_PANELS_IN_CHUNK,
  PACKED_VECTORS_IN_CHUNK,
  PANEL_ROWS,
  TABLE_ENTRY,
  TABLE_ENTRY_WORDS,
  VECTOR_GROUP_BYTES,
} from './interface.ts'
import type { Kernels } from './kernels.ts'

/** Memory per thread for these kernels, for any model. */
export const TOKEN_SCRATCH_BYTES = 204_800

/** The minimum bytes of weights per chunk: about a microsecond of work with one vector. */
const CHUNK_BYTES = 16_384
/** More chunks would interrupt the stream of a large matrix without a benefit. */
const ENOUGH_CHUNKS = 256

/**
 * The values of weights. 0: any (f32). 32767: any (i16). n > 0: the largest of a group is n steps (i8). n < 0: the
 * smallest and the largest of a group are −n steps apart (i8). A quantized type with this grid is packed without loss.
 */
export type Grid = number
export const ANY_SHORT_GRID: Grid = -255

export type PackedMatrix = { at: number; rows: number; inputs: number; grid: Grid }

/** Vectors for matrices of this grid. */
export type PackedVectors = { at: number; scales: number; width: number; grid: Grid }

const isFloat = (grid: Grid) => grid === FLOAT_GRID
/** bytes of a number in a matrix */
const bytesOf = (grid: Grid) => (isFloat(grid) ? 4 : grid === LONG_GRID ? 2 : 1)
const panelsOf = (rows: number) => Math.ceil(rows / PANEL_ROWS)
const groupsOf = (inputs: number, grid: Grid) => Math.ceil(inputs / (isFloat(grid) ? FLOAT_GROUP : GROUP))
export const groupBytes = (grid: Grid) =>
  isFloat(grid) ? FLOAT_GROUP * PANEL_ROWS * 4 : GROUP_HEAD_BYTES + GROUP * PANEL_ROWS * bytesOf(grid)
const panelBytes = (inputs: number, grid: Grid) => groupsOf(inputs, grid) * groupBytes(grid)

/** Rounds rows up to panels of 8, inputs to groups of 32. */
export const packedBytes = (rows: number, inputs: number, grid: Grid) =>
  panelsOf(rows) * panelBytes(inputs, grid)

/** A range of rows, whose first is a multiple of 8. */
export const matrixRows = (matrix: PackedMatrix, first: number, rows: number): PackedMatrix => ({
  ...matrix,
  at: matrix.at + (first / PANEL_ROWS) * panelBytes(matrix.inputs, matrix.grid),
  rows,
})

export const vectorBytes = (width: number, grid: Grid) => groupsOf(width, grid) * VECTOR_GROUP_BYTES

/** Packs f32 [rows][inputs] at byte `from`; inputs are a multiple of 32. */
export const packMatrix = (kernels: Kernels, from: number, { at, rows, inputs, grid }: PackedMatrix) => {
  const groups = groupsOf(inputs, grid)
  kernels.run(KERNEL.packMatrix, Math.ceil(panelsOf(rows) / PACKED_PANELS_IN_CHUNK), {
    from,
    to: at,
    rows,
    rowBytes: inputs * 4,
    groups,
    panelBytes: panelBytes(inputs, grid),
    groupsInPart: groups,
    partBytes: 0,
    grid,
  })
}

export type Frames = {
  /** byte of f32 [frames][heads · 64], and bytes from frame to frame */
  from: number
  frameBytes: number
  frames: number
  heads: number
  /** byte of the packed matrices, one per head */
  to: number
  grid: Grid
}

/** Packs the keys of each head as a matrix [frames][64]. */
export const packKeys = (kernels: Kernels, { from, frameBytes, frames, heads, to, grid }: Frames) => {
  const headGroups = groupsOf(HEAD, grid)
  kernels.run(KERNEL.packMatrix, Math.ceil(panelsOf(frames) / PACKED_PANELS_IN_CHUNK), {
    from,
    to,
    rows: frames,
    rowBytes: frameBytes,
    groups: heads * headGroups,
    panelBytes: panelBytes(HEAD, grid),
    groupsInPart: headGroups,
    partBytes: packedBytes(frames, HEAD, grid),
    grid,
  })
}

/** Packs the values of each head as a matrix [64][frames]. */
export const packValues = (kernels: Kernels, { from, frameBytes, frames, heads, to, grid }: Frames) => {
  const rows = heads * HEAD
  kernels.run(KERNEL.packTransposed, panelsOf(rows), {
    from,
    to,
    rows,
    columnBytes: frameBytes,
    columns: frames,
    panelBytes: panelBytes(frames, grid),
    grid,
  })
}

/** Packs f32 [count][width] as vectors, after the layer norm if there is one. */
export const packVectors = (
  kernels: Kernels,
  from: { at: number; count: number; norm?: { weight: number; bias: number } | undefined },
  to: PackedVectors,
) => {
  kernels.run(KERNEL.packVectors, Math.ceil(from.count / PACKED_VECTORS_IN_CHUNK), {
    from: from.at,
    to: to.at,
    scales: to.scales,
    normWeight: from.norm?.weight ?? 0,
    normBias: from.norm?.bias ?? 0,
    count: from.count,
    width: to.width,
    inFloats: Number(isFloat(to.grid)),
  })
}

export type Multiplication = {
  matrix: PackedMatrix
  vectors: PackedVectors
  count: number
  /** f32 [count][rows, rounded up to 8] */
  to: number
  /** 0 for none */
  bias: number
  /** @default store */
  finish?: keyof typeof FINISH | undefined
}

/** Distance in numbers between the results of two vectors. */
export const resultStride = (rows: number) => panelsOf(rows) * PANEL_ROWS

export const multiplyTokens = (
  kernels: Kernels,
  { matrix, vectors, count, to, bias, finish }: Multiplication,
) => {
  const panels = panelsOf(matrix.rows)
  const bytes = panelBytes(matrix.inputs, matrix.grid)
  const perChunk = Math.max(1, Math.round(CHUNK_BYTES / bytes), Math.floor(panels / ENOUGH_CHUNKS))
  kernels.run(KERNEL.multiply, Math.ceil(panels / perChunk), {
    matrix: matrix.at,
    vectors: vectors.at,
    scales: vectors.scales,
    to,
    resultBytes: resultStride(matrix.rows) * 4,
    bias,
    finish: FINISH[finish ?? 'store'],
    count,
    panels,
    groups: groupsOf(matrix.inputs, matrix.grid),
    panelsInChunk: perChunk,
    weightBytes: bytesOf(matrix.grid),
  })
}

export type TableEntry = Record<keyof typeof TABLE_ENTRY, number>

export const tableBytes = (vectors: number) => vectors * TABLE_ENTRY_WORDS * 4

/** Writes the sequence table of a call's vectors. */
export const writeTable = (kernels: Kernels, table: number, entries: readonly TableEntry[]) => {
  const words = new Uint32Array(kernels.bytes().buffer, table, entries.length * TABLE_ENTRY_WORDS)
  for (const [vector, { token, position, records, recordCount, alignment }] of entries.entries()) {
    const first = vector * TABLE_ENTRY_WORDS
    words[first + TABLE_ENTRY.token] = token
    words[first + TABLE_ENTRY.position] = position
    words[first + TABLE_ENTRY.records] = records
    words[first + TABLE_ENTRY.recordCount] = recordCount
    words[first + TABLE_ENTRY.alignment] = alignment
  }
}

export const embed = (
  kernels: Kernels,
  from: { embeddings: PackedMatrix; positions: number; table: number; count: number },
  to: number,
) => {
  const { embeddings, positions, table, count } = from
  kernels.run(KERNEL.embed, Math.ceil(count / EMBEDDED_TOKENS_IN_CHUNK), {
    embeddings: embeddings.at,
    positions,
    table,
    to,
    count,
    width: embeddings.inputs,
    weightBytes: bytesOf(embeddings.grid),
  })
}

/** Bytes of one layer in a token's record: keys and values in i16 or f32, and a scale of both for each head. */
export const keptBytes = (width: number, grid: Grid) => width * (isFloat(grid) ? 8 : 4) + (width / HEAD) * 8

/** Stores keys and values of the vectors, then computes each vector's attention to its sequence up to itself. */
export const attendTokens = (
  kernels: Kernels,
  from: { projected: number; table: number; count: number; width: number; layerInRecord: number; grid: Grid },
  to: number,
) => {
  const { projected, table, count, width, layerInRecord, grid } = from
  const inFloats = Number(isFloat(grid))
  kernels.run(KERNEL.attendTokens, width / HEAD, {
    projected,
    to,
    table,
    count,
    width,
    layerInRecord,
    inFloats,
  })
}

/** Bytes of one alignment head of a token: a factor (f32), and an i16 or f32 for each frame. */
export const alignmentBytes = (frames: number, grid: Grid) =>
  ALIGNMENT_HEAD_BYTES + Math.ceil((frames * (isFloat(grid) ? 4 : 2)) / 16) * 16

/** Reads the numbers times their factor, as many frames as `to` holds. */
export const readAlignment = (kernels: Kernels, at: number, grid: Grid, to: Float32Array) => {
  const { buffer } = kernels.bytes()
  const factor = new Float32Array(buffer, at, 1)[0]!
  const first = at + ALIGNMENT_HEAD_BYTES
  to.set(
    isFloat(grid) ? new Float32Array(buffer, first, to.length) : new Int16Array(buffer, first, to.length),
  )
  // Five times as fast as `Float32Array.from` with a function, and there is a row per token and head.
  for (let frame = 0; frame < to.length; frame += 1) to[frame]! *= factor
}

/** Computes each vector's attention to the window; kernel-arguments.ts explains `alignment`. */
export const attendFrames = (
  kernels: Kernels,
  from: { queries: number; table: number; count: number; width: number; alignment: number },
  window: { keys: number; values: number; frames: number; grid: Grid },
  to: number,
) => {
  const { keys, values, frames, grid } = window
  kernels.run(KERNEL.attendFrames, from.width / HEAD, {
    queries: from.queries,
    to,
    count: from.count,
    width: from.width,
    keys,
    values,
    headKeysBytes: packedBytes(frames, HEAD, grid),
    headValuesBytes: packedBytes(HEAD, frames, grid),
    frames,
    table: from.table,
    alignment: from.alignment,
    numberBytes: bytesOf(grid),
  })
}

export const logitBlocks = (vocabulary: number) => Math.ceil(vocabulary / LOGITS_IN_BLOCK)

/** Computes the maximum of each block of logits, and the sum of e^(logit − maximum). */
export const sumLogits = (
  kernels: Kernels,
  from: { logits: number; count: number; vocabulary: number },
  to: { maxima: number; sums: number },
) => {
  const { logits, count, vocabulary } = from
  kernels.run(KERNEL.sumLogits, count * Math.ceil(logitBlocks(vocabulary) / LOGIT_BLOCKS_IN_CHUNK), {
    logits,
    rowBytes: resultStride(vocabulary) * 4,
    vocabulary,
    maxima: to.maxima,
    sums: to.sums,
  })
}

// The kernels of the decoder as calls: packed matrices and vectors, their products, and attention.
// Knows no layers; what the kernels compute stands in assembly/token-*.ts.

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

/** What a thread must have for these kernels, of any model. */
export const TOKEN_SCRATCH_BYTES = 204_800

/** At least so many bytes of weights make a chunk: about a microsecond's work with one vector. */
const CHUNK_BYTES = 16_384
/** More of them would interrupt the stream of a large matrix for nothing. */
const ENOUGH_CHUNKS = 256

/**
 * Which values weights have: 0 any (f32), 32767 any (i16), n > 0 the largest of a group is n steps (i8), n < 0 the
 * smallest and the largest of a group are −n steps apart (i8). A quantized type whose grid it is loses nothing.
 */
export type Grid = number
export const ANY_SHORT_GRID: Grid = -255

export type PackedMatrix = { at: number; rows: number; inputs: number; grid: Grid }

/** For matrices of the grid. */
export type PackedVectors = { at: number; scales: number; width: number; grid: Grid }

const isFloat = (grid: Grid) => grid === FLOAT_GRID
/** of a number in a matrix */
const bytesOf = (grid: Grid) => (isFloat(grid) ? 4 : grid === LONG_GRID ? 2 : 1)
const panelsOf = (rows: number) => Math.ceil(rows / PANEL_ROWS)
const groupsOf = (inputs: number, grid: Grid) => Math.ceil(inputs / (isFloat(grid) ? FLOAT_GROUP : GROUP))
export const groupBytes = (grid: Grid) =>
  isFloat(grid) ? FLOAT_GROUP * PANEL_ROWS * 4 : GROUP_HEAD_BYTES + GROUP * PANEL_ROWS * bytesOf(grid)
const panelBytes = (inputs: number, grid: Grid) => groupsOf(inputs, grid) * groupBytes(grid)

/** Rows are counted in whole panels of 8, inputs in whole groups of 32. */
export const packedBytes = (rows: number, inputs: number, grid: Grid) =>
  panelsOf(rows) * panelBytes(inputs, grid)

/** Some rows of a matrix, beginning with a multiple of 8. */
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
  /** byte of the packed matrices, one for each head */
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

/** Packs f32 [count][width] as vectors, normed before where there is a norm. */
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
  /** f32 [count][rows, up to the next 8] */
  to: number
  /** 0: none */
  bias: number
  /** @default store */
  finish?: keyof typeof FINISH | undefined
}

/** How many numbers lie between the results of two vectors. */
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

/** What a token's record holds of one layer: keys and values in i16 or f32, and a scale of both for each head. */
export const keptBytes = (width: number, grid: Grid) => width * (isFloat(grid) ? 8 : 4) + (width / HEAD) * 8

/** Keeps keys and values of the vectors, then lets each attend to its sequence up to itself. */
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

/** What is kept of one alignment head for a token: a factor (f32), and an i16 or f32 for each frame. */
export const alignmentBytes = (frames: number, grid: Grid) =>
  ALIGNMENT_HEAD_BYTES + Math.ceil((frames * (isFloat(grid) ? 4 : 2)) / 16) * 16

/** What stands there: the numbers, times their factor; as many frames as `to` has. */
export const readAlignment = (kernels: Kernels, at: number, grid: Grid, to: Float32Array) => {
  const { buffer } = kernels.bytes()
  const factor = new Float32Array(buffer, at, 1)[0]!
  const first = at + ALIGNMENT_HEAD_BYTES
  to.set(
    isFloat(grid) ? new Float32Array(buffer, first, to.length) : new Int16Array(buffer, first, to.length),
  )
  // Five times as fast as `from` with a function, and there is a row for each token and head.
  for (let frame = 0; frame < to.length; frame += 1) to[frame]! *= factor
}

/** Lets each vector attend to the window; `alignment` is explained in kernel-arguments.ts. */
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

/** Tells of each block of logits the largest, and the sum of e to the power of each less that. */
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

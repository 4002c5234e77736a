// The encoder's kernels as functions: packing into panels of i16 or f32, products with packed weights, self-attention.

import {
  HEAD,
  KERNEL,
  LARGEST_BLOCK,
  MAX_KEYS_IN_BLOCK,
  OUTPUT_PANEL,
  PANELS_IN_ATTENTION_CHUNK,
  PANELS_IN_PACK_CHUNK,
  ROW_PANEL,
  type TILE,
  TILE_AT,
} from './interface.ts'
import type { Kernels } from './kernels.ts'

/** For products and attention of integers, whose results do not depend on it; not while a kernel runs. */
export const useTile = (kernels: Pick<Kernels, 'bytes'>, tile: TILE): void => {
  new Uint32Array(kernels.bytes().buffer)[TILE_AT / 4] = tile
}

/** Rows of i16 or f32 in panels, and a scale for each; both are byte offsets in the kernels' memory. */
export type Panels = { at: number; scales: number }

/**
 * The number of inputs whose products are summed as integers at once. A smaller block leaves the numbers more bits and
 * takes a little longer: the relative error of a layer is about 1.8e-4, and 0.9e-4 with EXACT_BLOCK, which is 7 % slower.
 */
export type Block = typeof BLOCK | typeof EXACT_BLOCK | typeof IN_FLOATS
export const BLOCK: typeof LARGEST_BLOCK = LARGEST_BLOCK
export const EXACT_BLOCK = 96 as const
/** No integers: rows and weights stay f32. */
export const IN_FLOATS = 0 as const

/** The number of keys whose weighted values are summed at once; unused for f32. */
const KEYS_IN_BLOCK: Record<Block, number> = {
  [BLOCK]: MAX_KEYS_IN_BLOCK,
  [EXACT_BLOCK]: 64,
  [IN_FLOATS]: 0,
}

/**
 * With a block of 384 inputs, 96 rows take 74 kB, 192 outputs 147 kB, and their sums 74 kB: all stay in the L2 cache until
 * every row is multiplied with every output.
 */
const ROW_PANELS_IN_CHUNK = 16
const OUTPUTS_IN_CHUNK = [192, 128, 64]
const CHUNKS_PER_THREAD = 8

const upTo = (multiple: number, count: number) => Math.ceil(count / multiple) * multiple

export const panelBytes = (height: number, rows: number, inputs: number, block: Block = BLOCK) =>
  upTo(height, rows) * inputs * (block === IN_FLOATS ? 4 : 2)
export const scaleBytes = (height: number, rows: number) => upTo(height, rows) * 4

/** Memory per thread: products need 92 kB, attention 50 kB, layer norm one row. */
export const ENCODER_SCRATCH_BYTES = 92_160

export type Rows = {
  /** byte of the first row, f32 */
  from: number
  /** floats from one row to the next; rows may overlap */
  stride: number
  rows: number
  /** a multiple of 8 */
  inputs: number
  height: typeof ROW_PANEL | typeof OUTPUT_PANEL
  to: Panels
  /** that of the layer that the rows are for. @default BLOCK, which covers a head */
  block?: Block
  /** byte offsets of weight and bias of a preceding layer norm */
  norm?: { weight: number; bias: number } | undefined
  /** the number of matrices, whose first rows are `step` floats apart; they are packed one after the other */
  matrices?: number
  step?: number
}

/** Packs rows of f32, each with its own scale, which is 1 if they stay f32. */
export const packRows = (kernels: Kernels, rows: Rows): void => {
  const { norm, matrices = 1, block = BLOCK } = rows
  const chunks = matrices * Math.ceil(Math.ceil(rows.rows / rows.height) / PANELS_IN_PACK_CHUNK)
  kernels.run(block === IN_FLOATS ? KERNEL.copyRows : KERNEL.packRows, chunks, {
    from: rows.from,
    stride: rows.stride,
    rows: rows.rows,
    inputs: rows.inputs,
    height: rows.height,
    to: rows.to.at,
    scales: rows.to.scales,
    normWeight: norm?.weight ?? 0,
    normBias: norm?.bias ?? 0,
    matrices,
    step: rows.step ?? 0,
    block,
  })
}

export type Values = {
  from: number
  stride: number
  frames: number
  heads: number
  to: Panels
  /** that of the adjacent layers */
  block: Block
}

/** Packs the values of attention in panels over the frames, with one scale per column. */
export const packFrameValues = (kernels: Kernels, values: Values): void => {
  const chunks = values.heads * (HEAD / OUTPUT_PANEL)
  kernels.run(values.block === IN_FLOATS ? KERNEL.copyValues : KERNEL.packValues, chunks, {
    from: values.from,
    stride: values.stride,
    keys: values.frames,
    to: values.to.at,
    scales: values.to.scales,
    block: KEYS_IN_BLOCK[values.block],
  })
}

/** A packed linear layer: weights in panels of outputs, and a bias (f32, zeros if the layer has none). */
export type Linear = { weights: Panels; bias: number; inputs: number; outputs: number; block: Block }

export type Product = {
  rows: number
  input: Panels
  layer: Linear
  /** byte of f32 [rows][outputs] */
  to: number
  gelu?: boolean | undefined
  /** added at the end: byte of f32 [rows][outputs], which may be the result itself */
  addend?: number | undefined
}

/** result = gelu?(input · weights + bias) + addend */
export const multiplyRows = (kernels: Kernels, product: Product): void => {
  const { rows, input, layer, to, gelu = false, addend = 0 } = product
  const rowChunks = Math.ceil(Math.ceil(rows / ROW_PANEL) / ROW_PANELS_IN_CHUNK)
  const chunksOf = (outputs: number) => rowChunks * Math.ceil(layer.outputs / outputs)
  const enough = (outputs: number) => chunksOf(outputs) >= kernels.threads * CHUNKS_PER_THREAD
  const outputs = OUTPUTS_IN_CHUNK.find(enough) ?? OUTPUTS_IN_CHUNK.at(-1)!
  kernels.run(KERNEL.product, chunksOf(outputs), {
    rows: input.at,
    rowScales: input.scales,
    weights: layer.weights.at,
    weightScales: layer.weights.scales,
    bias: layer.bias,
    addend,
    to,
    rowCount: rows,
    inputs: layer.inputs,
    outputs: layer.outputs,
    gelu: Number(gelu),
    rowPanelsInChunk: ROW_PANELS_IN_CHUNK,
    outputPanelsInChunk: outputs / OUTPUT_PANEL,
    block: layer.block,
  })
}

export type SelfAttention = {
  /** each head's queries in panels of 6, times SCORE_FACTOR */
  queries: Panels
  /** each head's keys in panels of 8 */
  keys: Panels
  values: Panels
  /** byte of f32 [frames][heads · 64] */
  to: number
  frames: number
  heads: number
  /** that of the packed values */
  block: Block
}

export const attend = (kernels: Kernels, attention: SelfAttention): void => {
  const { queries, keys, values, to, frames, heads, block } = attention
  const chunks = heads * Math.ceil(Math.ceil(frames / ROW_PANEL) / PANELS_IN_ATTENTION_CHUNK)
  kernels.run(KERNEL.attention, chunks, {
    queries: queries.at,
    queryScales: queries.scales,
    keys: keys.at,
    keyScales: keys.scales,
    values: values.at,
    valueScales: values.scales,
    to,
    frames,
    heads,
    block: KEYS_IN_BLOCK[block],
  })
}

// The layers of the decoder: tokens at their positions to logits.

import { FLOAT_GRID, HEAD } from '../../../wasm/whisper/interface.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import {
  attendFrames,
  attendTokens,
  embed,
  keptBytes,
  logitBlocks,
  multiplyTokens,
  packVectors,
  resultStride,
  sumLogits,
  tableBytes,
  vectorBytes,
  writeTable,
} from '../../../wasm/whisper/token-kernels.ts'
import type { CrossAttentionCache } from './cross-attention-cache.ts'
import type { DecoderLayer, DecoderLinear, DecoderWeights } from './decoder-weights.ts'
import type { Norm } from './encoder-weights.ts'
import type { Logits } from './logits.ts'

export type TokenVector = {
  token: number
  position: number
  /** byte of the addresses of its sequence's records; the token attends to all records up to its own */
  list: number
  /** byte to which its cross-attention is written; 0 to discard it */
  alignment: number
  /** slot of the window that it attends to */
  slot: number
  /** the step whose logits it produces */
  step: number | undefined
}

export type Layers = {
  /** stores the attention weights of this head at byte `at` of each token's alignment from now on */
  keepAlignment(layer: number, head: number, at: number): void
  /** @returns the logits of each step; views that are valid until the next call */
  run(vectors: readonly TokenVector[], steps: number): Logits[]
}

/** Consecutive vectors that attend to the same window. */
type Neighbours = { slot: number; first: number; count: number }

/** Longer prompts run in parts, each of which attends to the records of the parts before. */
const MAX_AT_ONCE = 64

const NOT_KEPT = -1

type Options = {
  kernels: Kernels
  weights: DecoderWeights
  crossAttention: CrossAttentionCache
  width: number
  /** the most steps per call */
  maxSteps: number
  vocabulary: number
}

const neighboursIn = (part: readonly TokenVector[]) => {
  const neighbours: Neighbours[] = []
  for (const [first, { slot }] of part.entries()) {
    const last = neighbours.at(-1)
    if (last?.slot === slot) last.count += 1
    else neighbours.push({ slot, first, count: 1 })
  }
  return neighbours
}

export const createLayers = ({
  kernels,
  weights,
  crossAttention,
  width,
  maxSteps,
  vocabulary,
}: Options): Layers => {
  const rows = (count: number, numbers: number) => kernels.allocate(count * numbers * 4)
  const table = kernels.allocate(tableBytes(MAX_AT_ONCE))
  const states = rows(MAX_AT_ONCE, width)
  const projected = rows(MAX_AT_ONCE, 4 * width)
  const attended = rows(MAX_AT_ONCE, width)
  const vectors = {
    at: kernels.allocate(MAX_AT_ONCE * vectorBytes(4 * width, FLOAT_GRID)),
    scales: rows(MAX_AT_ONCE, 1),
  }
  const lastStates = rows(maxSteps, width)
  const logits = rows(maxSteps, resultStride(vocabulary))
  const blocks = logitBlocks(vocabulary)
  const [maxima, sums] = [rows(maxSteps, blocks), rows(maxSteps, blocks)]
  const heads = width / HEAD
  const alignments = weights.layers.map(() => rows(1, heads))

  const integers = () => new Int32Array(kernels.bytes().buffer)
  for (const at of alignments) integers().fill(NOT_KEPT, at / 4, at / 4 + heads)

  /** Norms, packs and multiplies f32 rows. */
  const apply = (
    { matrix, bias }: DecoderLinear,
    from: { at: number; norm?: Norm },
    to: { at: number; count: number; finish?: 'gelu' | 'add' },
  ) => {
    const packed = { ...vectors, width: matrix.inputs, grid: matrix.grid }
    packVectors(kernels, { ...from, count: to.count }, packed)
    multiplyTokens(kernels, { matrix, bias, vectors: packed, count: to.count, to: to.at, finish: to.finish })
  }

  /** Reads each window once for all vectors that attend to it. */
  const attendWindows = (index: number, neighbours: readonly Neighbours[]) => {
    for (const { slot, first, count } of neighbours) {
      const row = first * width * 4
      const from = {
        queries: projected + row,
        table: table + tableBytes(first),
        count,
        width,
        alignment: alignments[index]!,
      }
      attendFrames(kernels, from, crossAttention.keysValues(slot, index), attended + row)
    }
  }

  const runLayer = (layer: DecoderLayer, index: number, neighbours: readonly Neighbours[], count: number) => {
    apply(layer.project, { at: states, norm: layer.norm }, { at: projected, count })
    const grid = weights.keptGrid
    const layerInRecord = index * keptBytes(width, grid)
    attendTokens(kernels, { projected, table, count, width, layerInRecord, grid }, attended)
    apply(layer.out, { at: attended }, { at: states, count, finish: 'add' })
    apply(layer.crossQuery, { at: states, norm: layer.crossNorm }, { at: projected, count })
    attendWindows(index, neighbours)
    apply(layer.crossOut, { at: attended }, { at: states, count, finish: 'add' })
    apply(layer.mlpUp, { at: states, norm: layer.mlpNorm }, { at: projected, count, finish: 'gelu' })
    apply(layer.mlpDown, { at: projected }, { at: states, count, finish: 'add' })
  }

  const runPart = (part: readonly TokenVector[]) => {
    const entries = part.map(({ token, position, list, alignment }) => ({
      token,
      position,
      records: list,
      recordCount: position + 1,
      alignment,
    }))
    writeTable(kernels, table, entries)
    const { embeddings, positions } = weights
    embed(kernels, { embeddings, positions, table, count: part.length }, states)
    const neighbours = neighboursIn(part)
    for (const [index, layer] of weights.layers.entries()) runLayer(layer, index, neighbours, part.length)
    for (const [row, { step }] of part.entries()) {
      if (step === undefined) continue
      const from = states + row * width * 4
      kernels.bytes().copyWithin(lastStates + step * width * 4, from, from + width * 4)
    }
  }

  return {
    keepAlignment(layer, head, at) {
      integers()[alignments[layer]! / 4 + head] = at
    },
    run(all, steps) {
      for (let first = 0; first < all.length; first += MAX_AT_ONCE) {
        runPart(all.slice(first, first + MAX_AT_ONCE))
      }
      if (steps === 0) return []
      const output = { matrix: weights.embeddings, bias: 0 }
      apply(output, { at: lastStates, norm: weights.norm }, { at: logits, count: steps })
      sumLogits(kernels, { logits, count: steps, vocabulary }, { maxima, sums })
      const floats = kernels.floats()
      const row = (at: number, step: number, stride: number, numbers: number) =>
        floats.subarray(at / 4 + step * stride, at / 4 + step * stride + numbers)
      return Array.from({ length: steps }, (_, step) => ({
        values: row(logits, step, resultStride(vocabulary), vocabulary),
        maxima: row(maxima, step, blocks, blocks),
        sums: row(sums, step, blocks, blocks),
      }))
    },
  }
}

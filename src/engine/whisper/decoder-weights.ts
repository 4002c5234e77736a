// The decoder's weights, packed for its kernels.
// Computes nothing with them; reading them out of the file is weights.ts.

import type { Linear as FramesLinear } from '../../../wasm/whisper/encoder-kernels.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import {
  ANY_SHORT_GRID,
  FINEST_GRID,
  type Grid,
  type PackedMatrix,
  packedBytes,
  packMatrix,
  resultStride,
  rowsOf,
} from '../../../wasm/whisper/token-kernels.ts'
import { type Norm, packLinear } from './encoder-weights.ts'
import type { Weights } from './weights.ts'

export type Linear = { matrix: PackedMatrix; bias: number }

export type DecoderLayer = {
  norm: Norm
  /** queries, keys and values of the tokens, one after another */
  project: Linear
  out: Linear
  crossNorm: Norm
  crossQuery: Linear
  /** keys and values of the window, one after another: of so many frames that it is packed as the encoder's */
  crossProject: FramesLinear
  crossOut: Linear
  mlpNorm: Norm
  mlpUp: Linear
  mlpDown: Linear
}

export type DecoderWeights = {
  /** the output layer, too */
  embeddings: PackedMatrix
  /** f32 [textTokens][textWidth] */
  positions: number
  layers: DecoderLayer[]
  norm: Norm
}

/** The part of the type that does not tell its version. */
const TYPE = 1000

/** By ggml's numbers of file types. */
const GRIDS: Record<number, Grid> = {
  // f32 and f16
  0: FINEST_GRID,
  1: FINEST_GRID,
  // q4_0, q4_1, q8_0, q5_0, q5_1
  2: 8,
  3: -15,
  7: 127,
  8: 16,
  9: -31,
}

export const gridOf = (fileType: number): Grid => GRIDS[fileType % TYPE] ?? ANY_SHORT_GRID

/** Rows of a matrix that are read at once: whole panels, and a multiple of the weights that share a block. */
const MOST_ROWS = 2048

/** Allocates all that it packs for good. */
export const packDecoder = (kernels: Kernels, weights: Weights): DecoderWeights => {
  const { shape } = weights
  const width = shape.textWidth
  const grid = gridOf(shape.fileType)

  const plain = (name: string, count: number) => {
    const at = kernels.allocate(count * 4)
    weights.read(name, at)
    return at
  }

  const norm = (name: string): Norm => ({
    weight: plain(`${name}.weight`, width),
    bias: plain(`${name}.bias`, width),
  })

  /** Matrices of the same inputs become one. Their f32 lie in memory only for a while, and never all of them. */
  const matrix = (names: string[], inputs: number, outputs: number): PackedMatrix => {
    const rows = names.length * outputs
    const packed = { at: kernels.allocate(packedBytes(rows, inputs, grid)), rows, inputs, grid }
    const before = kernels.mark()
    const at = kernels.allocate(Math.min(outputs, MOST_ROWS) * inputs * 4)
    for (const [index, name] of names.entries()) {
      for (let row = 0; row < outputs; row += MOST_ROWS) {
        const count = Math.min(MOST_ROWS, outputs - row)
        weights.read(name, at, { first: row * inputs, count: count * inputs })
        packMatrix(kernels, at, rowsOf(packed, index * outputs + row, count))
      }
    }
    kernels.release(before)
    return packed
  }

  /** A projection that has no bias adds zero. */
  const linear = (names: string[], inputs: number, outputs: number): Linear => {
    const bias = kernels.allocate(resultStride(names.length * outputs) * 4)
    for (const [index, name] of names.entries()) {
      if (!name.endsWith('.key')) weights.read(`${name}.bias`, bias + index * outputs * 4)
    }
    return {
      matrix: matrix(
        names.map((name) => `${name}.weight`),
        inputs,
        outputs,
      ),
      bias,
    }
  }

  const square = (...names: string[]) => linear(names, width, width)

  const layer = (name: string): DecoderLayer => ({
    norm: norm(`${name}.attn_ln`),
    project: square(`${name}.attn.query`, `${name}.attn.key`, `${name}.attn.value`),
    out: square(`${name}.attn.out`),
    crossNorm: norm(`${name}.cross_attn_ln`),
    crossQuery: square(`${name}.cross_attn.query`),
    crossProject: packLinear(
      { kernels, weights },
      {
        parts: [
          { weight: `${name}.cross_attn.key.weight` },
          { weight: `${name}.cross_attn.value.weight`, bias: `${name}.cross_attn.value.bias` },
        ],
        inputs: width,
        outputs: width,
      },
    ),
    crossOut: square(`${name}.cross_attn.out`),
    mlpNorm: norm(`${name}.mlp_ln`),
    mlpUp: linear([`${name}.mlp.0`], width, 4 * width),
    mlpDown: linear([`${name}.mlp.2`], 4 * width, width),
  })

  return {
    embeddings: matrix(['decoder.token_embedding.weight'], width, shape.vocabulary),
    positions: plain('decoder.positional_embedding', shape.textTokens * width),
    layers: Array.from({ length: shape.textLayers }, (_, index) => layer(`decoder.blocks.${index}`)),
    norm: norm('decoder.ln'),
  }
}

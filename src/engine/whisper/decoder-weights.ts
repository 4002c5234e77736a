// The decoder's weights, packed for its kernels.

import {
  BLOCK,
  type Block,
  EXACT_BLOCK,
  type Linear as FramesLinear,
  IN_FLOATS,
} from '../../../wasm/whisper/encoder-kernels.ts'
import { FLOAT_GRID, LONG_GRID } from '../../../wasm/whisper/interface.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import {
  ANY_SHORT_GRID,
  type Grid,
  matrixRows,
  type PackedMatrix,
  packedBytes,
  packMatrix,
  resultStride,
} from '../../../wasm/whisper/token-kernels.ts'
import { type Norm, packLinear } from './encoder-weights.ts'
import { precisionOf } from './precision.ts'
import type { Weights } from './weights.ts'

export type DecoderLinear = { matrix: PackedMatrix; bias: number }

export type DecoderLayer = {
  norm: Norm
  /** queries, keys and values of the tokens, one after another */
  project: DecoderLinear
  out: DecoderLinear
  crossNorm: Norm
  crossQuery: DecoderLinear
  /** keys and values of the window, one after another; packed like the encoder's weights because a window has many frames */
  crossProject: FramesLinear
  crossOut: DecoderLinear
  mlpNorm: Norm
  mlpUp: DecoderLinear
  mlpDown: DecoderLinear
}

export type DecoderWeights = {
  /** number format of the window's keys and values; those of tokens are i16 unless it is f32 */
  keptGrid: Grid
  /** the output layer, too */
  embeddings: PackedMatrix
  /** f32 [textTokens][textWidth] */
  positions: number
  layers: DecoderLayer[]
  norm: Norm
}

const KEPT_GRIDS: Record<Block, Grid> = {
  [IN_FLOATS]: FLOAT_GRID,
  [EXACT_BLOCK]: LONG_GRID,
  [BLOCK]: ANY_SHORT_GRID,
}

/** Rows read at once: whole panels, and a multiple of the weights that share a block. */
const MAX_ROWS = 2048

/** Its allocations are permanent. */
export const packDecoder = (kernels: Kernels, weights: Weights): DecoderWeights => {
  const { shape } = weights
  const width = shape.textWidth
  const precision = precisionOf(weights)

  const plain = (name: string, count: number) => {
    const at = kernels.allocate(count * 4)
    weights.read(name, at)
    return at
  }

  const norm = (name: string): Norm => ({
    weight: plain(`${name}.weight`, width),
    bias: plain(`${name}.bias`, width),
  })

  /** Combines matrices with the same inputs. Unpacks to f32 in parts, which are released after packing. */
  const matrix = (names: string[], inputs: number, outputs: number): PackedMatrix => {
    const rows = names.length * outputs
    const grid = precision.grid(names)
    const packed = { at: kernels.allocate(packedBytes(rows, inputs, grid)), rows, inputs, grid }
    const before = kernels.mark()
    const at = kernels.allocate(Math.min(outputs, MAX_ROWS) * inputs * 4)
    for (const [index, name] of names.entries()) {
      for (let row = 0; row < outputs; row += MAX_ROWS) {
        const count = Math.min(MAX_ROWS, outputs - row)
        weights.read(name, at, { first: row * inputs, count: count * inputs })
        packMatrix(kernels, at, matrixRows(packed, index * outputs + row, count))
      }
    }
    kernels.release(before)
    return packed
  }

  /** A projection without a bias adds zero. */
  const linear = (names: string[], inputs: number, outputs: number): DecoderLinear => {
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
    keptGrid: KEPT_GRIDS[precision.finest('decoder.blocks.')],
    embeddings: matrix(['decoder.token_embedding.weight'], width, shape.vocabulary),
    positions: plain('decoder.positional_embedding', shape.textTokens * width),
    layers: Array.from({ length: shape.textLayers }, (_, index) => layer(`decoder.blocks.${index}`)),
    norm: norm('decoder.ln'),
  }
}

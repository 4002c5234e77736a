// The number formats in which a matrix is stored and multiplied, which follow from the types of its tensors.

import { BLOCK, type Block, EXACT_BLOCK, IN_FLOATS } from '../../../wasm/whisper/encoder-kernels.ts'
import { FLOAT_GRID, LONG_GRID } from '../../../wasm/whisper/interface.ts'
import { ANY_SHORT_GRID, type Grid } from '../../../wasm/whisper/token-kernels.ts'
import { type WhisperShape, whisperTensors } from '../whisper-tensors.ts'
import type { Weights } from './weights.ts'

/** ggml's type numbers. */
const F32 = 0
const F16 = 1

/** The grid that represents the values of each tensor type without loss. */
const GRIDS: Record<number, Grid> = {
  [F32]: FLOAT_GRID,
  [F16]: LONG_GRID,
  // q4_0, q4_1, q5_0, q5_1, q8_0
  2: 8,
  3: -15,
  6: 16,
  7: -31,
  8: 127,
}

/** Of WebAssembly's 4 GiB; the rest is for windows, tokens, and tensors while they are packed. */
const MAX_FLOAT_BYTES = 3.4e9

const floatBytes = (shape: WhisperShape) =>
  whisperTensors(shape).reduce(
    (sum, { dimensions }) => sum + 4 * dimensions.reduce((product, size) => product * size, 1),
    0,
  )

export type Precision = {
  /** for a matrix that multiplies many frames */
  block(tensors: readonly string[]): Block
  /** the finest block of the matrices with this name prefix; that half of the model stores its own values as finely */
  finest(prefix: string): Block
  /** for a matrix that multiplies a few tokens */
  grid(tensors: readonly string[]): Grid
}

/**
 * f32 stays f32 unless the weights would not fit into memory; f16 is computed in 16-bit integers, which take half the
 * memory and time.
 */
export const precisionOf = ({ shape, typeOf }: Pick<Weights, 'shape' | 'typeOf'>): Precision => {
  let fits: boolean | undefined
  const kept = (name: string) => {
    if (typeOf(name) !== F32) return typeOf(name)
    fits ??= floatBytes(shape) <= MAX_FLOAT_BYTES
    return fits ? F32 : F16
  }
  const block = (tensors: readonly string[]) => {
    const types = tensors.map(kept)
    if (types.includes(F32)) return IN_FLOATS
    return types.includes(F16) ? EXACT_BLOCK : BLOCK
  }
  return {
    block,
    finest(prefix) {
      const matrices = whisperTensors(shape).filter(({ role }) => role === 'matrix')
      return block(matrices.map(({ name }) => name).filter((name) => name.startsWith(prefix)))
    },
    grid(tensors) {
      const grids = new Set(tensors.map((name) => GRIDS[kept(name)] ?? ANY_SHORT_GRID))
      if (grids.has(FLOAT_GRID)) return FLOAT_GRID
      // no 8-bit grid represents the values of another one
      return grids.size > 1 ? LONG_GRID : [...grids][0]!
    },
  }
}

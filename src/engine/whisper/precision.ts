// In what numbers a matrix is kept and multiplied, which follows from the types of the tensors it is made of.
// Packs nothing; the numbers themselves are the kernels'.

import { BLOCK, type Block, EXACT_BLOCK, IN_FLOATS } from '../../../wasm/whisper/encoder-kernels.ts'
import { FLOAT_GRID, LONG_GRID } from '../../../wasm/whisper/interface.ts'
import { ANY_SHORT_GRID, type Grid } from '../../../wasm/whisper/token-kernels.ts'
import { type WhisperShape, whisperTensors } from '../whisper-tensors.ts'
import type { Weights } from './weights.ts'

/** ggml's numbers of types. */
const F32 = 0
const F16 = 1

/** Values that a type of tensor has: a matrix that is kept in them loses nothing. */
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

/** WebAssembly has 4 GiB: the rest is for windows, tokens, and tensors while they are packed. */
const MOST_FLOAT_BYTES = 3.4e9

const floatBytes = (shape: WhisperShape) =>
  whisperTensors(shape).reduce(
    (sum, { dimensions }) => sum + 4 * dimensions.reduce((product, size) => product * size, 1),
    0,
  )

export type Precision = {
  /** of a matrix that many frames are multiplied with */
  block(tensors: readonly string[]): Block
  /** of the finest of the matrices whose names begin so: what a half of the model keeps of its own is as fine */
  finest(prefix: string): Block
  /** of a matrix that a few tokens are multiplied with */
  grid(tensors: readonly string[]): Grid
}

/**
 * f32 stays f32, unless the model is so large that its weights would not fit; f16 is counted in integers of 16 bits,
 * which take half the memory and time.
 */
export const precisionOf = ({ shape, typeOf }: Pick<Weights, 'shape' | 'typeOf'>): Precision => {
  let fits: boolean | undefined
  const kept = (name: string) => {
    if (typeOf(name) !== F32) return typeOf(name)
    fits ??= floatBytes(shape) <= MOST_FLOAT_BYTES
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
      // no grid of 8 bits holds the values of another
      return grids.size > 1 ? LONG_GRID : [...grids][0]!
    },
  }
}

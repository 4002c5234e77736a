// The weights of a Whisper file, read as f32 into the kernels' memory, one tensor at a time.
// Does not say how they are packed: each half of the model packs its own.

import type { WhisperShape } from '../whisper-tensors.ts'

export type Weights = {
  shape: WhisperShape
  /**
   * Writes the tensor as f32 to byte `to` of the kernels' memory, in the order of the file (innermost dimension first).
   * @returns how many numbers it has
   */
  read(name: string, to: number): number
}

// Reads the weights of a Whisper file as f32 into the kernels' memory, one tensor at a time.

import { DEQUANTIZED_IN_CHUNK, KERNEL } from '../../../wasm/whisper/interface.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import type { GgmlFile, RandomAccess } from '../ggml-file.ts'
import type { WhisperShape } from '../whisper-tensors.ts'

export type Weights = {
  shape: WhisperShape
  /** ggml's type number of a tensor */
  typeOf(name: string): number
  /**
   * Writes the tensor as f32 to byte `to` of the kernels' memory, in the order of the file (innermost dimension first).
   * @param part range of its numbers; both are multiples of 256, the largest block
   * @returns how many numbers were written
   * @throws UnusableWeights if the file ends early or contains a number that is not finite
   */
  read(name: string, to: number, part?: { first: number; count: number }): number
}

export class UnusableWeights extends Error {}

/** The most bytes of the file in memory at once, besides the f32. */
const MAX_BYTES_AT_ONCE = 32_000_000

export const createWeights = (deps: { kernels: Kernels; source: RandomAccess; file: GgmlFile }): Weights => {
  const { kernels, source, file } = deps
  const tensors = new Map(file.tensors.map((tensor) => [tensor.name, tensor]))
  const find = (name: string) => {
    const tensor = tensors.get(name)
    if (!tensor) throw new UnusableWeights(`the model has no ${name}`)
    return tensor
  }
  return {
    shape: file.shape,
    typeOf: (name) => find(name).type,
    read(name, to, part) {
      const tensor = find(name)
      const whole = tensor.dimensions.reduce((product, size) => product * size, 1)
      const bytesPerNumber = tensor.bytes / whole
      const { first, count } = part ?? { first: 0, count: whole }
      const piece = Math.min(
        count,
        Math.floor(MAX_BYTES_AT_ONCE / bytesPerNumber / DEQUANTIZED_IN_CHUNK) * DEQUANTIZED_IN_CHUNK,
      )
      const before = kernels.mark()
      const raw = kernels.allocate(piece * bytesPerNumber)
      for (let done = 0; done < count; done += piece) {
        const numbers = Math.min(piece, count - done)
        const bytes = source.read(tensor.atByte + (first + done) * bytesPerNumber, numbers * bytesPerNumber)
        if (bytes.length < numbers * bytesPerNumber) throw new UnusableWeights(`the file ends within ${name}`)
        kernels.bytes().set(bytes, raw)
        const chunks = Math.ceil(numbers / DEQUANTIZED_IN_CHUNK)
        const values = { type: tensor.type, from: raw, to: to + done * 4, count: numbers }
        if (kernels.run(KERNEL.dequantize, chunks, values)) {
          throw new UnusableWeights(`${name} holds a number that is not finite`)
        }
      }
      kernels.release(before)
      return count
    },
  }
}

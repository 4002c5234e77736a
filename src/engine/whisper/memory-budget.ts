// Checks that a model fits into WebAssembly's and this machine's memory, before allocating any.

import { MOST_MEMORY_BYTES } from '../../../wasm/whisper/kernels.ts'
import { memoryForModel } from '../machine-memory.ts'
import { whisperTensors } from '../whisper-tensors.ts'
import { memoryNeeded, type TypedShape } from './memory-needed.ts'

/** Its message follows the model's name. */
export class InsufficientMemory extends Error {}

/** ggml's number of q5_0; all quantized types need the same memory. */
const QUANTIZED = 6

const quantized = ({ shape }: TypedShape): TypedShape => ({
  shape,
  tensors: whisperTensors(shape).map(({ name, role }) => ({ name, type: role === 'matrix' ? QUANTIZED : 0 })),
})

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`

/** The most memory that further windows may take, as a share of that of one window. */
const MOST_MORE = 0.5

/**
 * @returns how many windows fit side by side, at most `most`
 * @throws InsufficientMemory, whose message recommends a smaller file
 */
export const slotsThatFit = async (
  file: TypedShape,
  {
    sequencesPerSlot,
    most,
    machineBytes = memoryForModel(),
  }: { sequencesPerSlot: number; most: number; machineBytes?: number },
): Promise<number> => {
  const budget = Math.min(MOST_MEMORY_BYTES, machineBytes)
  const needed = await memoryNeeded(file, { sequencesPerSlot, slots: 1 })
  if (needed <= budget) {
    for (let slots = most; slots > 1; slots -= 1) {
      const together = await memoryNeeded(file, { sequencesPerSlot, slots })
      if (together <= Math.min(budget, needed * (1 + MOST_MORE))) return slots
    }
    return 1
  }
  const limit = budget === MOST_MEMORY_BYTES ? 'WebAssembly has' : 'this machine has for a model'
  const less = await memoryNeeded(quantized(file), { sequencesPerSlot, slots: 1 })
  const instead =
    less <= budget && less < needed
      ? `a file of it in q5_0 needs ${gigabytes(less)}`
      : 'take a smaller model, such as small or base'
  throw new InsufficientMemory(
    `needs ${gigabytes(needed)} of memory, and ${limit} ${gigabytes(budget)}; ${instead}`,
  )
}

// Computes the memory that a model needs, by building it on kernels that only count, and checks that it fits into
// WebAssembly and into this machine.

import { ALIGNMENT, type Kernels, MAX_MEMORY_BYTES } from '../../../wasm/whisper/kernels.ts'
import type { GgmlTensor } from '../ggml-file.ts'
import { memoryForModel } from '../machine-memory.ts'
import { type WhisperShape, whisperTensors } from '../whisper-tensors.ts'
import { createDecoder } from './decoder.ts'
import { packDecoder } from './decoder-weights.ts'
import { alignmentHeads } from './decoding/timing.ts'
import { createEncoder } from './encoder.ts'
import { packEncoder } from './encoder-weights.ts'
import type { Weights } from './weights.ts'

/** Reads return nothing and writes are discarded. `mark` is the count of bytes. */
const createCountingKernels = (): Kernels => {
  const nothing = new ArrayBuffer(0)
  let end = 0
  return {
    threads: 1,
    bytes: () => new Uint8Array(nothing),
    floats: () => new Float32Array(nothing),
    allocate(bytes) {
      const at = end
      end += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
      return at
    },
    mark: () => end,
    release(to) {
      end = to
    },
    run: () => 0,
    close: async () => {},
  }
}

/** For the log-mel, each thread's own memory, and tensors while they are packed. */
const REST_BYTES = 64_000_000

/** Everything that the memory depends on. */
export type TypedShape = { shape: WhisperShape; tensors: readonly Pick<GgmlTensor, 'name' | 'type'>[] }

const unread = ({ shape, tensors }: TypedShape): Weights => {
  const types = new Map(tensors.map(({ name, type }) => [name, type]))
  return { shape, typeOf: (name) => types.get(name)!, read: () => 0 }
}

/** The packed weights only. */
export const weightBytes = (file: TypedShape): number => {
  const kernels = createCountingKernels()
  const weights = unread(file)
  packEncoder({ kernels, weights })
  packDecoder(kernels, weights)
  return kernels.mark()
}

export type SideBySide = {
  /** how many windows */
  slots: number
  /** how many sequences per window; they share a prefix of half their length */
  sequencesPerSlot: number
}

/** Assumes the longest possible sequences in one slot, and a third of that in the others, which is enough for most windows. */
export const memoryNeeded = async (
  file: TypedShape,
  { slots, sequencesPerSlot }: SideBySide,
): Promise<number> => {
  const { shape } = file
  const kernels = createCountingKernels()
  const weights = unread(file)
  await createEncoder({ kernels, weights })
  const heads = alignmentHeads(shape)
  const decoder = await createDecoder({ kernels, weights, slots, sequencesPerSlot, alignmentHeads: heads })
  const half = shape.textTokens / 2
  const tokens = Math.ceil(half * (1 + sequencesPerSlot) * (1 + (slots - 1) / 3)) * decoder.tokenBytes
  const alignments = Math.ceil(half * (sequencesPerSlot + (slots - 1) / 3)) * decoder.alignmentBytes
  return kernels.mark() + slots * decoder.slotBytes + tokens + alignments + REST_BYTES
}

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
const MAX_MORE = 0.5

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
  const budget = Math.min(MAX_MEMORY_BYTES, machineBytes)
  const needed = await memoryNeeded(file, { sequencesPerSlot, slots: 1 })
  if (needed <= budget) {
    for (let slots = most; slots > 1; slots -= 1) {
      const together = await memoryNeeded(file, { sequencesPerSlot, slots })
      if (together <= Math.min(budget, needed * (1 + MAX_MORE))) return slots
    }
    return 1
  }
  const limit = budget === MAX_MEMORY_BYTES ? 'WebAssembly has' : 'this machine has for a model'
  const less = await memoryNeeded(quantized(file), { sequencesPerSlot, slots: 1 })
  const instead =
    less <= budget && less < needed
      ? `a file of it in q5_0 needs ${gigabytes(less)}`
      : 'take a smaller model, such as small or base'
  throw new InsufficientMemory(
    `needs ${gigabytes(needed)} of memory, and ${limit} ${gigabytes(budget)}; ${instead}`,
  )
}

// Computes the memory that a model needs before allocating any, by building the model on kernels that only count.

import type { GgmlTensor } from '../ggml-file.ts'
import type { WhisperShape } from '../whisper-tensors.ts'
import { createCountingKernels } from './counting-kernels.ts'
import { createDecoder } from './decoder.ts'
import { packDecoder } from './decoder-weights.ts'
import { alignmentHeads } from './decoding/alignment-heads.ts'
import { createEncoder } from './encoder.ts'
import { packEncoder } from './encoder-weights.ts'
import type { Weights } from './weights.ts'

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

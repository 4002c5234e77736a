// The decoder: computes the logits of the next token for sequences that attend to encoded windows, side by side.

import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import { alignmentBytes, keptBytes, readAlignment } from '../../../wasm/whisper/token-kernels.ts'
import { createCrossAttentionCache, type WindowCopy } from './cross-attention-cache.ts'
import { createLayers, type TokenVector } from './decoder-layers.ts'
import { packDecoder } from './decoder-weights.ts'
import type { Logits } from './logits.ts'
import { createSequences } from './sequences.ts'
import type { Weights } from './weights.ts'

/** One step of a sequence: the tokens that are appended to it. */
export type DecodingStep = {
  sequenceId: number
  tokens: readonly number[]
  /** whether the caller needs the logits. @default true */
  needsLogits?: boolean
  /** store their attention to the window, for `alignment` */
  aligned?: boolean
}

/** Softmaxed cross-attention of the alignment heads. */
export type CrossAttention = {
  tokens: number
  heads: number
  frames: number
  /** Copies the first frames of one head, as many as `to` holds. Valid until the sequence changes. */
  read(token: number, head: number, to: Float32Array): void
}

/** Each slot attends to one window and has `sequencesPerSlot` consecutive sequences, in the order of the slots. */
export type Decoder = {
  slots: number
  /** how many sequences a slot decodes side by side; memory is allocated for the used ones only */
  sequencesPerSlot: number
  /** memory per token of a sequence, and per alignment; sequences with a common prefix share both */
  tokenBytes: number
  alignmentBytes: number
  /** memory per used slot */
  slotBytes: number
  /** Sets the window of a slot: f32 [frames][audioWidth] in the kernels' memory. Empties its sequences. */
  setWindow(slot: number, encoded: number, frames: number): Promise<void>
  /** copies the window of a slot, for `restoreWindow` */
  copyWindow(slot: number): WindowCopy
  /** Sets the window of a slot to a copy, or leaves it as it is. Empties its sequences. */
  restoreWindow(slot: number, window?: WindowCopy): void
  frames(slot: number): number
  /** empties the sequence */
  reset(sequenceId: number): void
  /** copies sequence `from` to sequence `to` of the same slot */
  copy(from: number, to: number): void
  /** the number of tokens of the sequence */
  length(sequenceId: number): number
  /** @throws RangeError if a sequence would become longer than the model's textTokens */
  checkCapacity(step: DecodingStep): void
  /**
   * Appends to different sequences, with those of a slot side by side. The result of a step does not
   * depend on the other steps, to the bit.
   * @returns for each step with `needsLogits` the logits after its last token; views that are valid until the next call
   * @throws as checkCapacity
   */
  advance(steps: readonly DecodingStep[]): Logits[]
  /** of the tokens from position `from` on, which must all have been appended as `aligned` */
  alignment(sequenceId: number, from: number): CrossAttention
}

/** A decoder whose logits may come later. Callers wait for them before they call `advance` again. */
export type AsyncDecoder = Omit<Decoder, 'advance'> & {
  advance(steps: readonly DecodingStep[]): Logits[] | Promise<Logits[]>
}

export type DecoderOptions = {
  kernels: Kernels
  weights: Weights
  /** how many windows it attends to at most. @default 1 */
  slots?: number
  sequencesPerSlot: number
  /** the heads whose attention is stored, in the order of `alignment` */
  alignmentHeads: readonly (readonly [layer: number, head: number])[]
}

/**
 * Reads and packs the weights. The kernels need TOKEN_SCRATCH_BYTES per thread. Memory for tokens and windows is
 * allocated on demand, so callers must not release allocations made after this call.
 */
export const createDecoder = async (options: DecoderOptions): Promise<Decoder> => {
  const { kernels, weights, slots = 1, sequencesPerSlot, alignmentHeads } = options
  const { shape } = weights
  const packed = packDecoder(kernels, weights)
  const width = shape.textWidth
  const grid = packed.keptGrid
  const count = slots * sequencesPerSlot
  const crossAttention = createCrossAttentionCache(kernels, packed.layers, {
    maxFrames: shape.audioFrames,
    width,
    grid,
  })
  const headBytes = alignmentBytes(shape.audioFrames, grid)
  const tokenBytes = shape.textLayers * keptBytes(width, grid)
  const ofAlignment = alignmentHeads.length * headBytes
  const sequences = createSequences(kernels, {
    count,
    limit: shape.textTokens,
    recordBytes: tokenBytes,
    alignmentBytes: ofAlignment,
  })
  const layers = createLayers({
    kernels,
    weights: packed,
    width,
    maxSteps: count,
    crossAttention,
    vocabulary: shape.vocabulary,
  })
  for (const [index, [layer, head]] of alignmentHeads.entries()) {
    layers.keepAlignment(layer, head, index * headBytes)
  }

  const slotOf = (sequenceId: number) => Math.floor(sequenceId / sequencesPerSlot)

  const empty = (slot: number) => {
    for (let i = 0; i < sequencesPerSlot; i += 1) sequences.reset(slot * sequencesPerSlot + i)
  }

  /** @param logitsIndex index of the logits after its last token; undefined if the caller does not need them */
  const append = (
    { sequenceId, tokens, aligned = false }: DecodingStep,
    logitsIndex: number | undefined,
  ): TokenVector[] =>
    tokens.map((token, index) => {
      const position = sequences.length(sequenceId)
      sequences.append(sequenceId, aligned)
      const step = index === tokens.length - 1 ? logitsIndex : undefined
      const [list, alignment] = [sequences.list(sequenceId), sequences.alignment(sequenceId, position)]
      return { token, position, list, alignment, slot: slotOf(sequenceId), step }
    })

  const checkCapacity = ({ sequenceId, tokens }: DecodingStep) => {
    if (sequences.length(sequenceId) + tokens.length <= shape.textTokens) return
    throw new RangeError(`a sequence of the model has ${shape.textTokens} tokens at most`)
  }

  return {
    slots,
    sequencesPerSlot,
    tokenBytes,
    alignmentBytes: ofAlignment,
    slotBytes: crossAttention.windowBytes,
    setWindow(slot, encoded, frames) {
      empty(slot)
      return crossAttention.setWindow(slot, encoded, frames)
    },
    copyWindow: crossAttention.copyWindow,
    restoreWindow(slot, window) {
      empty(slot)
      if (window) crossAttention.restore(slot, window)
    },
    frames: crossAttention.frames,
    reset: sequences.reset,
    copy: sequences.copy,
    length: sequences.length,
    checkCapacity,
    advance(steps) {
      steps.forEach(checkCapacity)
      let logitsCount = 0
      const vectors = steps.flatMap((step) =>
        append(step, step.needsLogits === false ? undefined : logitsCount++),
      )
      return layers.run(vectors, logitsCount)
    },
    alignment: (sequenceId, from) => ({
      tokens: Math.max(0, sequences.length(sequenceId) - from),
      heads: alignmentHeads.length,
      frames: crossAttention.frames(slotOf(sequenceId)),
      read(token, head, to) {
        const at = sequences.alignment(sequenceId, from + token)
        if (at === 0) throw new Error('this token was appended without an alignment')
        readAlignment(kernels, at + head * headBytes, grid, to)
      },
    }),
  }
}

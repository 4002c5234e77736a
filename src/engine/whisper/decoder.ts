// The decoder: what comes next after some tokens, given an encoded window.
// Chooses nothing: which token is taken is decoding's.

import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import { alignmentBytes, keptBytes, readAlignment } from '../../../wasm/whisper/token-kernels.ts'
import { createCrossAttentionCache } from './cross-attention-cache.ts'
import { createLayers, type TokenVector } from './decoder-layers.ts'
import { packDecoder } from './decoder-weights.ts'
import { createSequences } from './sequences.ts'
import type { Weights } from './weights.ts'

/** One step of a sequence: the tokens that are appended to it. */
export type DecodingStep = { slot: number; tokens: readonly number[] }

/** Cross-attention of the alignment heads, softmaxed: [tokens][heads][frames]. */
export type CrossAttention = { tokens: number; heads: number; frames: number; weights: Float32Array }

export type Decoder = {
  /** how many sequences can be decoded side by side; memory is taken for those that are used */
  slots: number
  /** memory for each token of a sequence; sequences that begin alike share it */
  tokenBytes: number
  /** Listens to another window from now on: f32 [frames][audioWidth] in the kernels' memory. Empties all slots. */
  listen(encoded: number, frames: number): Promise<void>
  frames(): number
  /** the sequence of the slot is empty from now on */
  reset(slot: number): void
  /** slot `to` becomes what slot `from` is */
  copy(from: number, to: number): void
  /** how many tokens the slot has */
  length(slot: number): number
  /**
   * Appends to the sequences of different slots.
   * @returns for each step the logits [vocabulary] after its last token; views that are valid until the next call
   * @throws RangeError when a sequence would become longer than the model's textTokens
   */
  advance(steps: readonly DecodingStep[]): Float32Array[]
  /** Appends without asking what follows. @throws as advance */
  read(step: DecodingStep): void
  /** of the tokens from position `from` on */
  alignment(slot: number, from: number): CrossAttention
}

export type DecoderOptions = {
  kernels: Kernels
  weights: Weights
  slots: number
  /** whose attention is kept for `alignment`, in the order in which it is given there */
  alignmentHeads: readonly (readonly [layer: number, head: number])[]
}

/**
 * Reads and packs the weights. The kernels need TOKEN_SCRATCH_BYTES for each thread. Memory for tokens is allocated
 * when they come: nobody may release what is allocated later than this.
 */
export const createDecoder = async (options: DecoderOptions): Promise<Decoder> => {
  const { kernels, weights, slots, alignmentHeads } = options
  const { shape } = weights
  const packed = packDecoder(kernels, weights)
  const width = shape.textWidth
  const grid = packed.keptGrid
  const crossAttention = createCrossAttentionCache(kernels, packed.layers, {
    maxFrames: shape.audioFrames,
    width,
    grid,
  })
  const kept = shape.textLayers * keptBytes(width, grid)
  const headBytes = alignmentBytes(shape.audioFrames, grid)
  const recordBytes = kept + alignmentHeads.length * headBytes
  const sequences = createSequences(kernels, { slots, limit: shape.textTokens, recordBytes })
  const layers = createLayers({
    kernels,
    weights: packed,
    width,
    slots,
    crossAttention,
    vocabulary: shape.vocabulary,
  })
  for (const [index, [layer, head]] of alignmentHeads.entries()) {
    layers.keepAlignment(layer, head, kept + index * headBytes)
  }

  /** @param asked the place of the logits after its last token; undefined where nobody asks for them */
  const append = ({ slot, tokens }: DecodingStep, asked: number | undefined): TokenVector[] =>
    tokens.map((token, index) => {
      const position = sequences.length(slot)
      sequences.append(slot)
      const step = index === tokens.length - 1 ? asked : undefined
      return { token, position, list: sequences.list(slot), step }
    })

  const checkRoom = ({ slot, tokens }: DecodingStep) => {
    if (sequences.length(slot) + tokens.length <= shape.textTokens) return
    throw new RangeError(`a sequence of the model has ${shape.textTokens} tokens at most`)
  }

  return {
    slots,
    tokenBytes: recordBytes,
    listen(encoded, frames) {
      for (let slot = 0; slot < slots; slot += 1) sequences.reset(slot)
      return crossAttention.listen(encoded, frames)
    },
    frames: crossAttention.frames,
    reset: sequences.reset,
    copy: sequences.copy,
    length: sequences.length,
    advance(steps) {
      steps.forEach(checkRoom)
      return layers.run(
        steps.flatMap((step, place) => append(step, place)),
        steps.length,
      )
    },
    read(step) {
      checkRoom(step)
      layers.run(append(step, undefined), 0)
    },
    alignment(slot, from) {
      const tokens = Math.max(0, sequences.length(slot) - from)
      const heads = alignmentHeads.length
      const frames = crossAttention.frames()
      const weights = new Float32Array(tokens * heads * frames)
      for (let row = 0; row < tokens * heads; row += 1) {
        const record = sequences.record(slot, from + Math.floor(row / heads))
        const at = record + kept + (row % heads) * headBytes
        weights.set(readAlignment(kernels, at, frames, grid), row * frames)
      }
      return { tokens, heads, frames, weights }
    },
  }
}

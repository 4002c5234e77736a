// The decoder: computes the logits of the next token for sequences that attend to encoded windows, side by side.

import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import { alignmentBytes, keptBytes, readAlignment } from '../../../wasm/whisper/token-kernels.ts'
import { createCrossAttentionCache, type KeptWindow } from './cross-attention-cache.ts'
import { createLayers, type TokenVector } from './decoder-layers.ts'
import { packDecoder } from './decoder-weights.ts'
import type { Logits } from './logits.ts'
import { createSequences } from './sequences.ts'
import type { Weights } from './weights.ts'

/** One step of a sequence: the tokens that are appended to it. */
export type DecodingStep = {
  slot: number
  tokens: readonly number[]
  /** whether the caller needs the logits. @default true */
  asks?: boolean
  /** store their attention to the window, for `alignment` */
  aligned?: boolean
}

/** Softmaxed cross-attention of the alignment heads. */
export type CrossAttention = {
  tokens: number
  heads: number
  frames: number
  /** Copies the first frames of one head, as many as `to` holds. Valid until the slot's sequence changes. */
  read(token: number, head: number, to: Float32Array): void
}

/** Each place attends to one window and has `slotsOfPlace` consecutive slots, in the order of the places. */
export type Decoder = {
  places: number
  /** how many sequences a place decodes side by side; memory is allocated for the used ones only */
  slotsOfPlace: number
  /** memory per token of a sequence, and per alignment; sequences with a common prefix share both */
  tokenBytes: number
  alignmentBytes: number
  /** memory per used place */
  placeBytes: number
  /** Sets the window of a place: f32 [frames][audioWidth] in the kernels' memory. Empties its slots. */
  listen(place: number, encoded: number, frames: number): Promise<void>
  /** copies the window of a place, for `listenAgain` */
  keep(place: number): KeptWindow
  /** Sets the window of a place to a copy, or leaves it as it is. Empties its slots. */
  listenAgain(place: number, window?: KeptWindow): void
  frames(place: number): number
  /** empties the sequence of the slot */
  reset(slot: number): void
  /** copies the sequence of slot `from` to slot `to`, in the same place */
  copy(from: number, to: number): void
  /** the number of tokens in the slot */
  length(slot: number): number
  /** @throws RangeError if a sequence would become longer than the model's textTokens */
  checkCapacity(step: DecodingStep): void
  /**
   * Appends to the sequences of different slots, with the slots of a place side by side. The result of a step does not
   * depend on the other steps, to the bit.
   * @returns for each step with `asks` the logits after its last token; views that are valid until the next call
   * @throws as checkCapacity
   */
  advance(steps: readonly DecodingStep[]): Logits[]
  /** of the tokens from position `from` on, which must all have been appended as `aligned` */
  alignment(slot: number, from: number): CrossAttention
}

export type DecoderOptions = {
  kernels: Kernels
  weights: Weights
  /** how many windows it attends to at most. @default 1 */
  places?: number
  /** per place */
  slots: number
  /** the heads whose attention is stored, in the order of `alignment` */
  alignmentHeads: readonly (readonly [layer: number, head: number])[]
}

/**
 * Reads and packs the weights. The kernels need TOKEN_SCRATCH_BYTES per thread. Memory for tokens and windows is
 * allocated on demand, so callers must not release allocations made after this call.
 */
export const createDecoder = async (options: DecoderOptions): Promise<Decoder> => {
  const { kernels, weights, places = 1, slots: slotsOfPlace, alignmentHeads } = options
  const { shape } = weights
  const packed = packDecoder(kernels, weights)
  const width = shape.textWidth
  const grid = packed.keptGrid
  const slots = places * slotsOfPlace
  const crossAttention = createCrossAttentionCache(kernels, packed.layers, {
    maxFrames: shape.audioFrames,
    width,
    grid,
  })
  const headBytes = alignmentBytes(shape.audioFrames, grid)
  const tokenBytes = shape.textLayers * keptBytes(width, grid)
  const ofAlignment = alignmentHeads.length * headBytes
  const sequences = createSequences(kernels, {
    slots,
    limit: shape.textTokens,
    recordBytes: tokenBytes,
    alignmentBytes: ofAlignment,
  })
  const layers = createLayers({
    kernels,
    weights: packed,
    width,
    slots,
    crossAttention,
    vocabulary: shape.vocabulary,
  })
  for (const [index, [layer, head]] of alignmentHeads.entries()) {
    layers.keepAlignment(layer, head, index * headBytes)
  }

  const placeOf = (slot: number) => Math.floor(slot / slotsOfPlace)

  const empty = (place: number) => {
    for (let slot = 0; slot < slotsOfPlace; slot += 1) sequences.reset(place * slotsOfPlace + slot)
  }

  /** @param asked index of the logits after its last token; undefined if the caller does not need them */
  const append = (
    { slot, tokens, aligned = false }: DecodingStep,
    asked: number | undefined,
  ): TokenVector[] =>
    tokens.map((token, index) => {
      const position = sequences.length(slot)
      sequences.append(slot, aligned)
      const step = index === tokens.length - 1 ? asked : undefined
      const [list, alignment] = [sequences.list(slot), sequences.alignment(slot, position)]
      return { token, position, list, alignment, place: placeOf(slot), step }
    })

  const checkCapacity = ({ slot, tokens }: DecodingStep) => {
    if (sequences.length(slot) + tokens.length <= shape.textTokens) return
    throw new RangeError(`a sequence of the model has ${shape.textTokens} tokens at most`)
  }

  return {
    places,
    slotsOfPlace,
    tokenBytes,
    alignmentBytes: ofAlignment,
    placeBytes: crossAttention.windowBytes,
    listen(place, encoded, frames) {
      empty(place)
      return crossAttention.listen(place, encoded, frames)
    },
    keep: crossAttention.keep,
    listenAgain(place, window) {
      empty(place)
      if (window) crossAttention.restore(place, window)
    },
    frames: crossAttention.frames,
    reset: sequences.reset,
    copy: sequences.copy,
    length: sequences.length,
    checkCapacity,
    advance(steps) {
      steps.forEach(checkCapacity)
      let asking = 0
      const vectors = steps.flatMap((step) => append(step, step.asks === false ? undefined : asking++))
      return layers.run(vectors, asking)
    },
    alignment: (slot, from) => ({
      tokens: Math.max(0, sequences.length(slot) - from),
      heads: alignmentHeads.length,
      frames: crossAttention.frames(placeOf(slot)),
      read(token, head, to) {
        const kept = sequences.alignment(slot, from + token)
        if (kept === 0) throw new Error('this token was appended without an alignment')
        readAlignment(kernels, kept + head * headBytes, grid, to)
      },
    }),
  }
}

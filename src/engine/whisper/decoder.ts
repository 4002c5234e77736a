// The decoder: what comes next after some tokens, given the encoded windows that it listens to side by side.
// Chooses nothing: which token is taken is decoding's. Who is asked together with whom is in-step.ts's.

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
  /** false: nobody asks what follows; true unless given */
  asks?: boolean
  /** whether their attention to the window is kept, for `alignment` */
  aligned?: boolean
}

/** Cross-attention of the alignment heads, softmaxed: what tokens attend to. */
export type CrossAttention = {
  tokens: number
  heads: number
  frames: number
  /** The first frames of one head, as many as `to` has. Until the slot's sequence is changed. */
  read(token: number, head: number, to: Float32Array): void
}

/** Slots belong to places, which listen to a window each: the first place has the first of them. */
export type Decoder = {
  places: number
  /** how many sequences can be decoded side by side in a place; memory is taken for those that are used */
  slotsOfPlace: number
  /** memory for each token of a sequence, and for its alignment; sequences that begin alike share both */
  tokenBytes: number
  alignmentBytes: number
  /** memory for each place that is used */
  placeBytes: number
  /** Has a place listen to another window from now on: f32 [frames][audioWidth] in the kernels' memory. Empties its slots. */
  listen(place: number, encoded: number, frames: number): Promise<void>
  /** what a place listens to, for `listenAgain` */
  keep(place: number): KeptWindow
  /** Has a place listen to a window that was kept, or go on with its own. Empties its slots. */
  listenAgain(place: number, window?: KeptWindow): void
  frames(place: number): number
  /** the sequence of the slot is empty from now on */
  reset(slot: number): void
  /** slot `to` becomes what slot `from` is; both are of one place */
  copy(from: number, to: number): void
  /** how many tokens the slot has */
  length(slot: number): number
  /** @throws RangeError when a sequence would become longer than the model's textTokens */
  checkRoom(step: DecodingStep): void
  /**
   * Appends to the sequences of different slots, those of a place side by side. What comes of a step does not depend,
   * to the bit, on those beside it.
   * @returns for each step that asks the logits after its last token; views that are valid until the next call
   * @throws as checkRoom
   */
  advance(steps: readonly DecodingStep[]): Logits[]
  /** of the tokens from position `from` on, all of which were appended as `aligned` */
  alignment(slot: number, from: number): CrossAttention
}

export type DecoderOptions = {
  kernels: Kernels
  weights: Weights
  /** how many windows it listens to at most; one unless given */
  places?: number
  /** of a place */
  slots: number
  /** whose attention is kept for `alignment`, in the order in which it is given there */
  alignmentHeads: readonly (readonly [layer: number, head: number])[]
}

/**
 * Reads and packs the weights. The kernels need TOKEN_SCRATCH_BYTES for each thread. Memory for tokens and windows is
 * allocated when they come: nobody may release what is allocated later than this.
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

  /** @param asked the place of the logits after its last token; undefined where nobody asks for them */
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

  const checkRoom = ({ slot, tokens }: DecodingStep) => {
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
    checkRoom,
    advance(steps) {
      steps.forEach(checkRoom)
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
        if (kept === 0) throw new Error('a token without an alignment is asked for it')
        readAlignment(kernels, kept + head * headBytes, grid, to)
      },
    }),
  }
}

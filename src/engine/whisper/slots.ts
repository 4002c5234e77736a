// The decoder's slots for windows, each with a cache of the window that it last decoded.

import type { WindowCopy } from './cross-attention-cache.ts'
import type { AsyncDecoder } from './decoder.ts'

/** `frames` of the encoder, from a sample on. */
export type EncodedPiece = { fromSample: number; frames: number }

export type Slot = {
  index: number
  samples: Float32Array
}

export type Slots = {
  /** Waits for a free slot. Prefers the slot that last had these samples if `sameSamples`, otherwise takes the oldest. */
  take(samples: Float32Array, sameSamples: boolean): Promise<Slot>
  release(slot: Slot): void
  /** Whether the slot still has the piece; if so, resets the decoder to its beginning. */
  reuse(slot: Slot, piece: EncodedPiece): boolean
  noteEncoded(slot: Slot, piece: EncodedPiece): void
  /** The slot now attends to frames that are not a piece. */
  forget(slot: Slot): void
}

type SlotState = Slot & {
  isTaken: boolean
  /** Whether a second call may follow for these samples, for which the first piece is cached; a third never does. */
  isFirst: boolean
  /** hash of the samples, which are not retained */
  hash: number | bigint
  encoded: EncodedPiece | null
  /** the first piece, once another has replaced it in the decoder */
  start: { piece: EncodedPiece; window: WindowCopy } | null
}

const NOTHING = new Float32Array(0)

const isPiece = (one: EncodedPiece | null | undefined, other: EncodedPiece) =>
  one?.fromSample === other.fromSample && one.frames === other.frames

export const createSlots = (decoder: Pick<AsyncDecoder, 'slots' | 'copyWindow' | 'restoreWindow'>): Slots => {
  /** In the order of return, the latest last. */
  const slots: SlotState[] = Array.from({ length: decoder.slots }, (_, index) => ({
    ...{ index, samples: NOTHING, hash: 0 },
    ...{ isTaken: false, isFirst: true, encoded: null, start: null },
  }))
  const waiting: (() => void)[] = []
  const stateOf = ({ index }: Slot) => slots.find((state) => state.index === index)!

  const cacheStart = (state: SlotState) => {
    const isStart =
      state.isFirst && state.encoded?.fromSample === 0 && !isPiece(state.start?.piece, state.encoded)
    if (isStart) state.start = { piece: state.encoded!, window: decoder.copyWindow(state.index) }
    state.encoded = null
  }

  return {
    async take(samples, sameSamples) {
      const hash = Bun.hash(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
      for (;;) {
        const free = slots.filter(({ isTaken }) => !isTaken)
        const same = sameSamples ? free.findLast((state) => state.hash === hash) : undefined
        const slot = same ?? free[0]
        if (!slot) {
          await new Promise<void>((resolve) => waiting.push(resolve))
          continue
        }
        slot.isTaken = true
        slot.samples = samples
        slot.isFirst = !same
        if (!same) Object.assign(slot, { hash, encoded: null, start: null })
        return slot
      }
    },
    release(slot) {
      const state = stateOf(slot)
      state.isTaken = false
      state.samples = NOTHING
      slots.splice(slots.indexOf(state), 1)
      slots.push(state)
      waiting.shift()?.()
    },
    reuse(slot, piece) {
      const state = stateOf(slot)
      if (isPiece(state.encoded, piece)) {
        decoder.restoreWindow(state.index)
        return true
      }
      const { start } = state
      if (!state.isFirst) state.start = null
      if (isPiece(start?.piece, piece)) {
        decoder.restoreWindow(state.index, start!.window)
        state.encoded = piece
        return true
      }
      cacheStart(state)
      return false
    },
    noteEncoded: (slot, piece) => {
      stateOf(slot).encoded = piece
    },
    forget: (slot) => cacheStart(stateOf(slot)),
  }
}

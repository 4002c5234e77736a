// The decoder's places for windows, each with a cache of the window that it last decoded.

import type { KeptWindow } from './cross-attention-cache.ts'
import type { Decoder } from './decoder.ts'

/** `frames` of the encoder, from a sample on. */
export type EncodedPiece = { fromSample: number; frames: number }

export type Place = {
  index: number
  samples: Float32Array
}

export type Places = {
  /** Waits for a free place. Prefers the place that last had these samples if `sameSamples`, otherwise takes the oldest. */
  take(samples: Float32Array, sameSamples: boolean): Promise<Place>
  giveBack(place: Place): void
  /** Whether the place still has the piece; if so, resets the decoder to its beginning. */
  hasHeard(place: Place, piece: EncodedPiece): boolean
  noteHeard(place: Place, piece: EncodedPiece): void
  /** The place now attends to frames that are not a piece. */
  forget(place: Place): void
}

type Kept = Place & {
  isTaken: boolean
  /** Whether a second call may follow for these samples, for which the first piece is kept; a third never does. */
  isFirst: boolean
  /** hash of the samples, which are not retained */
  hash: number | bigint
  heard: EncodedPiece | null
  /** the first piece, once another has replaced it in the decoder */
  start: { piece: EncodedPiece; window: KeptWindow } | null
}

const NOTHING = new Float32Array(0)

const isPiece = (one: EncodedPiece | null | undefined, other: EncodedPiece) =>
  one?.fromSample === other.fromSample && one.frames === other.frames

export const createPlaces = (decoder: Pick<Decoder, 'places' | 'keep' | 'listenAgain'>): Places => {
  /** In the order of return, the latest last. */
  const places: Kept[] = Array.from({ length: decoder.places }, (_, index) => ({
    ...{ index, samples: NOTHING, hash: 0 },
    ...{ isTaken: false, isFirst: true, heard: null, start: null },
  }))
  const waiting: (() => void)[] = []
  const keptOf = ({ index }: Place) => places.find((kept) => kept.index === index)!

  const keepStart = (kept: Kept) => {
    const isStart = kept.isFirst && kept.heard?.fromSample === 0 && !isPiece(kept.start?.piece, kept.heard)
    if (isStart) kept.start = { piece: kept.heard!, window: decoder.keep(kept.index) }
    kept.heard = null
  }

  return {
    async take(samples, sameSamples) {
      const hash = Bun.hash(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
      for (;;) {
        const free = places.filter(({ isTaken }) => !isTaken)
        const same = sameSamples ? free.findLast((kept) => kept.hash === hash) : undefined
        const place = same ?? free[0]
        if (!place) {
          await new Promise<void>((resolve) => waiting.push(resolve))
          continue
        }
        place.isTaken = true
        place.samples = samples
        place.isFirst = !same
        if (!same) Object.assign(place, { hash, heard: null, start: null })
        return place
      }
    },
    giveBack(place) {
      const kept = keptOf(place)
      kept.isTaken = false
      kept.samples = NOTHING
      places.splice(places.indexOf(kept), 1)
      places.push(kept)
      waiting.shift()?.()
    },
    hasHeard(place, piece) {
      const kept = keptOf(place)
      if (isPiece(kept.heard, piece)) {
        decoder.listenAgain(kept.index)
        return true
      }
      const { start } = kept
      if (!kept.isFirst) kept.start = null
      if (isPiece(start?.piece, piece)) {
        decoder.listenAgain(kept.index, start!.window)
        kept.heard = piece
        return true
      }
      keepStart(kept)
      return false
    },
    noteHeard: (place, piece) => {
      keptOf(place).heard = piece
    },
    forget: (place) => keepStart(keptOf(place)),
  }
}

// The places of the decoder in which windows are heard, and what each still holds of the window that it heard last.
// Encodes nothing; what is decoded in a place is in-step.ts's.

import type { KeptWindow } from './cross-attention-cache.ts'
import type { Decoder } from './decoder.ts'

/** `frames` of the encoder from a sample on. */
export type EncodedPiece = { fromSample: number; frames: number }

export type Place = {
  index: number
  samples: Float32Array
}

export type Places = {
  /** Waits until one is free: the one that heard these samples last, if they are said to be the same, or the one whose are oldest. */
  take(samples: Float32Array, sameSamples: boolean): Promise<Place>
  giveBack(place: Place): void
  /** Whether the place listens to the piece already, which it then does from the beginning. */
  hasHeard(place: Place, piece: EncodedPiece): boolean
  noteHeard(place: Place, piece: EncodedPiece): void
  /** It listens to something that is no piece. */
  forget(place: Place): void
}

type Kept = Place & {
  isTaken: boolean
  /** Whether its samples may be heard once more, for which its start is kept; a third time they are not. */
  isFirst: boolean
  /** of the samples, which are not kept themselves */
  hash: number | bigint
  heard: EncodedPiece | null
  /** the first piece, where another came after it */
  start: { piece: EncodedPiece; window: KeptWindow } | null
}

const NOTHING = new Float32Array(0)

const isPiece = (one: EncodedPiece | null | undefined, other: EncodedPiece) =>
  one?.fromSample === other.fromSample && one.frames === other.frames

export const createPlaces = (decoder: Pick<Decoder, 'places' | 'keep' | 'listenAgain'>): Places => {
  /** The one that was given back last is the last. */
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

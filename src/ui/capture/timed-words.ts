// The words of a transcript with their times and their places in the texts of its segments, and which of them is said
// at a moment. How they are lit is lit-words.ts.

import type { ShownSegment } from '../server/wire.ts'

export type TimedWord = {
  /** seconds */
  start: number
  end: number
  /** which segment, and from where to where in its text */
  segment: number
  from: number
  to: number
  probability: number | null
}

/** Below this the engine was not sure of a word, and a person had better look. */
const UNSURE = 0.5

export const isUnsure = ({ probability }: Pick<TimedWord, 'probability'>): boolean =>
  probability !== null && probability < UNSURE

/** Words that a segment's text does not have, as after a correction of old, are left out. */
export function timedWords(segments: readonly ShownSegment[]): TimedWord[] {
  return segments.flatMap(({ text, words = [] }, segment) => {
    const found: TimedWord[] = []
    let at = 0
    for (const { word, start, end, probability } of words) {
      const bare = word.trim()
      const from = text.indexOf(bare, at)
      if (bare === '' || from < 0) continue
      at = from + bare.length
      found.push({ start, end, segment, from, to: at, probability })
    }
    return found
  })
}

/** A word stays lit over the pause behind it, but not over silence. */
const LINGERS_SECONDS = 0.4

/** The last that has begun: its index; -1 where nothing is said. */
export function wordIndexAt(words: readonly { start: number; end: number }[], seconds: number): number {
  const at = lastBegun(words, seconds)
  return at >= 0 && seconds <= words[at]!.end + LINGERS_SECONDS ? at : -1
}

/** By halves: asked at each frame, of tens of thousands. */
export function lastBegun(timed: readonly { start: number }[], seconds: number): number {
  let [low, high] = [0, timed.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (timed[middle]!.start <= seconds) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The word at a place of a segment's text, or the one before it. */
export const wordIndexOf = (words: readonly TimedWord[], segment: number, offset: number): number =>
  words.findLastIndex((word) => word.segment === segment && word.from <= offset)

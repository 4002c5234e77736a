// The words of a transcript with their times and their offsets in the segment texts.

import type { ShownSegment } from '../server/wire.ts'

export type TimedWord = {
  /** seconds */
  start: number
  end: number
  /** segment index, and character offsets in its text */
  segment: number
  from: number
  to: number
  probability: number | null
}

/** Confidence below which a word is marked for review. */
const UNSURE = 0.5

export const isUnsure = ({ probability }: Pick<TimedWord, 'probability'>): boolean =>
  probability !== null && probability < UNSURE

/** Leaves out words that the segment's text does not contain, as after an old correction. */
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

/** A word stays highlighted through the pause after it, but not through silence. */
const LINGERS_SECONDS = 0.4

/** The index of the last word that has begun; -1 in silence. */
export function wordIndexAt(words: readonly { start: number; end: number }[], seconds: number): number {
  const at = lastBegun(words, seconds)
  return at >= 0 && seconds <= words[at]!.end + LINGERS_SECONDS ? at : -1
}

/** Binary search: runs on every frame over tens of thousands of words. */
export function lastBegun(timed: readonly { start: number }[], seconds: number): number {
  let [low, high] = [0, timed.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (timed[middle]!.start <= seconds) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The word at an offset of a segment's text, or the one before it. */
export const wordIndexOf = (words: readonly TimedWord[], segment: number, offset: number): number =>
  words.findLastIndex((word) => word.segment === segment && word.from <= offset)

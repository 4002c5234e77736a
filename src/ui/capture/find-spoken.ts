// Finds where in a recording words were said: of a search, whose hits the server finds in the text alone.
// As the server does it takes no notice of case and accents, and lets words go on.

import type { ShownSegment } from '../server/wire.ts'

export const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** The words of a search, folded. */
export const searchTerms = (words: string): string[] => folded(words).match(/[\p{L}\p{N}]+/gu) ?? []

/** Seconds: of the first word in the first of the segments that have the most of the words; null where there are none. */
export function findSpoken(segments: readonly ShownSegment[], words: string): number | null {
  const terms = searchTerms(words)
  let best = { hits: 0, at: null as number | null }
  for (const segment of segments) {
    const text = folded(segment.text)
    const found = terms.filter((term) => text.includes(term))
    if (found.length <= best.hits) continue
    best = { hits: found.length, at: wordTime(segment, found) }
  }
  return best.at
}

function wordTime({ start, words = [] }: ShownSegment, terms: string[]): number {
  const word = words.find((one) => terms.some((term) => folded(one.word).includes(term)))
  return word?.start ?? start
}

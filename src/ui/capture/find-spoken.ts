// Finds when the words of a search were spoken; the server's search covers the text only. Uses the server's own
// highlight patterns, so both fold text in the same way.

import { foldQuery, nearPatterns, shownPatterns } from '../../text/query-words.ts'
import { foldForSearch, foldWithPositions } from '../../text/search-words.ts'
import { UNSPACED_SCRIPTS } from '../../text/text-tokens.ts'
import type { ShownSegment } from '../server/wire.ts'
import { timedWords } from './timed-words.ts'

/** Seconds: the first match in the first segment with the most of these words; null if no segment has any. */
export function findSpoken(segments: readonly ShownSegment[], words: string): number | null {
  const query = foldQuery(words)
  return spokenAt(segments, shownPatterns(query)) ?? spokenAt(segments, nearPatterns(query))
}

function spokenAt(segments: readonly ShownSegment[], patterns: readonly RegExp[]): number | null {
  let best = { hits: 0, segment: null as ShownSegment | null }
  for (const segment of segments) {
    const text = foldForSearch(segment.text)
    const hits = patterns.filter((pattern) => text.search(pattern) >= 0).length
    if (hits > best.hits) best = { hits, segment }
  }
  return best.segment && wordTime(best.segment, patterns)
}

/** The start of the word at the first match. */
function wordTime(segment: ShownSegment, patterns: readonly RegExp[]): number {
  const [{ from } = { from: 0 }] = placesIn(segment.text, patterns)
  const words = timedWords([segment])
  return (words.find(({ to }) => to > from) ?? words.at(-1))?.start ?? segment.start
}

export type FoundPlace = { from: number; to: number }

const GOES_ON = /[\p{L}\p{N}\p{M}]*/uy

/** All matches in a text, in order. A match at the start of a word is extended to the whole word. */
function placesIn(text: string, patterns: readonly RegExp[]): FoundPlace[] {
  const { folded, at } = foldWithPositions(text)
  return patterns
    .flatMap((pattern) => [...folded.matchAll(pattern)])
    .map(({ index, 0: found }) => {
      GOES_ON.lastIndex = index + found.length
      const rest = GOES_ON.exec(folded)?.[0] ?? ''
      return { from: at[index]!, to: at[index + found.length + (isSpaced(found) ? rest.length : 0)]! }
    })
    .toSorted((one, other) => one.from - other.from)
}

const ENDS_UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]$`, 'u')
const isSpaced = (found: string): boolean => !ENDS_UNSPACED.test(found)

/** All matches of a search in each of the texts. */
export function foundPlaces(texts: readonly string[], words: string): (FoundPlace & { segment: number })[] {
  const query = foldQuery(words)
  const placesOf = (patterns: readonly RegExp[]) =>
    texts.flatMap((text, segment) => placesIn(text, patterns).map((place) => ({ ...place, segment })))
  const found = placesOf(shownPatterns(query))
  return found.length > 0 ? found : placesOf(nearPatterns(query))
}

// The words of a transcript with their times and their offsets in the segment texts, and when the words of a
// search were spoken.

import { type Signal, signal } from '@preact/signals'
import { parseDates } from '../../text/query-dates.ts'
import { parseOperators } from '../../text/query-operators.ts'
import { foldQuery, nearPatterns, shownPatterns } from '../../text/query-words.ts'
import { foldForSearch, foldWithPositions } from '../../text/search-words.ts'
import { UNSPACED_SCRIPTS } from '../../text/text-tokens.ts'
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

/** Seconds: the first match in the first segment with the most of these words; null if no segment has any. */
export function findSpoken(segments: readonly ShownSegment[], words: string): number | null {
  const query = foldQuery(wantedWords(words))
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

/** The words of a search query, without its operators. */
const wantedWords = (query: string): string => parseOperators(parseDates(query).words).plain

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
/** Whether a space follows this text, as in most scripts. */
export const isSpaced = (text: string): boolean => !ENDS_UNSPACED.test(text)

/** All matches of a search in each of the texts. */
export function foundPlaces(texts: readonly string[], words: string): (FoundPlace & { segment: number })[] {
  const query = foldQuery(wantedWords(words))
  const placesOf = (patterns: readonly RegExp[]) =>
    texts.flatMap((text, segment) => placesIn(text, patterns).map((place) => ({ ...place, segment })))
  const found = placesOf(shownPatterns(query))
  return found.length > 0 ? found : placesOf(nearPatterns(query))
}

export type TranscriptState = {
  /** id of the capture */
  id: string
  /** the segment being edited, and the initial selection in its text */
  editing: Signal<{ segment: number; from: number; to: number } | null>
  /** the current unsure word */
  chosen: Signal<{ segment: number; from: number; to: number } | null>
}

export const createTranscriptState = (id: string): TranscriptState => ({
  id,
  editing: signal(null),
  chosen: signal(null),
})

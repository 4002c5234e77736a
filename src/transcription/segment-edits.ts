// Edits segments: removes parts, splits them, replaces text by the dictionary; words and times stay consistent.

import type { Segment, Word } from '../engine/engine.ts'
import { createPause } from '../lib/time-slice.ts'
import { type AppliedText, countEdits, editText } from '../text/dictionary/apply.ts'
import type { Dictionary } from '../text/dictionary/compile.ts'
import type { Surroundings } from '../text/dictionary/entry.ts'
import { type Edit, editsIn } from '../text/dictionary/find-edits.ts'
import { cutRanges } from '../text/sound-captions.ts'
import type { TextRange } from '../text/text-tokens.ts'
import { between } from './transcript.ts'

/** The range of each word in the segment's text; null if it is not found. */
export function locateWords({ text, words }: Segment): (TextRange | null)[] {
  let at = 0
  return words.map(({ word }) => {
    const wanted = word.trim()
    const from = wanted === '' ? -1 : text.indexOf(wanted, at)
    if (from < 0) return null
    at = from + wanted.length
    return { from, to: at }
  })
}

/** The segment without these ranges of its text; null if no text is left. */
export function removeRanges(segment: Segment, ranges: TextRange[]): Segment | null {
  if (ranges.length === 0) return segment
  const text = cutRanges(segment.text, ranges).trim()
  if (text === '') return null
  // Compares the middle: the comma or full stop at a word's end may be outside the range.
  const inside = (place: TextRange) => {
    const middle = (place.from + place.to) / 2
    return ranges.some(({ from, to }) => middle > from && middle < to)
  }
  const places = locateWords(segment)
  const words = segment.words.filter((_, index) => {
    const place = places[index]
    return !place || !inside(place)
  })
  const startMs = words[0]?.startMs ?? segment.startMs
  const endMs = words.at(-1)?.endMs ?? segment.endMs
  return { ...segment, text, words, startMs, endMs }
}

/** Two segments, the second beginning with this word; one if the word is not in the text. */
export function splitBefore(segment: Segment, wordIndex: number): Segment[] {
  const place = locateWords(segment)[wordIndex]
  if (wordIndex === 0 || !place) return [segment]
  const [first, second] = [segment.words.slice(0, wordIndex), segment.words.slice(wordIndex)]
  return [
    {
      ...segment,
      text: segment.text.slice(0, place.from).trimEnd(),
      words: first,
      endMs: first.at(-1)!.endMs,
    },
    { ...segment, text: segment.text.slice(place.from), words: second, startMs: second[0]!.startMs },
  ]
}

/** The words of all segments; a segment without words counts as one word. */
export const wordsIn = (segments: Segment[]): Word[] =>
  segments.flatMap((segment) => (segment.words.length > 0 ? segment.words : wholeAsWord(segment)))

const wholeAsWord = ({ text, startMs, endMs }: Segment): Word => ({
  word: text,
  startMs,
  endMs,
  probability: null,
})

/** The part of the segments from index `from` to `to` (excluded) of their `wordsIn`. */
export function sliceWords(segments: Segment[], from: number, to: number): Segment[] {
  let passed = 0
  return segments.flatMap((segment) => {
    const count = Math.max(1, segment.words.length)
    const first = Math.max(0, from - passed)
    const end = Math.min(count, to - passed)
    passed += count
    if (first >= end) return []
    return end - first === count ? segment : partOf(segment, first, end)
  })
}

function partOf(segment: Segment, first: number, end: number): Segment {
  const places = locateWords(segment)
  const words = segment.words.slice(first, end)
  const [from, to] = [first === 0 ? 0 : places[first]?.from, places[end]?.from ?? segment.text.length]
  const found = from !== undefined && (end === segment.words.length || places[end])
  const text = found ? segment.text.slice(from, to).trim() : words.map(({ word }) => word.trim()).join(' ')
  const startMs = first === 0 ? segment.startMs : words[0]!.startMs
  const endMs = end === segment.words.length ? segment.endMs : words.at(-1)!.endMs
  return { ...segment, text, words, startMs, endMs }
}

/** `text` replaces the range. */
export type Rewrite = TextRange & { text: string }

/**
 * @param edits ranges of the trimmed text, ordered, not overlapping
 * @returns null if no text is left
 */
export function editSegment(untrimmed: Segment, edits: readonly Rewrite[]): Segment | null {
  const segment = { ...untrimmed, text: untrimmed.text.trim() }
  const text = editText(segment.text, edits).trim()
  if (text === '') return null
  return { ...segment, text, words: editWords(segment, edits) }
}

/** Indexes of adjacent words that one or more edits touch. */
type Group = { first: number; last: number; edits: Rewrite[] }

function editWords(segment: Segment, edits: readonly Rewrite[]): Word[] {
  const places = locateWords(segment)
  const groups: Group[] = []
  for (const edit of edits) {
    const touches = (place: TextRange | null) =>
      place !== null && place.from < edit.to && place.to > edit.from
    const [first, last] = [places.findIndex(touches), places.findLastIndex(touches)]
    if (first < 0) continue
    const before = groups.at(-1)
    if (before && before.last >= first) {
      before.last = Math.max(before.last, last)
      before.edits.push(edit)
    } else {
      groups.push({ first, last, edits: [edit] })
    }
  }
  return groups
    .toReversed()
    .reduce(
      (words, group) =>
        words.toSpliced(group.first, group.last - group.first + 1, ...rewritten(segment, places, group)),
      segment.words,
    )
}

function rewritten(
  { text, words }: Segment,
  places: (TextRange | null)[],
  { first, last, edits }: Group,
): Word[] {
  const [from, to] = [places[first]!.from, places[last]!.to]
  const local = edits.map((edit) => ({
    ...edit,
    from: Math.max(edit.from, from) - from,
    to: Math.min(edit.to, to) - from,
  }))
  const written = editText(text.slice(from, to), local)
    .split(/\s+/)
    .filter((word) => word !== '')
  const old = words.slice(first, last + 1)
  if (written.length === old.length) return old.map((word, index) => ({ ...word, word: written[index]! }))
  return spread(written, old)
}

/**
 * Spreads the new words over the time of the old ones by their number of characters. Each gets the lowest probability
 * of the old words; the first one gets their tokens.
 */
function spread(written: readonly string[], old: readonly Word[]): Word[] {
  const [startMs, endMs] = [old[0]!.startMs, old.at(-1)!.endMs]
  const known = old.flatMap(({ probability }) => probability ?? [])
  const probability = known.length === 0 ? null : Math.min(...known)
  const characters = written.reduce((sum, word) => sum + word.length, 0)
  const tokens = old.flatMap((word) => word.tokens ?? [])
  const hasTokens = old.some((word) => word.tokens !== undefined)
  let passed = 0
  const timeAt = (character: number) => Math.round(startMs + ((endMs - startMs) * character) / characters)
  return written.map((word, index) => {
    const from = timeAt(passed)
    passed += word.length
    const tokenFields = hasTokens && { tokens: index === 0 ? tokens : [] }
    return { word, startMs: from, endMs: timeAt(passed), probability, ...tokenFields }
  })
}

export type AppliedSegments = AppliedText & {
  /** without segments that became empty; unchanged segments are the same objects */
  segments: Segment[]
}

/** `text` is the joined text of all segments. */
export async function appliedToSegments(
  dictionary: Dictionary,
  segments: readonly Segment[],
  surroundings: Surroundings,
): Promise<AppliedSegments> {
  const pause = createPause()
  const { whole, places } = joinWithPlaces(segments)
  const { edits, ...rest } = await editsIn(dictionary, whole, surroundings)
  const changed: Segment[] = []
  let first = 0
  for (const [index, segment] of segments.entries()) {
    const place = places[index]!
    while (first < edits.length && edits[first]!.to <= place.from) first += 1
    const local = editsWithin(edits, place, first)
    const edited = local.length === 0 ? segment : editSegment(segment, local)
    if (edited !== null) changed.push(edited)
    await pause()
  }
  return { segments: changed, text: editText(whole, edits), applied: countEdits(edits), ...rest }
}

function joinWithPlaces(segments: readonly Segment[]): { whole: string; places: TextRange[] } {
  const parts: string[] = []
  const places: TextRange[] = []
  let [length, last] = [0, '']
  for (const segment of segments) {
    const text = segment.text.trim()
    const gap = last === '' || text === '' ? '' : between(last, text)
    parts.push(gap, text)
    places.push({ from: length + gap.length, to: length + gap.length + text.length })
    length += gap.length + text.length
    last = text || last
  }
  return { whole: parts.join(''), places }
}

/** The edits inside one segment, from index `first` on. An edit across several segments is written into the first. */
function editsWithin(edits: readonly Edit[], place: TextRange, first: number): Edit[] {
  const within: Edit[] = []
  for (let index = first; index < edits.length && edits[index]!.from < place.to; index += 1) {
    const edit = edits[index]!
    const [from, to] = [Math.max(edit.from, place.from), Math.min(edit.to, place.to)]
    // An edit may start at the space before the segment, which belongs to no segment.
    const isFirst = edit.from >= place.from - 1
    if (from < to)
      within.push({ ...edit, from: from - place.from, to: to - place.from, text: isFirst ? edit.text : '' })
  }
  return within
}

// Removes parts of segments and splits them; words and times stay consistent.

import type { Segment, Word } from '../engine/engine.ts'
import { cutRanges } from '../text/sound-captions.ts'
import type { TextRange } from '../text/text-range.ts'

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

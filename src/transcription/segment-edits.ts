// Takes parts out of a segment, and cuts one in two, so that its words and times stay true.
// Does not decide what goes; captions.ts, repetition.ts and transcribe-window.ts do.

import type { Segment } from '../engine/engine.ts'
import { cutRanges, type TextRange } from '../text/captions.ts'

/** Where each word stands in the segment's text; null for one that cannot be found there. */
function locateWords({ text, words }: Segment): (TextRange | null)[] {
  let at = 0
  return words.map(({ word }) => {
    const wanted = word.trim()
    const from = wanted === '' ? -1 : text.indexOf(wanted, at)
    if (from < 0) return null
    at = from + wanted.length
    return { from, to: at }
  })
}

/** The segment without these parts of its text; null when nothing is left. */
export function removeRanges(segment: Segment, ranges: TextRange[]): Segment | null {
  if (ranges.length === 0) return segment
  const text = cutRanges(segment.text, ranges).trim()
  if (text === '') return null
  // By its middle: the comma or full stop at a word's end may lie on the other side.
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

/** Two segments, the second beginning with this word; the segment alone when the word is not in its text. */
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

// Splits segments that are longer than a client of whisper.cpp's server wants, as its whisper_wrap_segment does, but for
// one thing: never within a word, which that server does unless `split_on_word` is set.

import type { Segment } from '../../../engine/engine.ts'
import { locateWords, splitBefore } from '../../../transcription/segment-edits.ts'

/** A word that is longer is a segment of its own. */
export function splitSegments(segments: readonly Segment[], maxCharacters: number): Segment[] {
  return segments.flatMap((segment) => {
    const parts: Segment[] = []
    for (let rest = segment; ; ) {
      const [part, next] = splitBefore(rest, firstBeyond(rest, maxCharacters))
      parts.push(part!)
      if (next === undefined) return parts
      rest = next
    }
  })
}

/** The first word that ends too far from the beginning, which has a space before it there; 0 where none does. */
function firstBeyond(segment: Segment, maxCharacters: number): number {
  const places = locateWords(segment)
  return Math.max(
    0,
    places.findIndex(
      (place, index) =>
        index > 0 && place !== null && lengthOf(` ${segment.text.slice(0, place.to)}`) > maxCharacters,
    ),
  )
}

/** Characters as whisper.cpp counts them: code points. */
const lengthOf = (text: string): number => [...text].length

// Splits long segments like whisper.cpp's whisper_wrap_segment, but never inside a word, which that function does unless
// `split_on_word` is set.

import type { Segment } from '../../../engine/engine.ts'
import { locateWords, splitBefore } from '../../../transcription/segment-edits.ts'

/** A word longer than the limit becomes a segment of its own. */
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

/** Index of the first word that ends beyond the limit, counting the leading space; 0 if there is none. */
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

/** whisper.cpp counts code points. */
const lengthOf = (text: string): number => [...text].length

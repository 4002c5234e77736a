// The words in the texts of segments, by the rules of every script, for comparison. Words with times are Segment.words.

import type { Segment } from '../engine/engine.ts'
import { lowerCase } from '../text/letter-case.ts'
import type { TextRange } from '../text/text-range.ts'

/** `segment` is the segment's index, `range` the position in its text. */
export type WordPart = { folded: string; segment: number; range: TextRange }

/** @param language ISO 639-1, for case folding; null if unknown */
export function wordPartsOf(
  segments: readonly Pick<Segment, 'text'>[],
  language: string | null = null,
): WordPart[] {
  const words = new Intl.Segmenter(undefined, { granularity: 'word' })
  return segments.flatMap(({ text }, segment) =>
    Array.from(words.segment(text))
      .filter((part) => part.isWordLike)
      .map((part) => ({
        folded: fold(part.segment, language),
        segment,
        range: { from: part.index, to: part.index + part.segment.length },
      })),
  )
}

const fold = (word: string, language: string | null) =>
  lowerCase(word.normalize('NFKC').replaceAll('’', "'"), language)

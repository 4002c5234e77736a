// Detects a phrase that the recogniser wrote over and over, and removes the repeats.

import type { Segment } from '../engine/engine.ts'
import { lowerCase } from '../text/letter-case.ts'
import type { TextRange } from '../text/text-tokens.ts'
import { removeRanges } from './segment-edits.ts'

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

type Loop = { from: number; period: number; times: number }

const LONGEST_PHRASE = 24
/** Speakers may say a phrase three times; no dictation repeats it more often and this long. */
const MIN_TIMES = 4
const MIN_TOKENS = 8

/** Whether a phrase is repeated more often than a speaker would. */
export const hasLoop = (segments: readonly Pick<Segment, 'text'>[]): boolean =>
  findLoop(wordPartsOf(segments)) !== null

/** Reduces every loop to its first round. */
export function cutLoops(segments: Segment[]): Segment[] {
  let kept = segments
  for (;;) {
    const tokens = wordPartsOf(kept)
    const loop = findLoop(tokens)
    if (!loop) return kept
    const first = loop.from + loop.period
    const repeats = tokens.slice(first, first + loop.period * (loop.times - 1))
    kept = kept.flatMap((segment, index) => {
      const here = repeats.filter((token) => token.segment === index)
      if (here.length === 0) return segment
      const before = tokens[tokens.indexOf(here[0]!) - 1]
      // From the end of the previous word: the comma between two rounds is removed with the second.
      const from = before?.segment === index ? before.range.to : 0
      return removeRanges(segment, [{ from, to: here.at(-1)!.range.to }]) ?? []
    })
  }
}

function findLoop(tokens: WordPart[]): Loop | null {
  for (let from = 0; from < tokens.length; from++) {
    for (let period = 1; period <= LONGEST_PHRASE; period++) {
      const times = timesRepeated(tokens, from, period)
      if (times >= MIN_TIMES && times * period >= MIN_TOKENS) return { from, period, times }
    }
  }
  return null
}

function timesRepeated(tokens: WordPart[], from: number, period: number): number {
  let same = 0
  while (
    tokens[from + period + same] &&
    tokens[from + period + same]!.folded === tokens[from + same]!.folded
  ) {
    same++
  }
  return 1 + Math.floor(same / period)
}

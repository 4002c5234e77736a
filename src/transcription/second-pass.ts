// Corrects the words of a first transcription by a second one of the same speech, which had the preceding text as context.

import type { Segment } from '../engine/engine.ts'
import { align, similarity } from '../lib/alignment.ts'
import { capitalizeFirst, lowerCase } from '../text/letter-case.ts'
import type { TextRange } from '../text/text-range.ts'
import { editSegment, type Rewrite } from './edit-segment.ts'
import { joinTexts } from './join-text.ts'
import { hasLoop } from './repetition.ts'
import { type WordPart, wordPartsOf } from './word-parts.ts'

/** A longer difference is not a recognition error but an omission, a hallucination or an echo of the preceding text. */
const MOST_WORDS = 5
/** "an other" and "another" are two words and one. */
const MOST_MORE_OR_FEWER = 2
/** Similarity by edit distance: "dominion's captain" and "dominions kept him" pass, "just be clear" and "the speaker" do not. */
const ALIKE = 0.5

/**
 * Replaces words of the segments by the second pass's. Adds and removes nothing: with the preceding text as context,
 * Whisper spells names better and makes fewer errors, but it also omits what it takes for already written, and repeats
 * its context. Sentences, times and probabilities stay the first pass's: two passes that differ make no word more
 * certain.
 */
export function correctWords(segments: Segment[], second: Segment[], language: string): Segment[] {
  if (hasLoop(second)) return segments
  const secondText = joinTexts(second.map(({ text }) => text))
  const trimmed = segments.map((segment) => ({ ...segment, text: segment.text.trim() }))
  const differences = differencesOf(
    wordPartsOf(trimmed, language),
    wordPartsOf([{ text: secondText }], language),
  )
  return trimmed.map((segment, index) => {
    const rewrites = differences
      .filter(({ was }) => was[0]!.segment === index)
      .map(({ was, is }) =>
        rewriteOf({ text: segment.text, ...rangeOf(was) }, { text: secondText, ...rangeOf(is) }, language),
      )
      .filter((rewrite) => rewrite !== null)
    return rewrites.length === 0 ? segments[index]! : (editSegment(segment, rewrites) ?? segments[index]!)
  })
}

type Difference = { was: WordPart[]; is: WordPart[] }

/** Where the passes differ: between words that they share, or at the beginning or end. */
function differencesOf(first: WordPart[], second: WordPart[]): Difference[] {
  const { ofInput } = align(
    first.map(({ folded }) => folded),
    second.map(({ folded }) => folded),
  )
  const differences: Difference[] = []
  let [from, fromSecond] = [0, 0]
  for (let at = 0; at <= first.length; at++) {
    const partner = at < first.length ? ofInput[at]! : second.length
    if (partner < 0) continue
    const difference = { was: first.slice(from, at), is: second.slice(fromSecond, partner) }
    const isBetween = from > 0 && at < first.length
    if (isOfOnePlace(difference) && (isBetween || isAlike(difference))) differences.push(difference)
    from = at + 1
    fromSecond = partner + 1
  }
  return differences
}

function isOfOnePlace({ was, is }: Difference): boolean {
  if (was.length === 0 || is.length === 0 || Math.max(was.length, is.length) > MOST_WORDS) return false
  if (Math.abs(was.length - is.length) > MOST_MORE_OR_FEWER) return false
  // "twenty-one" for "21" is not a correction: the second pass writes numbers in the style of its context.
  return was[0]!.segment === was.at(-1)!.segment && hasDigits(was) === hasDigits(is)
}

const hasDigits = (words: WordPart[]) => words.some(({ folded }) => /\p{N}/u.test(folded))

/** At the beginning and end no shared word proves that both cover the same speech: one may be an echo. */
const isAlike = ({ was, is }: Difference) =>
  was.length === is.length || similarity(charactersOf(was), charactersOf(is)) >= ALIKE

const charactersOf = (words: WordPart[]) => words.map(({ folded }) => folded).join('')

const rangeOf = (words: WordPart[]): TextRange => ({ from: words[0]!.range.from, to: words.at(-1)!.range.to })

type Place = TextRange & { text: string }

/** Null if only one of the texts has a symbol next to the word: "15%", "50 percent". */
function rewriteOf(was: Place, is: Place, language: string): Rewrite | null {
  if (signsAt(was) !== signsAt(is)) return null
  const { from, to } = was
  const written = is.text.slice(is.from, is.to)
  const isSmall = /^\p{Ll}/u.test(was.text.slice(from))
  if (beginsSentence(was) && !isSmall) return { from, to, text: capitalizeFirst(written, language) }
  // The second pass begins a sentence here and the first does not; "I" stays uppercase.
  const isTheSentences = beginsSentence(is) && isSmall && !/^I(?!\p{L})/u.test(written)
  return { from, to, text: isTheSentences ? withSmallFirst(written, language) : written }
}

const signsAt = ({ text, from, to }: Place) =>
  [text[from - 1], text[to]].map((sign = '') => /[$£€¥%°]/u.exec(sign)?.[0]).join()

const beginsSentence = ({ text, from }: Place) =>
  /(?:^|[.!?…]["'”’)]*\s+)["'“‘(¿¡]*$/u.test(text.slice(0, from))

const withSmallFirst = (text: string, language: string) =>
  text.replace(/^\p{Lu}/u, (letter) => lowerCase(letter, language))

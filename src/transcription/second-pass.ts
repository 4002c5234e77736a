// Corrects the words of a hearing by a second one of the same speech, which was told what had been said before it.
// Pure; when a window is heard twice is two-passes.ts's.

import type { Segment } from '../engine/engine.ts'
import { align, similarity } from '../lib/alignment.ts'
import { capitalizeFirst, lowerCase } from '../text/commands/letter-case.ts'
import type { TextRange } from '../text/text-range.ts'
import { editSegment, type Rewrite } from './edit-segment.ts'
import { joinTexts } from './join-text.ts'
import { hasLoop } from './repetition.ts'
import { type WordPart, wordPartsOf } from './word-parts.ts'

/** What differs in more words than this was not misheard but left out, made up or taken from the text before. */
const MOST_WORDS = 5
/** "an other" and "another" are two words and one. */
const MOST_MORE_OR_FEWER = 2
/** As edits count: "dominion's captain" and "dominions kept him" are, "just be clear" and "the speaker" are not. */
const ALIKE = 0.5

/**
 * The segments with words replaced where the second pass has others in their place. Nothing is added and nothing left
 * out: told what was said before, Whisper spells names better and mishears less, but it also leaves out what it takes
 * for said already, and says again what it was told. Sentences, their ends and their times are the first pass's, and
 * so is how sure a word is: two hearings that differ make none surer.
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

/** Words of the one in whose place the other has others: between words that they share, or at the beginning and the end. */
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
  // "twenty-one" for "21" is no other word, and the second pass writes numbers as the text before has them.
  return was[0]!.segment === was.at(-1)!.segment && hasDigits(was) === hasDigits(is)
}

const hasDigits = (words: WordPart[]) => words.some(({ folded }) => /\p{N}/u.test(folded))

/** At the beginning and the end nothing shared shows that the two are of the same place: one may be an echo. */
const isAlike = ({ was, is }: Difference) =>
  was.length === is.length || similarity(lettersOf(was), lettersOf(is)) >= ALIKE

const lettersOf = (words: WordPart[]) => words.map(({ folded }) => folded).join('')

const rangeOf = (words: WordPart[]): TextRange => ({ from: words[0]!.range.from, to: words.at(-1)!.range.to })

type Place = TextRange & { text: string }

/** Null where a sign that belongs to the word stands in only one of the texts: "15%", "50 percent". */
function rewriteOf(was: Place, is: Place, language: string): Rewrite | null {
  if (signsAt(was) !== signsAt(is)) return null
  const { from, to } = was
  const written = is.text.slice(is.from, is.to)
  const isSmall = /^\p{Ll}/u.test(was.text.slice(from))
  if (beginsSentence(was) && !isSmall) return { from, to, text: capitalizeFirst(written, language) }
  // The capital of a sentence that the first pass does not begin here; "I" has its own.
  const isTheSentences = beginsSentence(is) && isSmall && !/^I(?!\p{L})/u.test(written)
  return { from, to, text: isTheSentences ? withSmallFirst(written, language) : written }
}

const signsAt = ({ text, from, to }: Place) =>
  [text[from - 1], text[to]].map((sign = '') => /[$£€¥%°]/u.exec(sign)?.[0]).join()

const beginsSentence = ({ text, from }: Place) =>
  /(?:^|[.!?…]["'”’)]*\s+)["'“‘(¿¡]*$/u.test(text.slice(0, from))

const withSmallFirst = (text: string, language: string) =>
  text.replace(/^\p{Lu}/u, (letter) => lowerCase(letter, language))

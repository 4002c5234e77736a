// Corrects the words of a hearing by a second one of the same speech, which was told what had been said before it.
// Pure; when a window is heard twice is hear-in-context.ts's.

import type { Segment } from '../engine/engine.ts'
import { align } from '../text/alignment.ts'
import { type Edit, editSegment } from './edit-segment.ts'
import { joinTexts } from './join-text.ts'
import { hasLoop } from './repetition.ts'
import { type WordPart, wordPartsOf } from './word-parts.ts'

/** What differs in more words than this was not misheard but left out, made up or taken from the text before. */
const MOST_WORDS = 5
/** "an other" and "another" are two words and one. */
const MOST_MORE_OR_FEWER = 2

/**
 * The segments with words replaced where the second hearing has others in their place. Nothing is added and nothing left
 * out: told what was said before, Whisper spells names better and mishears less, but it also leaves out what it takes
 * for said already, and says again what it was told. Sentences, their ends and their times are the first hearing's, and
 * so is how sure a word is: two hearings that differ make none surer.
 */
export function correctWords(segments: Segment[], again: Segment[]): Segment[] {
  if (hasLoop(again)) return segments
  const second = joinTexts(again.map(({ text }) => text))
  const trimmed = segments.map((segment) => ({ ...segment, text: segment.text.trim() }))
  const differences = differencesOf(wordPartsOf(trimmed), wordPartsOf([{ text: second }]))
  return trimmed.map((segment, index) => {
    const edits = differences
      .filter(({ was }) => was[0]!.segment === index)
      .map(({ was, is }) => editOf(segment.text, was, second, is))
    return edits.length === 0 ? segments[index]! : (editSegment(segment, edits) ?? segments[index]!)
  })
}

type Difference = { was: WordPart[]; is: WordPart[] }

/** Where one has other words than the other between words that they share. */
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
    if (isMisheard(difference)) differences.push(difference)
    from = at + 1
    fromSecond = partner + 1
  }
  return differences
}

function isMisheard({ was, is }: Difference): boolean {
  if (was.length === 0 || is.length === 0 || Math.max(was.length, is.length) > MOST_WORDS) return false
  if (Math.abs(was.length - is.length) > MOST_MORE_OR_FEWER) return false
  // "twenty-one" for "21" is no other word, and the second hearing writes numbers as the text before has them.
  return was[0]!.segment === was.at(-1)!.segment && hasDigits(was) === hasDigits(is)
}

const hasDigits = (words: WordPart[]) => words.some(({ folded }) => /\p{N}/u.test(folded))

function editOf(text: string, was: WordPart[], second: string, is: WordPart[]): Edit {
  const [from, to] = [was[0]!.range.from, was.at(-1)!.range.to]
  const [fromSecond, toSecond] = [is[0]!.range.from, is.at(-1)!.range.to]
  const written = second.slice(fromSecond, toSecond)
  if (beginsSentence(text, from)) return { from, to, text: withFirst(written, 'toUpperCase') }
  // Its capital is that of a sentence that the first hearing does not begin here.
  const isCapital = beginsSentence(second, fromSecond) && startsSmall(text.slice(from))
  return { from, to, text: isCapital ? withFirst(written, 'toLowerCase') : written }
}

const beginsSentence = (text: string, at: number) =>
  /(?:^|[.!?…]["'”’)]*\s+)["'“‘(¿¡]*$/u.test(text.slice(0, at))

const startsSmall = (text: string) => /^\p{Ll}/u.test(text)

function withFirst(text: string, change: 'toUpperCase' | 'toLowerCase'): string {
  const first = String.fromCodePoint(text.codePointAt(0)!)
  return first[change]() + text.slice(first.length)
}

// Decides which words before a correction it replaces: like by like, or from the word that both begin with.
// Not what announces a correction: self-corrections.ts.

import type { Language } from './languages/languages.ts'
import { matchAt } from './phrases.ts'
import { after, before, isCapitalized, isTerminator, startsSentence } from './punctuation.ts'
import { isSpoken, join, type Token } from './tokens.ts'

export type Correction = {
  /** what stands before the cue; the candidates for being replaced end at `end` */
  kept: readonly Token[]
  end: number
  /** what stands behind the cue begins at `from` */
  tokens: readonly Token[]
  from: number
  strength: 'strong' | 'weak'
  /** what stands between the words and the cue: nothing, a comma or dash, or the end of a sentence */
  boundary: 'none' | 'pause' | 'sentence'
  language: Language
}

/** Words that may be replaced without more than the first of them in common. */
const FEW = 3
/** Words that may be replaced when the correction also shares another word with them. */
const MANY = 8

/** The index in `kept` from which words are replaced, null where that is not plain. */
export function findReplaced(correction: Correction): number | null {
  const words = wordsBefore(correction)
  const repair = wordsBehind(correction)
  if (words.length === 0 || repair.length === 0) return null
  const start = likeByLike(words, repair, correction) ?? fromSameWord(words, repair, correction)
  return start === null ? null : words[start]!.at
}

/** One word, or one phrase of a kind ("Monday", 周一), with the index of its first token. */
type Word = { at: number; key: string; kind: string | null; article: boolean }

/** The last words of the statement before the cue, in the order they were said. */
function wordsBefore({ kept, end, language, boundary }: Correction): Word[] {
  let start = end
  let spoken = 0
  while (
    start > 0 &&
    spoken <= MANY &&
    kept[start - 1]!.kind !== 'newline' &&
    kept[start - 1]!.kind !== 'mark'
  ) {
    start -= 1
    if (isSpoken(kept[start])) spoken += 1
  }
  return wordsOf(kept, { from: start, to: end }, language, boundary)
}

/** The words behind the cue up to the next mark. */
function wordsBehind({ tokens, from, language }: Correction): Word[] {
  let to = from
  let spoken = 0
  while (
    to < tokens.length &&
    spoken <= MANY &&
    tokens[to]!.kind !== 'newline' &&
    tokens[to]!.kind !== 'mark'
  ) {
    if (isSpoken(tokens[to])) spoken += 1
    to += 1
  }
  return wordsOf(tokens, { from, to }, language, 'none')
}

function wordsOf(
  tokens: readonly Token[],
  { from, to }: { from: number; to: number },
  language: Language,
  boundary: Correction['boundary'],
): Word[] {
  const words: Word[] = []
  for (let at = from; at < to; at += 1) {
    const token = tokens[at]!
    if (!isSpoken(token)) continue
    const phrase = matchAt(tokens, at, language.kinds)
    const end = phrase && phrase.to <= to ? phrase.to : at + 1
    const kind = phrase && phrase.to <= to ? `kind ${phrase.value}` : kindOf(tokens, at, language, boundary)
    const article = matchAt([token], 0, language.articles) !== null
    words.push({ at, key: join(tokens.slice(at, end)).toLowerCase(), kind, article })
    at = end - 1
  }
  return words
}

/** What can only replace its like, besides the phrases of the language: a number, a name (a capital inside a sentence). */
function kindOf(
  tokens: readonly Token[],
  at: number,
  language: Language,
  boundary: Correction['boundary'],
): string | null {
  const token = tokens[at]!
  if (token.kind === 'number' || (token.kind === 'word' && language.numbers.test(token.key))) return 'number'
  const previous = tokens[before(tokens, at)]
  const inside = isSpoken(previous) || boundary === 'none'
  return token.kind === 'word' &&
    inside &&
    previous !== undefined &&
    isCapitalized(token.text) &&
    !isTerminator(previous)
    ? 'name'
    : null
}

/**
 * "Monday, no, Tuesday": the last word of the same kind is replaced. What was said behind it must be said again
 * ("3 pm, no, 4 pm"), or nobody knows whether it still holds.
 */
function likeByLike(words: readonly Word[], repair: readonly Word[], correction: Correction): number | null {
  const kind = repair[0]!.kind
  if (kind === null) return null
  if (kind === 'name' && (correction.strength === 'weak' ? correction.boundary !== 'pause' : false))
    return null
  for (let back = 1; back <= Math.min(FEW, words.length); back += 1) {
    const candidate = words.at(-back)!
    if (candidate.kind !== kind) continue
    if (candidate.key === repair[0]!.key && back === 1) return null
    const tail = words.slice(words.length - back + 1)
    const repeated = tail.every((word, index) => {
      const other = repair[index + 1]
      return (
        other !== undefined && (other.key === word.key || (word.kind !== null && word.kind === other.kind))
      )
    })
    if (!repeated) return null
    return firstOfKind(words, words.length - back, kind, correction)
  }
  return null
}

/** Names and numbers of several words are replaced whole: "to Anna Lee, no wait, Bob". */
function firstOfKind(words: readonly Word[], index: number, kind: string, { language }: Correction): number {
  if (kind !== 'name' && !(kind === 'number' && language.spaced)) return index
  let first = index
  while (first > 0 && words[first - 1]!.kind === kind) first -= 1
  return first
}

/** "The red car, no wait, the blue car": from the word that the correction begins with. */
function fromSameWord(
  words: readonly Word[],
  repair: readonly Word[],
  correction: Correction,
): number | null {
  const { kept, language, strength, boundary } = correction
  if (strength === 'weak' && boundary !== 'pause') return null
  const first = repair[0]!
  const same = (word: Word) => word.key === first.key || (first.article && word.article)
  const start = words.findLastIndex(same)
  if (start === -1 || (!language.spaced && !sharesTwo(words, repair, start))) return null
  const replaced = words.slice(start)
  const shared = sharedBehindFirst(replaced, repair)
  if (boundary === 'sentence' && !startsBoth(words, repair, start, correction)) return null
  if (repair.length < 2 || replaced.length < 2) return null
  // "It is, I mean it, important" only looks like a correction of how the sentence began.
  if (strength === 'weak' && shared === 0 && startsSentence(kept, words[start]!.at)) return null
  const balanced = Math.abs(replaced.length - repair.length) <= 2 || shared > 0
  if (first.article && first.key !== replaced[0]!.key)
    return replaced.length <= 2 && repair.length >= 2 ? start : null
  return balanced && replaced.length <= (shared > 0 ? MANY : FEW) ? start : null
}

const sharesTwo = (words: readonly Word[], repair: readonly Word[], start: number): boolean =>
  repair.length > 1 && words[start + 1]?.key === repair[1]!.key

const sharedBehindFirst = (replaced: readonly Word[], repair: readonly Word[]): number => {
  const keys = new Set(replaced.slice(1).map(({ key }) => key))
  return repair.slice(1).filter(({ key }) => keys.has(key)).length
}

/** A whole sentence is only replaced by one that begins with the same two words. */
function startsBoth(
  words: readonly Word[],
  repair: readonly Word[],
  start: number,
  { kept }: Correction,
): boolean {
  const previous = kept[before(kept, words[start]!.at)]
  const starts = previous === undefined || previous.kind === 'newline' || isTerminator(previous)
  return starts && sharesTwo(words, repair, start) && after(kept, 0) <= words[start]!.at
}

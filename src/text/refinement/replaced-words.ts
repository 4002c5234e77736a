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
const NEGATION = /^(?:no|not|never|non|nicht|nie|kein\p{L}*|não|niet|geen|ne|pas|jamais|nunca|\p{L}+n't)$/u
/** Words that may be replaced when the correction also shares another word with them. */
const MANY = 8

/** The index in `kept` from which words are replaced, null where that is not plain. */
export function findReplaced(correction: Correction): number | null {
  const words = wordsBefore(correction)
  const repair = wordsBehind(correction)
  if (words.length === 0 || repair.length === 0) return null
  const like = likeByLike(words, repair, correction)
  if (like !== null) return like
  const start = fromSameWord(words, repair, correction)
  return start === null ? null : words[start]!.at
}

/** One word, or one phrase of a kind ("Monday", 周一), with the index of its first token. */
type Word = { at: number; key: string; kind: string | null; article: boolean; subject: boolean }

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
    const known = phrase !== null && phrase.to <= to
    const kind = known ? `kind ${phrase.value}` : kindOf(tokens, at, language, boundary)
    const end = known
      ? phrase.to
      : kind === 'number' && !language.spaced
        ? endOfNumber(tokens, at, to, language)
        : at + 1
    const article = matchAt([token], 0, language.articles) !== null
    const subject = matchAt([token], 0, language.subjects) !== null
    words.push({ at, key: join(tokens.slice(at, end)).toLowerCase(), kind, article, subject })
    at = end - 1
  }
  return words
}

/** 二百 is one number. */
function endOfNumber(tokens: readonly Token[], from: number, most: number, language: Language): number {
  let to = from + 1
  while (to < most && (tokens[to]!.kind === 'number' || language.numbers.test(tokens[to]!.key))) to += 1
  return to
}

/** What can only replace its like, besides the phrases of the language: a number, a name (a capital inside a sentence). */
function kindOf(
  tokens: readonly Token[],
  at: number,
  language: Language,
  boundary: Correction['boundary'],
): string | null {
  const token = tokens[at]!
  if (token.kind === 'number' || (token.kind !== 'kept' && language.numbers.test(token.key))) return 'number'
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
  if (correction.strength === 'weak' && correction.boundary === 'none' && !correction.language.spaced)
    return null
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
    const shorter = startOfTail(candidate, repair[0]!, correction)
    return shorter ?? words[firstOfKind(words, words.length - back, kind, correction)]!.at
  }
  return null
}

/** 下周一 and 周二: only what is said again is replaced; each character is a token. */
function startOfTail(candidate: Word, first: Word, { language }: Correction): number | null {
  const rest = candidate.key.length - first.key.length
  return !language.spaced && rest > 0 && candidate.key[rest] === first.key[0] ? candidate.at + rest : null
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
  // "It isn't bad, or rather it is great": without the words between, the negation would meet the wrong ones.
  if (start > 0 && NEGATION.test(words[start - 1]!.key)) return null
  const replaced = words.slice(start)
  if (boundary === 'sentence' && !startsBoth(words, repair, start, correction)) return null
  if (repair.length < 2 || replaced.length < 2) return null
  if (first.article && first.key !== replaced[0]!.key && replaced.length > 2) return null
  if (sharedBehindFirst(replaced, repair) > 0) return replaced.length <= MANY ? start : null
  // "It is, I mean it, important" only looks like a correction of how the sentence began.
  const clause = first.subject || startsSentence(kept, words[start]!.at)
  if (clause) return strength === 'strong' && replaced.length <= FEW ? start : null
  // "The door, wait, the train is leaving" goes on with a statement of its own.
  const longer = strength === 'strong' && !first.article ? 2 : 1
  return replaced.length <= FEW && repair.length - replaced.length <= longer ? start : null
}

const sharesTwo = (words: readonly Word[], repair: readonly Word[], start: number): boolean =>
  repair.length > 1 && words[start + 1]?.key === repair[1]!.key

/** Words that both have, or words of the same kind in the same place. */
const sharedBehindFirst = (replaced: readonly Word[], repair: readonly Word[]): number => {
  const keys = new Set(replaced.slice(1).map(({ key }) => key))
  const alike = ({ key, kind }: Word, index: number) =>
    keys.has(key) || (kind !== null && kind === replaced[index + 1]?.kind)
  return repair.slice(1).filter(alike).length
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

// Decides which words before a correction it replaces: words of the same kind, or words from the first common one on.

import {
  type Boundary,
  type CorrectionWord,
  MAX_WORDS,
  wordsAfterCue,
  wordsBeforeCue,
} from './correction-words.ts'
import type { Language } from './languages/languages.ts'
import { after, before, isTerminator, startsSentence } from './punctuation.ts'
import type { TextToken } from './tokens.ts'

export type Correction = {
  /** the tokens before the cue; candidates for replacement end at `end` */
  kept: readonly TextToken[]
  end: number
  /** the tokens after the cue begin at `from` */
  tokens: readonly TextToken[]
  from: number
  strength: 'strong' | 'weak'
  boundary: Boundary
  language: Language
}

/** Maximum number of words to replace if only the first word is common. */
const FEW = 3
const NEGATION = /^(?:no|not|never|non|nicht|nie|kein\p{L}*|não|niet|geen|ne|pas|jamais|nunca|\p{L}+n't)$/u

/** The index in `kept` from which words are replaced; null if in doubt. */
export function findReplaced(correction: Correction): number | null {
  const { kept, end, tokens, from, language, boundary } = correction
  const words = wordsBeforeCue(kept, end, { language, boundary })
  const repair = wordsAfterCue(tokens, from, language)
  if (words.length === 0 || repair.length === 0) return null
  const start = likeByLike(words, repair, correction) ?? fromSameWord(words, repair, correction)
  return start === null || hasOwnVerb(words, repair, start, correction) ? null : start
}

/**
 * "Let's meet on Monday, no wait, Tuesday is better": the correction has its own verb, so it cannot continue the sentence
 * before it. This does not matter if the whole sentence is replaced.
 */
function hasOwnVerb(
  words: readonly CorrectionWord[],
  repair: readonly CorrectionWord[],
  start: number,
  correction: Correction,
) {
  const { kept, language } = correction
  const replaced = words.filter(({ at }) => at >= start)
  if (startsSentence(kept, start) || replaced.some(({ verb, subject }) => verb || subject)) return false
  const next = repair.slice(replaced.length)
  return next[0]?.subject || next.slice(0, language.verbsLast ? 1 : 3).some(({ verb }) => verb)
}

/**
 * "Monday, no, Tuesday": replaces the last word of the same kind. The correction must repeat the words after it
 * ("3 pm, no, 4 pm"); otherwise it is unclear whether they still apply.
 */
function likeByLike(
  words: readonly CorrectionWord[],
  repair: readonly CorrectionWord[],
  correction: Correction,
): number | null {
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

/** For 下周一 and 周二, only the repeated part is replaced; each character is a token. */
function startOfTail(
  candidate: CorrectionWord,
  first: CorrectionWord,
  { language }: Correction,
): number | null {
  const rest = candidate.key.length - first.key.length
  return !language.spaced && rest > 0 && candidate.key[rest] === first.key[0] ? candidate.at + rest : null
}

/** Names and numbers of several words are replaced as a whole: "to Anna Lee, no wait, Bob". */
function firstOfKind(
  words: readonly CorrectionWord[],
  index: number,
  kind: string,
  { language }: Correction,
): number {
  if (kind !== 'name' && !(kind === 'number' && language.spaced)) return index
  let first = index
  while (first > 0 && words[first - 1]!.kind === kind) first -= 1
  return first
}

/** "The red car, no wait, the blue car": replaces from the word that the correction begins with. */
function fromSameWord(
  words: readonly CorrectionWord[],
  repair: readonly CorrectionWord[],
  correction: Correction,
): number | null {
  const { kept, language, strength, boundary } = correction
  if (strength === 'weak' && boundary !== 'pause') return null
  const first = repair[0]!
  const same = (word: CorrectionWord) => word.key === first.key || (first.article && word.article)
  const start = words.findLastIndex(same)
  if (start === -1 || (!language.spaced && !sharesTwo(words, repair, start))) return null
  // "It isn't bad, or rather it is great": the negation would apply to the wrong words.
  if (start > 0 && NEGATION.test(words[start - 1]!.key)) return null
  const replaced = words.slice(start)
  if (boundary === 'sentence' && !startsBoth(words, repair, start, correction)) return null
  if (repair.length < 2 || replaced.length < 2) return null
  if (first.article && first.key !== replaced[0]!.key && replaced.length > 2) return null
  if (sharedAfterFirst(replaced, repair) > 0) return replaced.length <= MAX_WORDS ? replaced[0]!.at : null
  // "It is, I mean it, important" only looks like a correction of the start of the sentence.
  const clause = first.subject || startsSentence(kept, words[start]!.at)
  if (clause) return strength === 'strong' && replaced.length <= FEW ? replaced[0]!.at : null
  // "The door, wait, the train is leaving" continues with a new statement.
  const longer = strength === 'strong' && !first.article ? 2 : 1
  return replaced.length <= FEW && repair.length - replaced.length <= longer ? replaced[0]!.at : null
}

const sharesTwo = (
  words: readonly CorrectionWord[],
  repair: readonly CorrectionWord[],
  start: number,
): boolean => repair.length > 1 && words[start + 1]?.key === repair[1]!.key

/** Counts common words, and words of the same kind at the same position. */
const sharedAfterFirst = (replaced: readonly CorrectionWord[], repair: readonly CorrectionWord[]): number => {
  const keys = new Set(replaced.slice(1).map(({ key }) => key))
  const alike = ({ key, kind }: CorrectionWord, index: number) =>
    keys.has(key) || (kind !== null && kind === replaced[index + 1]?.kind)
  return repair.slice(1).filter(alike).length
}

/** A sentence can only replace a whole sentence that begins with the same two words. */
function startsBoth(
  words: readonly CorrectionWord[],
  repair: readonly CorrectionWord[],
  start: number,
  { kept }: Correction,
): boolean {
  const previous = kept[before(kept, words[start]!.at)]
  const starts = previous === undefined || previous.kind === 'newline' || isTerminator(previous)
  return starts && sharesTwo(words, repair, start) && after(kept, 0) <= words[start]!.at
}

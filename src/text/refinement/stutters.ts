// Removes repeated starts of words and phrases: "I I think", "w-w-want", "we need to, we need to go". Only function
// words distinguish a stutter from intended repetition ("very very", "had had", "nous nous levons").

import type { Language } from './languages/languages.ts'
import { endsWith, matchAt } from './phrases.ts'
import { before, isComma, isDash, isEllipsis } from './punctuation.ts'
import type { RefinementStep, StepContext } from './step.ts'
import { isSpoken, join, make, type TextToken } from './tokens.ts'

/** Maximum number of words in a repeated phrase. */
const LONGEST_PHRASE = 5

export const removeStutters: RefinementStep = (tokens, context) => {
  const kept: TextToken[] = []
  let index = 0
  while (index < tokens.length) {
    const second = secondCopy(tokens, index, context)
    if (second === null) {
      kept.push(unbroken(tokens[index]!, context.language))
      index += 1
      continue
    }
    // The first copy may have the capital of the sentence; the following tokens come from the last copy.
    kept.push({ ...tokens[second]!, text: tokens[index]!.text })
    index = second + 1
  }
  return join(kept)
}

/** The index of the last copy of the words at `at`; null if they are not repeated. */
function secondCopy(tokens: readonly TextToken[], at: number, context: StepContext): number | null {
  let found: number | null = null
  for (;;) {
    const next = nextCopy(tokens, found ?? at, context)
    if (next === null) return found
    found = next
  }
}

function nextCopy(tokens: readonly TextToken[], at: number, { language }: StepContext): number | null {
  const token = tokens[at]!
  if (token.kind !== 'word' && token.kind !== 'ideograph') return null
  if (isSpoken(tokens[at - 1]) && token.kind === 'word') return null
  const word = matchAt(tokens, at, language.stutters)
  // ははは is laughter: a single kana is not a word.
  if (word && !(word.to === at + 1 && /^\p{scx=Hira}$/u.test(token.key))) {
    const start = skipPause(tokens, word.to)
    if (meetsItself(tokens, at, start.pause, language)) return null
    if (equalRuns(tokens, at, start.at, word.to - at) && isWholeWord(tokens, start.at, word.to - at))
      return start.at
  }
  return phraseCopy(tokens, at, word !== null, language)
}

/** Words that are correctly repeated between clauses: "wenn es so ist, ist es gut", "die Frau, mit der der Hund". */
function meetsItself(tokens: readonly TextToken[], at: number, pause: boolean, language: Language): boolean {
  if (pause) return isComma(tokens[at + 1]) && matchAt(tokens, at, language.clauseEnds) !== null
  const previous = before(tokens, at)
  const opened = isComma(tokens[previous]) || isComma(tokens[before(tokens, previous)])
  return opened && matchAt(tokens, at, language.relatives) !== null
}

/** A repeated phrase of two to five words. Across a pause, its last word must be one that cannot end a phrase. */
function phraseCopy(
  tokens: readonly TextToken[],
  at: number,
  begins: boolean,
  language: Language,
): number | null {
  if (!isRepeatedNearby(tokens, at)) return null
  let to = at
  for (let words = 1; words <= LONGEST_PHRASE * (language.spaced ? 1 : 2); words += 1) {
    if (words > 1 && tokens[to]?.kind === 'space') to += 1
    const token = tokens[to]
    if (token?.kind !== 'word' && token?.kind !== 'ideograph') return null
    if (language.isNumber(token.key)) return null
    to += 1
    if (words === 1) continue
    const start = skipPause(tokens, to)
    const dangles = endsWith(tokens, to, language.stutters) || endsWith(tokens, to, language.subjects)
    if (!(start.pause ? dangles : begins && language.spaced) || words < (language.spaced ? 2 : 3)) continue
    if (!equalRuns(tokens, at, start.at, to - at) || !isSpoken(tokens[skipSpace(tokens, start.at + to - at)]))
      continue
    // "more and more and more" is not a repeated "and more".
    return tokens[before(tokens, at)]?.key === token.key ? null : start.at
  }
  return null
}

/** Whether the word at `at` occurs again close enough for a repeated phrase. */
function isRepeatedNearby(tokens: readonly TextToken[], at: number): boolean {
  const key = tokens[at]!.key
  for (let index = at + 1; index < Math.min(tokens.length, at + 2 * LONGEST_PHRASE + 4); index += 1)
    if (tokens[index]!.key === key) return true
  return false
}

function skipPause(tokens: readonly TextToken[], from: number): { at: number; pause: boolean } {
  let at = skipSpace(tokens, from)
  const pause = isComma(tokens[at]) || isDash(tokens[at]) || isEllipsis(tokens[at])
  if (pause) at = skipSpace(tokens, at + 1)
  return { at, pause }
}

const skipSpace = (tokens: readonly TextToken[], at: number): number =>
  tokens[at]?.kind === 'space' ? at + 1 : at

function equalRuns(tokens: readonly TextToken[], first: number, second: number, length: number): boolean {
  if (second + length > tokens.length || second < first + length) return false
  for (let index = 0; index < length; index += 1) {
    const [one, other] = [tokens[first + index]!, tokens[second + index]!]
    if (one.kind !== other.kind || (one.kind !== 'space' && one.key !== other.key)) return false
  }
  return true
}

/** A word must follow: "and the the." and "I? I" stay. */
const isWholeWord = (tokens: readonly TextToken[], from: number, length: number): boolean =>
  isSpoken(tokens[skipSpace(tokens, from + length)])

/** "w-w-want" becomes "want"; a single repeated sound ("I-I", "th-the") is only removed before a known stutter word. */
function unbroken(token: TextToken, language: Language): TextToken {
  if (token.kind !== 'word' || token.key.length > 40 || !token.key.includes('-')) return token
  const parts = token.key.split('-')
  const last = parts.at(-1)!
  const begun = parts.slice(0, -1)
  if (last === '' || !begun.every((part) => part !== '' && part.length <= 3 && last.startsWith(part)))
    return token
  const known = matchAt([make('word', last)], 0, language.stutters) !== null
  if (!known && !(begun.length > 1 && begun.every((part) => part.length < last.length))) return token
  const text = token.text.slice(token.text.length - last.length)
  return make('word', token.text[0] === text[0] ? text : token.text[0]! + text.slice(1))
}

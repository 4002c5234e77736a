// Reads the words on both sides of a correction cue, up to the nearest punctuation, and classifies them.

import type { Language } from './languages/languages.ts'
import { matchAt } from './phrases.ts'
import { after, before, isCapitalized, isComma, isTerminator } from './punctuation.ts'
import { isSpoken, join, type TextToken } from './tokens.ts'

/** What separates the words from the cue: nothing, a comma or dash, or the end of a sentence. */
export type Boundary = 'none' | 'pause' | 'sentence'

type Where = { language: Language; boundary: Boundary }

/** Maximum number of words read on each side. */
export const MAX_WORDS = 8

/** 3rd, 1er, 2ème, 1º */
const ORDINAL = /^\d{1,4}(?:st|nd|rd|th|er|re|e|ème|º|ª)$/u

/** One word, or one phrase of a kind ("Monday", 周一); `at` is the index of its first token. */
export type CorrectionWord = {
  at: number
  key: string
  kind: string | null
  article: boolean
  subject: boolean
  verb: boolean
}

/** The last words of the statement before the cue, in order. */
export function wordsBeforeCue(
  kept: readonly TextToken[],
  end: number,
  { language, boundary }: Where,
): CorrectionWord[] {
  let start = end
  let spoken = 0
  while (start > 0 && spoken <= MAX_WORDS && !isBreak(kept, start - 1, language)) {
    start -= 1
    if (isSpoken(kept[start])) spoken += 1
  }
  return wordsOf(kept, { from: start, to: end }, { language, boundary })
}

/** The words after the cue, up to the next punctuation. */
export function wordsAfterCue(
  tokens: readonly TextToken[],
  from: number,
  language: Language,
): CorrectionWord[] {
  let to = from
  let spoken = 0
  while (to < tokens.length && spoken <= MAX_WORDS && !isBreak(tokens, to, language)) {
    if (isSpoken(tokens[to])) spoken += 1
    to += 1
  }
  return wordsOf(tokens, { from, to }, { language, boundary: 'none' })
}

function wordsOf(
  tokens: readonly TextToken[],
  { from, to }: { from: number; to: number },
  { language, boundary }: Where,
): CorrectionWord[] {
  const words: CorrectionWord[] = []
  for (let at = from; at < to; at += 1) {
    const token = tokens[at]!
    if (!isSpoken(token)) continue
    const phrase = matchAt(tokens, at, language.kinds) ?? titledAt(tokens, at, language)
    const known = phrase !== null && phrase.to <= to
    const kind = known ? `kind ${phrase.value}` : kindOf(tokens, at, language, boundary)
    const end = known
      ? phrase.to
      : kind === 'number' && !language.spaced
        ? endOfNumber(tokens, at, to, language)
        : at + 1
    const article = matchAt([token], 0, language.articles) !== null
    const subject = matchAt([token], 0, language.subjects) !== null
    const verb = matchAt([token], 0, language.verbs) !== null
    words.push({ at, key: join(tokens.slice(at, end)).toLowerCase(), kind, article, subject, verb })
    at = end - 1
  }
  return words
}

/** Characters of a name before its title. */
const LONGEST_NAME = 3
const NAME_CHARACTER = /^[\p{Script=Han}\p{Script=Katakana}ー]$/u

/** A name with a title such as 田中さん; no name character may precede it, since 明日田中さん is more than a name. */
function titledAt(tokens: readonly TextToken[], at: number, language: Language) {
  const isName = (index: number) =>
    tokens[index]?.kind === 'ideograph' && NAME_CHARACTER.test(tokens[index].text)
  if (!isName(at) || isName(at - 1)) return null
  for (let to = at + 1; to <= at + LONGEST_NAME; to += 1) {
    const title = matchAt(tokens, to, language.titles)
    if (title) return { to: title.to, value: 'titled' }
    if (!isName(to)) return null
  }
  return null
}

/** The end of a number of several tokens, such as 二百. */
function endOfNumber(tokens: readonly TextToken[], from: number, most: number, language: Language): number {
  let to = from + 1
  while (to < most && (tokens[to]!.kind === 'number' || language.isNumber(tokens[to]!.key))) to += 1
  return to
}

/** The kind of a word that is in no phrase of the language: a number, or a name (a capital inside a sentence). */
function kindOf(
  tokens: readonly TextToken[],
  at: number,
  language: Language,
  boundary: Boundary,
): string | null {
  const token = tokens[at]!
  if (token.kind === 'number' || (token.kind === 'kept' && ORDINAL.test(token.text))) return 'number'
  if (token.kind !== 'kept' && language.isNumber(token.key)) return 'number'
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

/** Punctuation or a line break ends the words, except the full stop of an ordinal. */
const isBreak = (tokens: readonly TextToken[], at: number, language: Language): boolean =>
  tokens[at]!.kind === 'newline' || (tokens[at]!.kind === 'mark' && !isOrdinalStop(tokens, at, language))

/**
 * The full stop of a German ordinal: "am 3., nein", "am 4. Mai". Before a capital, only a month makes it an ordinal,
 * since a sentence may end with a number.
 */
function isOrdinalStop(tokens: readonly TextToken[], at: number, language: Language): boolean {
  if (language.code !== 'de' || tokens[at]?.text !== '.' || tokens[at - 1]?.kind !== 'number') return false
  const next = after(tokens, at + 1)
  if (next >= tokens.length) return false
  const isLowercase = tokens[next]!.kind === 'word' && !isCapitalized(tokens[next]!.text)
  return isComma(tokens[next]) || isLowercase || matchAt(tokens, next, language.kinds) !== null
}

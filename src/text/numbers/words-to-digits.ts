// Writes spoken numbers in a text as digits.

import {
  DIGITS_BEFORE,
  digitsOf,
  type Found,
  findNumbers,
  type NumberContext,
  writeChains,
  writeRanges,
  writeTimesWithAnd,
} from './find-numbers.ts'
import { hanWordsToDigits } from './han-words-to-digits.ts'
import { numberLanguage } from './languages/languages.ts'
import { type NumberToken, protectedRanges, tokenizeNumbers } from './tokens.ts'

/**
 * Writes spoken numbers in digits:
 * - ten and above become digits (`twenty three` → 23), with decimals and signs (3.5, or 3,5 by the language);
 * - one to nine stay words unless they have a unit (`five minutes` → 5 minutes, `five percent` → 5%), a label
 *   (`page five` → page 5) or a sign, or are part of a range or a larger number; the word for one, which is also an
 *   article or a pronoun, becomes a digit only before percent, as a time, in a range and in a larger number;
 * - hundred, thousand and million stay words unless counted or measured, and stay words after digits if nothing follows
 *   them (`two million` → 2 million); three or more of one to nine in a row are spelled-out digits (55512);
 * - ordinals become digits if unambiguous; two adjacent numbers are a year (1999) or stay.
 * Code, addresses, identifiers and quotations stay. A second pass changes nothing. Returns the text unchanged for
 * languages without number data.
 * @param language ISO 639-1, null if unknown
 */
export function wordsToDigits(text: string, language: string | null): string {
  const known = numberLanguage(language)
  if (!known) return text
  if (known.script === 'han') return hanWordsToDigits(text, known)
  const tokens = tokenizeNumbers(text, known, protectedRanges(text, { spaced: true }))
  const found = findNumbers(text, tokens, known)
  for (const one of found) one.digits = ownDigits(one, { text, tokens, language: known })
  writeChains(found, { text, tokens, language: known })
  writeTimesWithAnd(found, { text, tokens, language: known })
  writeRanges(found, text, known)
  return replaceAll(text, found)
}

/** The digits for a number without neighbouring numbers; extends its range by a sign or a percent word. */
function ownDigits(one: Found, context: NumberContext): string | null {
  const { text, tokens, language } = context
  if (Number.isNaN(one.value) || one.touches) return null
  if (one.ordinal) return ordinalDigits(one, context)
  const decade = decadeAfter(one, context)
  if (decade) {
    one.to = decade.to
    return `${one.value}${language.decades.get(decade.folded)}s`
  }
  const after = text.slice(one.to, one.to + 40)
  const percent = language.percent.pattern.exec(after)
  const sign = signBefore(one, context)
  const isMeasured = language.units.test(after) || language.unitsOfOne.test(after)
  const isOne = one.isDigit && one.value === 1
  const isSmall = (one.isDigit && one.value < 10) || one.isBare
  const isLabelled =
    one.isDigit && tokens[one.first]!.joined && language.labels.has(tokens[one.first - 1]?.folded ?? '')
  const counts = isOne ? language.unitsOfOne.test(after) : isMeasured
  if (isSmall && !percent && !sign && !isLabelled && !counts) return null
  if (one.scaled?.count === 1 && !percent && language.oneIsArticle) return null
  if (sign) one.from = sign.from
  if (percent && !one.scaled) one.to += percent[0].length
  return `${sign ? '-' : ''}${digitsOf(one, context)}${percent && !one.scaled ? language.percent.sign : ''}`
}

/** The nineteen eighties. */
function decadeAfter(one: Found, { tokens, language }: NumberContext): NumberToken | null {
  const next = tokens[one.last + 1]
  const isCentury = one.value >= 13 && one.value <= 20 && one.fraction === null
  return isCentury && next?.joined && language.decades.has(next.folded) ? next : null
}

function ordinalDigits(one: Found, { tokens, language }: NumberContext): string | null {
  const neighbour = (at: number, isJoined: boolean | undefined) => (isJoined ? tokens[at]!.folded : '')
  return (
    language.ordinal?.write(one.value, {
      before: neighbour(one.first - 1, tokens[one.first]!.joined),
      after: neighbour(one.last + 1, tokens[one.last + 1]?.joined),
      last: tokens[one.last]!.folded,
    }) ?? null
  )
}

/** The word for minus before a number, unless it is between two numbers or means "less". */
function signBefore(one: Found, { text, tokens, language }: NumberContext): NumberToken | null {
  const word = tokens[one.first - 1]
  if (!word || !tokens[one.first]!.joined || !language.minus.words.includes(word.folded)) return null
  // A word joined to another by a hyphen is a part of it.
  if (text[word.from - 1] === '-') return null
  const earlier = tokens[one.first - 2]
  if (word.joined && earlier?.atoms?.some((atom) => atom.kind !== 'and')) return null
  if (DIGITS_BEFORE.test(text.slice(Math.max(0, word.from - 6), word.from))) return null
  const { onlyBefore } = language.minus
  return onlyBefore && !onlyBefore.test(text.slice(one.to, one.to + 40)) ? null : word
}

function replaceAll(text: string, found: Found[]): string {
  let [result, at] = ['', 0]
  for (const one of found) {
    if (one.digits === null || one.from < at) continue
    result += text.slice(at, one.from) + one.digits
    at = one.to
  }
  return result + text.slice(at)
}

// Finds the spoken numbers in a text, with their context. words-to-digits.ts decides which become digits.

import { LARGEST_NUMBER, type WordLanguage } from './number-language.ts'
import { type NumberStep, type ReadNumber, readNumber } from './parse-number.ts'
import type { NumberToken } from './tokens.ts'

/** Digits directly before a word, also with an ordinal suffix. */
export const DIGITS_BEFORE = /\p{N}\p{L}{0,2}[ \u00a0-]?$/u
const DIGITS_AFTER = /^[ \u00a0-]?\p{N}/u

export type Found = ReadNumber & {
  first: number
  last: number
  /** the replacement; null: the number stays in words */
  digits: string | null
  /** directly follows the previous number */
  adjacent: boolean
  /** stays in words: too large, next to digits, or joined to another word by a hyphen */
  touches: boolean
  /** range of the replaced words in the text */
  from: number
  to: number
  /** end including the words for percent, which contain a number word in some languages: pour cent */
  end: number
}

export type NumberContext = { text: string; tokens: NumberToken[]; language: WordLanguage }

/** All numbers of the text, in order. */
export function findNumbers(text: string, tokens: NumberToken[], language: WordLanguage): Found[] {
  const found: Found[] = []
  for (let at = 0; at < tokens.length; ) {
    let end = at
    const steps: NumberStep[] = []
    while (end < tokens.length && tokens[end]!.atoms && (end === at || tokens[end]!.joined)) {
      for (const atom of tokens[end]!.atoms!) steps.push({ atom, token: end })
      end++
    }
    readRun(steps, { text, tokens, language }, found)
    at = Math.max(end, at + 1)
  }
  return found
}

function readRun(steps: NumberStep[], { text, tokens, language }: NumberContext, found: Found[]): void {
  const ands = steps.filter((step) => step.atom.kind === 'and').length
  for (let at = 0; at < steps.length; ) {
    const first = steps[at]!.token
    if (tokens[first]!.from < (found.at(-1)?.end ?? 0)) {
      at++
      continue
    }
    const isBetween = ands === 1 && language.between.has(tokens[first - 1]?.folded ?? '')
    const isListed = Boolean(tokens[steps[0]!.token - 1]?.atoms)
    const read = isInnerZero(steps[at]!)
      ? innerZero(at)
      : readNumber({ steps, language, isBetween, isListed }, at)
    if (!read) {
      while (steps[at]?.token === first) at++
      continue
    }
    const last = steps[read.next - 1]!.token
    const [from, to] = [tokens[first]!.from, tokens[last]!.to]
    const adjacent = found.at(-1)?.last === first - 1 && tokens[first]!.joined
    const touches =
      read.value > LARGEST_NUMBER ||
      DIGITS_BEFORE.test(text.slice(Math.max(0, from - 6), from)) ||
      DIGITS_AFTER.test(text.slice(to, to + 3)) ||
      (!adjacent && text[from - 1] === '-')
    const end = to + (language.percent.pattern.exec(text.slice(to, to + 40))?.[0].length ?? 0)
    found.push({ ...read, first, last, adjacent, touches, digits: null, from, to, end })
    at = read.next
  }
}

const isInnerZero = (step: NumberStep) => step.atom.kind === 'inner-zero'
const innerZero = (at: number): ReadNumber => ({
  value: Number.NaN,
  fraction: null,
  ordinal: false,
  isDigit: true,
  isBare: false,
  scaled: null,
  next: at + 1,
})

/** A number in digits; a final word for millions and more stays: 2 million. */
export function digitsOf(one: Found, { text, tokens, language }: NumberContext): string {
  if (one.scaled && one.scaled.count < 1000) {
    const word = tokens[one.scaled.token]!
    return `${one.scaled.count} ${text.slice(word.from, word.to)}`
  }
  return one.value + (one.fraction === null ? '' : language.decimalSeparator + one.fraction)
}

/** In a run of at least this many digits, an "oh" at either end is also a digit. */
const PHONE_NUMBER = 6

/** Writes adjacent numbers: spelled-out digits, years, times of day. */
export function writeChains(found: Found[], context: NumberContext): void {
  for (let at = 0; at < found.length; ) {
    let end = at + 1
    while (found[end]?.adjacent) end++
    if (end - at > 1) writeChain(found.slice(at, end), context)
    at = end
  }
}

function writeChain(chain: Found[], context: NumberContext): void {
  if (chain.some((one) => one.ordinal || one.touches)) {
    for (const one of chain) one.digits = null
    return
  }
  if (writeTwoParts(chain, context)) return
  const isDigitOnly = chain.every((one) => one.isDigit)
  if (chain.length === 2) {
    if (isArticle(chain[0]!, context.language) && chain[1]!.digits?.endsWith('%')) return
    // "Ten thirty" may be a time, and is never a number.
    const isDoubtful = context.language.yearsInPairs && chain[0]!.value <= 12
    if (isDoubtful || chain.some((one) => one.isDigit && one.digits === null))
      for (const one of chain) one.digits = null
    return
  }
  const hasStrayZero = isDigitOnly
    ? chain.length < PHONE_NUMBER && [chain[0]!, chain.at(-1)!].some(({ value }) => Number.isNaN(value))
    : chain.some(({ value }) => Number.isNaN(value))
  if (hasStrayZero) {
    for (const one of chain) one.digits = null
    return
  }
  for (let at = 0; at < chain.length; at++) {
    const one = chain[at]!
    if (!one.isDigit) {
      one.digits ??= digitsOf(one, context)
      continue
    }
    // Consecutive single digits are joined, followed by the unit of the last one.
    let end = at
    while (chain[end + 1]?.isDigit) end++
    const digits = chain
      .slice(at, end + 1)
      .map(({ value }) => (Number.isNaN(value) ? 0 : value))
      .join('')
    const tail = chain[end]!.digits?.replace(/^-?\d/, '') ?? ''
    one.digits = digits + tail
    one.to = chain[end]!.to
    for (const taken of chain.slice(at + 1, end + 1)) taken.digits = null
    at = end
  }
}

/** "Un treinta por ciento": "un" is an article here, not a digit. */
const isArticle = (one: Found, language: WordLanguage): boolean =>
  language.oneIsArticle && one.isDigit && one.value === 1

/** Joins two parts of a year or a time: nineteen ninety nine, nineteen oh five, five thirty pm, at eight oh five. */
function writeTwoParts(chain: Found[], context: NumberContext): boolean {
  const [first, last] = [chain[0]!, chain.at(-1)!]
  const low = lowPart(chain)
  const areWhole = [first, last].every((one) => one.fraction === null && !one.scaled && !one.isBare)
  if (low === null || !areWhole || !(first.value >= 1) || first.value > 20) return false
  const tail = last.digits?.replace(/^-?\d+/, '') ?? ''
  const isTime = first.value <= 12 && last.value < 60 && tail === '' && isTimeOfDay(first, last, context)
  const isYear = context.language.yearsInPairs && first.value >= 13
  if (!isTime && !isYear) return false
  first.digits = `${first.value}${isTime ? ':' : ''}${low}${tail}`
  first.to = last.to
  for (const taken of chain.slice(1)) taken.digits = null
  return true
}

/** `ninety nine` or `oh five`, as two digits. */
function lowPart(chain: Found[]): string | null {
  const [, second, third, ...more] = chain
  if (more.length > 0 || !second) return null
  if (!third) return second.value >= 10 && second.value <= 99 ? String(second.value) : null
  return Number.isNaN(second.value) && third.isDigit && third.value > 0 ? `0${third.value}` : null
}

function isTimeOfDay(first: Found, last: Found, { text, tokens, language }: NumberContext): boolean {
  const after = text.slice(last.to, last.to + 40)
  if (language.clock?.test(after)) return true
  const before = tokens[first.first]!.joined ? tokens[first.first - 1]!.folded : ''
  return language.beforeTimes.has(before) && !language.units.test(after)
}

/** Writes hours and minutes that are joined by "and": a las siete y veinte. */
export function writeTimesWithAnd(found: Found[], { text, tokens, language }: NumberContext): void {
  const { timesWithAnd } = language
  if (!timesWithAnd) return
  const isPart = (one: Found, most: number) =>
    one.value <= most && one.fraction === null && !one.ordinal && !one.touches && !one.adjacent
  for (const [at, minutes] of found.entries()) {
    const hour = found[at - 1]
    if (!hour || minutes.first !== hour.last + 2 || !isPart(hour, 24) || !isPart(minutes, 59)) continue
    const and = tokens[hour.last + 1]!
    const isTime =
      and.folded === timesWithAnd.and &&
      and.joined &&
      tokens[minutes.first]!.joined &&
      timesWithAnd.before.test(text.slice(Math.max(0, hour.from - 16), hour.from)) &&
      timesWithAnd.after.test(text.slice(minutes.to, minutes.to + 24))
    if (!isTime) continue
    hour.digits = `${hour.value}:${String(minutes.value).padStart(2, '0')}`
    hour.to = minutes.to
    minutes.digits = null
  }
}

/** Writes both ends of a range in the same way: five to ten minutes. */
export function writeRanges(found: Found[], text: string, language: WordLanguage): void {
  const isRange = (left: Found, right: Found) => {
    const gap = text.slice(left.to, Math.min(right.from, left.to + 16))
    return (
      right.from - left.to < 16 &&
      language.ranges.has(gap.trim().toLowerCase()) &&
      !right.ordinal &&
      !left.ordinal
    )
  }
  const adopt = (one: Found, other: Found) => {
    if (
      one.digits === null &&
      one.isDigit &&
      !one.adjacent &&
      !one.touches &&
      other.digits !== null &&
      !Number.isNaN(one.value)
    )
      one.digits = String(one.value)
  }
  for (let at = found.length - 2; at >= 0; at--)
    if (isRange(found[at]!, found[at + 1]!)) adopt(found[at]!, found[at + 1]!)
  for (let at = 1; at < found.length; at++)
    if (isRange(found[at - 1]!, found[at]!)) adopt(found[at]!, found[at - 1]!)
}

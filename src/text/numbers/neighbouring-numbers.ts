// Writes related numbers consistently: spelled-out digits, years, times of day, ranges.

import { digitsOf, type Found, type NumberContext } from './find-numbers.ts'
import type { WordLanguage } from './number-language.ts'

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

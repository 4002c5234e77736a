// Writes numbers that belong together alike: digits spelled out, years, times of day, ranges.
// What a number becomes on its own was decided before, in words-to-digits.ts.

import { type Found, type Place, plainDigits } from './found-numbers.ts'
import type { WordLanguage } from './number-language.ts'

/** Numbers side by side: digits that are spelled out, years, times of day. */
export function writeChains(found: Found[], place: Place): void {
  for (let at = 0; at < found.length; ) {
    let end = at + 1
    while (found[end]?.adjacent) end++
    if (end - at > 1) writeChain(found.slice(at, end), place)
    at = end
  }
}

function writeChain(chain: Found[], place: Place): void {
  if (chain.some((one) => one.ordinal || one.touches)) {
    for (const one of chain) one.digits = null
    return
  }
  if (chain.length === 2 && writePair(chain[0]!, chain[1]!, place)) return
  if (chain.length === 3 && writeOhYear(chain, place)) return
  const isDigitOnly = chain.every((one) => one.isDigit)
  if (chain.length === 2) {
    if (chain.some((one) => one.isDigit && one.digits === null)) for (const one of chain) one.digits = null
    return
  }
  const hasStrayZero = isDigitOnly
    ? [chain[0]!, chain.at(-1)!].some(({ value }) => Number.isNaN(value))
    : chain.some(({ value }) => Number.isNaN(value))
  if (hasStrayZero) {
    for (const one of chain) one.digits = null
    return
  }
  for (let at = 0; at < chain.length; at++) {
    const one = chain[at]!
    if (!one.isDigit) {
      one.digits ??= plainDigits(one, place)
      continue
    }
    // Single digits in a row are written together, with what the last of them is measured in.
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

/** Nineteen ninety nine, five thirty pm. */
function writePair(first: Found, second: Found, { text, language }: Place): boolean {
  const areWhole = [first, second].every((one) => one.fraction === null && !one.scaled && !one.isBare)
  if (!areWhole || first.value > 99 || second.value > 99 || second.value < 10) return false
  const asTime = language.clock?.test(text.slice(second.to, second.to + 10)) ?? false
  const separator = asTime && first.value >= 1 && first.value <= 12 && second.value < 60 ? ':' : ''
  const asYear = language.yearsInPairs && first.value >= 13 && first.value <= 20
  if (!asYear && separator === '') return false
  const tail = second.digits?.replace(/^-?\d+/, '') ?? ''
  first.digits = `${first.value}${separator}${second.value}${tail}`
  first.to = second.to
  second.digits = null
  return true
}

/** Nineteen oh five. */
function writeOhYear([century, zero, unit]: Found[], { language }: Place): boolean {
  if (!language.yearsInPairs || !Number.isNaN(zero!.value) || !unit!.isDigit || !(unit!.value > 0))
    return false
  if (century!.value < 13 || century!.value > 20 || century!.fraction !== null || unit!.from < century!.to)
    return false
  century!.digits = `${century!.value}0${unit!.value}`
  century!.to = unit!.to
  unit!.digits = null
  return true
}

/** Both ends of a range are written alike: five to ten minutes. */
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

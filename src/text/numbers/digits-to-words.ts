// Writes the numbers of a text in words, for Command Mode.

import { numberLanguage } from './languages/languages.ts'
import { LARGEST_NUMBER, type NumberLanguage, type WordLanguage } from './number-language.ts'
import { protectedRanges } from './tokens.ts'

/** A plain number: without neighbours that make it a date, a time, an amount or a code. */
const NUMBER =
  /(?<![\p{N}\p{M}_@#$€£¥%/\\:.,+*=^~'’-])(-?)([0-9]{1,21}(?:[.,\u00a0\u202f][0-9]{1,18}| [0-9]{3}(?![0-9])){0,6})(st|nd|rd|th)?( ?[%％])?(?![\p{N}\p{M}_@#$€£¥%％/\\:+*=^~°])(?![.,'’-][0-9])(?!-[0-9])/gu
const LETTER = /[\p{L}]/u
const HAN_OR_KANA = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/**
 * Writes whole numbers up to 10^15, decimals, signs, percent and English ordinals (21st) in words. Leaves codes with
 * leading zeros, dates, times, amounts with a currency sign, and everything inside code, addresses and identifiers.
 * Returns the text unchanged for languages without number data.
 * @param language ISO 639-1, null if unknown
 */
export function digitsToWords(text: string, language: string | null): string {
  const known = numberLanguage(language)
  if (!known) return text
  const ranges = protectedRanges(text, { quotes: false, spaced: known.script === 'letters' })
  let range = 0
  return text.replace(NUMBER, (whole: string, ...found: unknown[]) => {
    const at = found[4] as number
    while (range < ranges.length && ranges[range]!.to <= at) range++
    const [sign, digits, ordinal, percent] = found as (string | undefined)[]
    if (touchesLetters(text, at, at + whole.length)) return whole
    const isInside = (ranges[range]?.from ?? Number.POSITIVE_INFINITY) < at + whole.length
    if (isInside && !(ordinal && ranges[range]!.to - ranges[range]!.from <= whole.length + 1)) return whole
    return inWords({ sign: sign!, digits: digits!, ordinal, percent }, known) ?? whole
  })
}

/** Letters next to a number make it a code, except in Chinese and Japanese, which have no spaces. */
function touchesLetters(text: string, from: number, to: number): boolean {
  return [text[from - 1], text[to]].some(
    (character) => character && LETTER.test(character) && !HAN_OR_KANA.test(character),
  )
}

type Parts = { sign: string; digits: string; ordinal: string | undefined; percent: string | undefined }

function inWords({ sign, digits, ordinal, percent }: Parts, language: NumberLanguage): string | null {
  const read = readDigits(digits, language)
  if (!read) return null
  if (ordinal) {
    const isPlain = language.script === 'letters' && !sign && !percent && read.fraction === ''
    return isPlain && read.value > 0 ? (language.spellOrdinal?.(read.value) ?? null) : null
  }
  const isHan = language.script === 'han'
  const gap = isHan ? '' : ' '
  const fraction =
    read.fraction === '' ? '' : `${gap}${language.pointWord}${gap}${spelledOut(read.fraction, language)}`
  const words = `${sign ? `${language.minusWord}${gap}` : ''}${language.spell(read.value)}${fraction}`
  if (!percent) return words
  return language.script === 'han' ? language.percent.write(words) : `${words} ${language.percent.word}`
}

const spelledOut = (digits: string, language: NumberLanguage) =>
  Array.from(digits, (digit) => language.spell(Number(digit))).join(language.script === 'han' ? '' : ' ')

/** The value and decimals of a number in the notation of the language; null for a code. */
function readDigits(digits: string, language: NumberLanguage): { value: number; fraction: string } | null {
  const separators = language.script === 'letters' ? separatorsOf(language) : { decimal: '.', group: [','] }
  const [whole, fraction, ...more] = digits.split(separators.decimal)
  if (more.length > 0 || /[^0-9]/.test(fraction ?? '')) return null
  const groups = whole!.split(new RegExp(`[${separators.group.join('')}]`))
  if (groups.some((group, at) => /[^0-9]/.test(group) || (at > 0 && group.length !== 3))) return null
  if (groups.length > 1 && (groups[0]!.length > 3 || groups[0] === '')) return null
  const joined = groups.join('')
  if (/^0\d/.test(joined) || joined.length > 16 || Number(joined) > LARGEST_NUMBER) return null
  return { value: Number(joined), fraction: fraction ?? '' }
}

function separatorsOf({ decimalSeparator, groupSeparator }: WordLanguage) {
  const group = [groupSeparator, '\u00a0', '\u202f']
  return { decimal: decimalSeparator, group }
}

// Writes Chinese and Japanese numbers in a text as digits.

import type { TextRange } from '../text-tokens.ts'
import type { HanLanguage } from './number-language.ts'
import { protectedRanges } from './tokens.ts'

const DIGITS = '零一二三四五六七八九'
const SAME: Record<string, string> = { 〇: '零', 两: '二', 兩: '二', 萬: '万', 億: '亿' }
const SCALES: readonly (readonly [string, number])[] = [
  ['兆', 1e12],
  ['亿', 1e8],
  ['万', 1e4],
]
const SECTION =
  /^(?:([一二三四五六七八九]?)千)?(零?)(?:([一二三四五六七八九]?)百)?(零?)(?:([一二三四五六七八九]?)十)?(零?)([一二三四五六七八九]?)$/

const digitOf = (character: string) => DIGITS.indexOf(character)
const normal = (numeral: string) => Array.from(numeral, (character) => SAME[character] ?? character).join('')

/** Reads digits one by one: 二〇二六 is 2026. */
const plainDigits = (numeral: string) => Array.from(normal(numeral), digitOf).join('')

/**
 * The value of a positional numeral, or null if the characters are not one.
 * @param options.shortened a final digit without a position counts in the next lower position: 三百五 is 350
 */
function hanValue(numeral: string, options: { shortened: boolean }): number | null {
  const value = readHan(normal(numeral), options.shortened)
  return value !== null && value <= 1e15 ? value : null
}

function readHan(numeral: string, shortened: boolean): number | null {
  for (const [character, scale] of SCALES) {
    const at = numeral.lastIndexOf(character)
    if (at === -1) continue
    const count = readHan(numeral.slice(0, at), false)
    const tail = numeral.slice(at + 1)
    if (count === null || count === 0) return null
    if (tail === '') return count * scale
    if (shortened && tail.length === 1 && digitOf(tail) > 0)
      return count * scale + digitOf(tail) * (scale / 10)
    const rest = readHan(tail, shortened)
    return rest === null || rest === 0 || rest >= scale ? null : count * scale + rest
  }
  return sectionOf(numeral, shortened)
}

/** A number below ten thousand. */
function sectionOf(numeral: string, shortened: boolean): number | null {
  const found = SECTION.exec(numeral)
  if (!found || numeral === '' || numeral.endsWith('零')) return numeral === '零' ? 0 : null
  const [, thousands, zero1, hundreds, zero2, tens, zero3, unit] = found
  const count = (character: string | undefined) =>
    character === undefined ? 0 : character === '' ? 1 : digitOf(character)
  const base = count(thousands) * 1000 + count(hundreds) * 100 + count(tens) * 10
  const units = unit === '' ? 0 : digitOf(unit!)
  const hasZero = `${zero1}${zero2}${zero3}` !== ''
  if (!shortened || hasZero || units === 0 || tens !== undefined) return base + units
  const lower = hundreds !== undefined ? 10 : thousands !== undefined ? 100 : 1
  return base + units * lower
}

const NUMBER =
  /(百分之)?([零〇一二三四五六七八九十百千万萬亿億兆两兩]+)(?:[点點]([零〇一二三四五六七八九]+)(?![十百千点點分刻])([万萬亿億兆]?))?/gu
const POSITION = /[十百千万萬亿億兆]/u
/** 两百万: the final scale character stays. */
const ROUND = /^([零〇一二三四五六七八九十百千两兩]+)([万萬亿億兆]{1,2})$/u
/** Vague numbers: 几十, 十几, 数百. */
const VAGUE_BEFORE = /[几幾数數何]$/u
const VAGUE_AFTER = /^[几幾数數何]/u
/** The upper end of a range: 五到十分钟. */
const OTHER_END = /^[到至〜～][零〇一二三四五六七八九十百千两兩]{1,4}/u
const DAY_AFTER_MONTH = /[一二三四五六七八九十0-9]月$/u

/**
 * Converts numbers of two or more characters (二十三 → 23), decimals (三点五 → 3.5), percent (百分之二十 → 20%), three or
 * more digits spoken one by one (二〇二六 → 2026), and round numbers up to their final scale (两百万 → 200万). A single
 * character stays unless it has a unit (五公里 → 5公里) or is part of a date; 一 stays before most units.
 */
export function hanWordsToDigits(text: string, language: HanLanguage): string {
  const ranges = [...protectedRanges(text, { spaced: false }), ...idiomsIn(text, language)]
  ranges.sort((a, b) => a.from - b.from)
  let range = 0
  let [result, done] = ['', 0]
  for (const match of text.matchAll(NUMBER)) {
    const [from, to] = [match.index, match.index + match[0].length]
    while (range < ranges.length && ranges[range]!.to <= from) range++
    if ((ranges[range]?.from ?? Number.POSITIVE_INFINITY) < to) continue
    const written = write(match, { text, language })
    if (!written) continue
    result += text.slice(done, written.from) + written.digits
    done = written.to
  }
  return result + text.slice(done)
}

type Written = { digits: string; from: number; to: number }

function write(
  match: RegExpMatchArray,
  { text, language }: { text: string; language: HanLanguage },
): Written | null {
  const [whole, percentBefore, numeral, fraction, fractionScale] = match
  const from = match.index!
  let to = from + whole.length
  const [before, after] = [text.slice(Math.max(0, from - 8), from), text.slice(to, to + 12)]
  if (/[\p{N}.]$/u.test(asciiTail(before)) || /^[0-9]/.test(after)) return null
  if (VAGUE_BEFORE.test(before) || VAGUE_AFTER.test(after)) return null
  const percentAfter = language.percent.after?.exec(after) ?? null
  const isPercent = percentAfter !== null || (percentBefore !== undefined && language.percent.before !== null)
  if (percentBefore !== undefined && !isPercent) return null
  const sign = isPercent && percentBefore ? null : language.minus.exec(before)
  const digits = digitsOf(numeral!, fraction, {
    language,
    after,
    before,
    isCounted: isPercent || sign !== null,
  })
  if (digits === null) return null
  if (percentAfter) to += percentAfter[0].length
  return {
    digits: `${sign ? '-' : ''}${digits}${fractionScale ?? ''}${isPercent ? '%' : ''}`,
    from: from - (sign?.[0].length ?? 0),
    to,
  }
}

type Around = { language: HanLanguage; before: string; after: string; isCounted: boolean }

function digitsOf(numeral: string, fraction: string | undefined, around: Around): string | null {
  const { language, isCounted } = around
  const tail = fraction === undefined ? '' : `.${plainDigits(fraction)}`
  const isMeasured = isCounted || tail !== '' || isUnitAfter(numeral, around)
  if (!POSITION.test(numeral)) {
    const isSpelledOut = numeral.length >= 3 && !/[两兩]/u.test(numeral)
    return isSpelledOut || (numeral.length === 1 && isMeasured) ? plainDigits(numeral) + tail : null
  }
  const round = tail === '' ? ROUND.exec(numeral) : null
  const count = round && POSITION.test(round[1]!) ? hanValue(round[1]!, { shortened: false }) : null
  const isBare = numeral.length === 1 || (/^[百千]/u.test(numeral) && !language.bareHundreds)
  if (/^[万萬亿億兆]/u.test(numeral) || (isBare && !(numeral.length === 1 && isMeasured))) return null
  if (round && (count !== null || round[1]!.length === 1)) {
    const value = count ?? Number(plainDigits(round[1]!))
    return value > 0 && /^(?:[万萬亿億兆]|[万萬][亿億])$/u.test(round[2]!) ? `${value}${round[2]}` : null
  }
  const value = hanValue(numeral, { shortened: language.shortened && tail === '' })
  return value === null ? null : value + tail
}

function isUnitAfter(numeral: string, { language, before, after }: Around): boolean {
  if (DAY_AFTER_MONTH.test(before) && /^[日号號]/u.test(after)) return true
  // 十分 usually means "very" or "enough", not ten minutes.
  if (numeral === '十' && /^分(?![钟鐘])/u.test(after)) return /(?:から|[〜～])$/u.test(before)
  const unit = numeral === '一' ? language.unitsOfOne : language.units
  return unit.test(after) || unit.test(after.replace(OTHER_END, ''))
}

/** The digits directly before a number. */
const asciiTail = (before: string) => /[0-9.]*$/.exec(before)?.[0] ?? ''

function idiomsIn(text: string, { idioms }: HanLanguage): TextRange[] {
  return idioms.flatMap((idiom) => {
    const found: TextRange[] = []
    for (let at = text.indexOf(idiom); at !== -1; at = text.indexOf(idiom, at + idiom.length))
      if (!isInsideNumber(text, at, at + idiom.length)) found.push({ from: at, to: at + idiom.length })
    return found
  })
}

const NUMERAL = /[点點零〇一二三四五六七八九十百千万萬亿億兆两兩]/u

/** 二百五 within 五千二百五十 is not an idiom. */
const isInsideNumber = (text: string, from: number, to: number) =>
  (NUMERAL.test(text[from - 1] ?? '') && NUMERAL.test(text[from]!)) ||
  (NUMERAL.test(text[to] ?? '') && NUMERAL.test(text[to - 1]!))

// Where words end: between letters and everything else, and anywhere beside scripts that put no spaces.
// Does not divide a text into words.

import type { TextRange } from '../text-range.ts'

const WORD = /[\p{L}\p{N}\p{M}_]/u

/** Written without spaces between words, so that a word can begin or end anywhere. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

const isWord = (character: string): boolean => WORD.test(character) && !UNSPACED.test(character)

/** The character that a letter is built on. */
const baseAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0)

/** Whether two neighbouring letters, by where they begin in the text, may belong to two words. */
export const isBoundary = (text: string, before: number, after: number): boolean =>
  !(isWord(baseAt(text, before)) && isWord(baseAt(text, after)))

/**
 * Addresses of mail and pages, in code units: whoever teaches "Anna" means no part of anna@example.com. Each alternative
 * begins only where a range of its signs does, so that a long one is gone through once.
 */
const ADDRESS = new RegExp(
  [
    '(?<![\\p{L}\\p{N}_%+.-])[\\p{L}\\p{N}_%+.-]+@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+',
    '(?<![\\p{L}\\p{N}+.-])\\p{L}[\\p{L}\\p{N}+.-]*://[^\\s<>"“”«»]+',
    '(?<![\\p{L}\\p{N}])www\\.[^\\s<>"“”«»]+',
  ].join('|'),
  'giu',
)

export function addressRanges(text: string): TextRange[] {
  if (!/@|:\/\/|www\./iu.test(text)) return []
  return Array.from(text.matchAll(ADDRESS), ({ 0: address, index }) => ({
    from: index,
    to: index + lengthWithoutMarks(address),
  }))
}

const MARKS = '.,;:!?)]}'

/** What ends the sentence is no part of the address in it. */
function lengthWithoutMarks(address: string): number {
  let length = address.length
  while (length > 0 && MARKS.includes(address[length - 1]!)) length -= 1
  return length
}

/** Whether a match begins or ends within one of them; the whole of one may well be replaced. */
export const cuts = (ranges: readonly TextRange[], from: number, to: number): boolean =>
  isWithin(ranges, from) || isWithin(ranges, to)

/** Whether one of them begins before a place and ends behind it; they are in order. */
function isWithin(ranges: readonly TextRange[], place: number): boolean {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[middle]!.to > place) high = middle
    else low = middle + 1
  }
  return low < ranges.length && ranges[low]!.from < place
}

/** What is left of can't and won't is no word. */
const CONTRACTION = /^['’]t(?![\p{L}\p{N}\p{M}])/iu

export const isContracted = (text: string, at: number): boolean => CONTRACTION.test(text.slice(at, at + 4))

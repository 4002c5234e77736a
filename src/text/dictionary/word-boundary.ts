// Word boundaries: between word characters and others, and anywhere in scripts without spaces.

import type { TextRange } from '../text-range.ts'

const WORD = /[\p{L}\p{N}\p{M}_]/u

/** Scripts without spaces between words: a word can begin or end anywhere. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

const isWord = (character: string): boolean => WORD.test(character) && !UNSPACED.test(character)

/** The base code point of the character at `at`. */
const baseAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) ?? 0)

/** Whether two adjacent characters, given by their offsets, may belong to different words. */
export const isBoundary = (text: string, before: number, after: number): boolean =>
  !(isWord(baseAt(text, before)) && isWord(baseAt(text, after)))

/**
 * E-mail addresses and URLs: an entry "Anna" must not match within anna@example.com. Each alternative starts only where a
 * run of its characters starts, so that a long run is scanned once.
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
    to: index + lengthWithoutPunctuation(address),
  }))
}

const PUNCTUATION = '.,;:!?)]}'

/** Punctuation after an address belongs to the sentence. */
function lengthWithoutPunctuation(address: string): number {
  let length = address.length
  while (length > 0 && PUNCTUATION.includes(address[length - 1]!)) length -= 1
  return length
}

/** Whether a match begins or ends within one of the ranges; a match of a whole range is allowed. */
export const cuts = (ranges: readonly TextRange[], from: number, to: number): boolean =>
  isWithin(ranges, from) || isWithin(ranges, to)

/** Whether one of the sorted ranges begins before an offset and ends after it. */
function isWithin(ranges: readonly TextRange[], offset: number): boolean {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[middle]!.to > offset) high = middle
    else low = middle + 1
  }
  return low < ranges.length && ranges[low]!.from < offset
}

/** "can" in "can't" and "won" in "won't" are not whole words. */
const CONTRACTION = /^['’]t(?![\p{L}\p{N}\p{M}])/iu

export const isContracted = (text: string, at: number): boolean => CONTRACTION.test(text.slice(at, at + 4))

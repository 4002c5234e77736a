// Order and shape of lines: sort, reverse, unique, join, split, trim, indent.

import { mapSpans } from './letter-case.ts'
import { isBlank, mapEachLine, mapInner, mapLines } from './lines.ts'
import { enumerated } from './lists.ts'
import { knownLanguage, unitSpans } from './segments.ts'

type Language = string | null

/** Ignores case, and sorts 2 before 10. */
const collatorOf = (language: Language): Intl.Collator =>
  new Intl.Collator(knownLanguage(language) ?? 'en', { numeric: true })

/** Drops blank lines. */
export function sortLines(text: string, language: Language = null): string {
  const { compare } = collatorOf(language)
  return mapSorted(text, (lines) => lines.toSorted(compare))
}

export const sortLinesDescending = (text: string, language: Language = null): string => {
  const { compare } = collatorOf(language)
  return mapSorted(text, (lines) => lines.toSorted((one, other) => compare(other, one)))
}

/** Shortest first. */
export const sortLinesByLength = (text: string): string =>
  mapSorted(text, (lines) => lines.toSorted((one, other) => one.length - other.length))

/** By the first number in each line; lines without a number come last, in their original order. */
export const sortLinesByNumber = (text: string): string =>
  mapSorted(text, (lines) => lines.toSorted((one, other) => firstNumber(one) - firstNumber(other) || 0))

function firstNumber(line: string): number {
  const found = /-?\d+(?:\.\d+)?/u.exec(line.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/u, ''))?.[0]
  return found === undefined ? Number.MAX_VALUE : Number(found)
}

/** In a numbered list, the numbers stay in place and only their items move. */
function mapSorted(text: string, sort: (lines: string[]) => string[]): string {
  return mapLines(text, (lines) => {
    const filled = lines.filter((line) => !isBlank(line))
    const numbers = filled.map((line) => /^\s*\d{1,4}[.)]\s+/u.exec(line)?.[0])
    if (!numbers.every((number) => number !== undefined)) return sort(filled)
    const sorted = sort(filled.map((line, index) => line.slice(numbers[index]?.length)))
    return sorted.map((line, index) => numbers[index] + line)
  })
}

export const reverseLines = (text: string): string => mapLines(text, (lines) => lines.toReversed())

export function reverseWords(text: string, language: Language = null): string {
  const words = unitSpans(text, 'word', knownLanguage(language))
  const reversed = words.map(({ from, to }) => text.slice(from, to)).toReversed()
  return mapSpans(text, words, (_word, index) => reversed[index] ?? '')
}

export const reverseText = (text: string): string =>
  mapInner(text, (inner) =>
    unitSpans(inner, 'character', null)
      .toReversed()
      .map(({ from, to }) => inner.slice(from, to))
      .join(''),
  )

/** Keeps the first of equal lines; ignores outer white space. */
export const uniqueLines = (text: string): string =>
  mapLines(text, (lines) => {
    const seen = new Set<string>()
    return lines.filter((line) => {
      const key = line.trim()
      if (key === '' || !seen.has(key)) {
        seen.add(key)
        return true
      }
      return false
    })
  })

/** No space goes between Chinese or Japanese characters. */
const WITHOUT_SPACE = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\u3000-\u303f\uff00-\uffef]/u

export const joinLines = (text: string, separator = ' '): string =>
  mapLines(text, (lines) => {
    const pieces = lines.map((line) => line.trim()).filter((line) => line !== '')
    let out = ''
    for (const piece of pieces) {
      const close =
        separator === ' ' && WITHOUT_SPACE.test(out.slice(-1)) && WITHOUT_SPACE.test(piece.slice(0, 1))
      out += (out === '' || close ? '' : separator) + piece
    }
    return [out]
  })

/** Removes line breaks within paragraphs; keeps the empty lines between them. */
export const unwrapLines = (text: string): string =>
  mapLines(text, (lines) => {
    const paragraphs: string[][] = []
    for (const [index, line] of lines.entries()) {
      const before = lines[index - 1]
      if (before === undefined || isBlank(before) || isBlank(line)) paragraphs.push([line])
      else paragraphs.at(-1)?.push(line)
    }
    return paragraphs.map((one) => (one.length === 1 ? (one[0] ?? '') : joinLines(one.join('\n'))))
  })

/** Puts the items of an enumeration on one line each, or else the sentences. */
export const splitLines = (text: string, language: Language = null): string =>
  mapLines(text, (lines) => {
    const [only] = lines
    const items = lines.length === 1 && only !== undefined ? enumerated(only) : null
    return items ?? lines.flatMap((line) => sentencesIn(line, language))
  })

export const sentencePerLine = (text: string, language: Language = null): string =>
  mapLines(text, (lines) => lines.flatMap((line) => sentencesIn(line, language)))

const sentencesIn = (line: string, language: Language): string[] =>
  isBlank(line)
    ? [line]
    : unitSpans(line, 'sentence', knownLanguage(language)).map(({ from, to }) => line.slice(from, to))

export const wordPerLine = (text: string): string =>
  mapLines(text, (lines) => lines.flatMap((line) => (isBlank(line) ? [line] : line.trim().split(/\s+/u))))

/** Null if the separator does not occur. */
export const splitAt = (text: string, separator: string): string | null =>
  separator !== '' && text.includes(separator)
    ? mapLines(text, (lines) => lines.flatMap((line) => line.split(separator).map((piece) => piece.trim())))
    : null

export const trimText = (text: string): string => text.trim()

export const trimLines = (text: string): string => mapEachLine(text, (line) => line.trim())

export const removeEmptyLines = (text: string): string =>
  mapLines(text, (lines) => lines.filter((line) => !isBlank(line)))

export const indentLines = (text: string, by = '  '): string =>
  mapEachLine(text, (line) => (isBlank(line) ? line : by + line))

/** Removes one level: a tab, or up to `by` spaces. */
export const outdentLines = (text: string, by = 2): string =>
  mapEachLine(text, (line) => line.replace(new RegExp(`^(?:\\t| {1,${by}})`, 'u'), ''))

export const prefixLines = (text: string, prefix: string): string =>
  mapEachLine(text, (line) => (isBlank(line) ? line : prefix + line))

export const suffixLines = (text: string, suffix: string): string =>
  mapEachLine(text, (line) => (isBlank(line) ? line : line + suffix))

/** Repeats a single line on the same line, and several lines below themselves. */
export const duplicate = (text: string): string =>
  mapLines(text, (lines) => {
    const [only = '', ...more] = lines
    return more.length === 0 && !/[\r\n]/u.test(text) ? [`${only} ${only.trimStart()}`] : [...lines, ...lines]
  })

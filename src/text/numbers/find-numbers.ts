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

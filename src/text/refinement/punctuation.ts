// What the marks between words mean to the rules: commas, ends of sentences, dashes, in any script.
// Not how marks are written and spaced: that is spacing.ts.

import type { TextToken } from './tokens.ts'
import { isSpoken } from './tokens.ts'

export const isComma = (token: TextToken | undefined): boolean =>
  token?.kind === 'mark' && /^[,，、،]$/.test(token.text)

export const isDash = (token: TextToken | undefined): boolean =>
  token?.kind === 'mark' && /^[–—―]$/.test(token.text)

export const isEllipsis = (token: TextToken | undefined): boolean =>
  token?.kind === 'mark' && /^(?:\.{2,}|…+)$/.test(token.text)

/** Ends a sentence: a full stop, a question mark, an exclamation mark; dots do not, since speech goes on. */
export const isTerminator = (token: TextToken | undefined): boolean =>
  token?.kind === 'mark' && /^[.!?。！？．؟।]$/u.test(token.text)

export const isQuestion = (token: TextToken | undefined): boolean =>
  token?.kind === 'mark' && /^[?？؟]$/u.test(token.text)

/** What French sets before ? ! ; and : so that they never begin a line. */
export const NARROW_SPACE = '\u202f'

/** The index of the nearest token before `at` that is no space; -1 at the start. */
export function before(tokens: readonly TextToken[], at: number): number {
  let index = at - 1
  while (index >= 0 && tokens[index]!.kind === 'space') index -= 1
  return index
}

/** The index of the nearest token from `at` on that is no space; the length at the end. */
export function after(tokens: readonly TextToken[], at: number): number {
  let index = at
  while (index < tokens.length && tokens[index]!.kind === 'space') index += 1
  return index
}

/** Whether a sentence begins at `at`: at the start, in a new line, after the end of another, inside brackets. */
export function startsSentence(tokens: readonly TextToken[], at: number): boolean {
  const previous = tokens[before(tokens, at)]
  return (
    previous === undefined ||
    previous.kind === 'newline' ||
    isTerminator(previous) ||
    (previous.kind === 'mark' && /^[([¿¡-]$/.test(previous.text))
  )
}

/** Where the sentence of the token before `at` begins; null if that is more than `most` words (or many marks) back. */
export function sentenceStart(tokens: readonly TextToken[], at: number, most: number): number | null {
  let words = 0
  for (let index = at - 1; index >= 0; index -= 1) {
    if (at - index > most * 4) return null
    const token = tokens[index]!
    if (token.kind === 'newline' || isTerminator(token)) return after(tokens, index + 1)
    if (isSpoken(token)) words += 1
    if (words > most) return null
  }
  return after(tokens, 0)
}

/** The same word with a capital first letter, if it has one of a single character. */
export function capitalize(word: string, code: string): string {
  const first = String.fromCodePoint(word.codePointAt(0) ?? 0)
  if (code === 'nl' && /^ij/.test(word)) return `IJ${word.slice(2)}`
  const upper = code === 'tr' || code === 'az' ? first.toLocaleUpperCase('tr') : first.toUpperCase()
  return [...upper].length === 1 && word !== '' ? upper + word.slice(first.length) : word
}

export const isCapitalized = (word: string): boolean => /^\p{Lu}/u.test(word)

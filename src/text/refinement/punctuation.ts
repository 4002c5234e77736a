// Classifies punctuation in any script: commas, dashes, ends of sentences.

import type { TextToken } from './tokens.ts'
import { isSpoken } from './tokens.ts'

export const isComma = (token: TextToken | undefined): boolean =>
  token?.kind === 'mark' && /^[,，、،]$/.test(token.text)

export const isDash = (token: TextToken | undefined): boolean =>
  token?.kind === 'mark' && /^[–—―]$/.test(token.text)

export const isEllipsis = (token: TextToken | undefined): boolean =>
  token?.kind === 'mark' && /^(?:\.{2,}|…+)$/.test(token.text)

/** A full stop, a question mark or an exclamation mark; not an ellipsis, since the sentence continues. */
export const isTerminator = (token: TextToken | undefined): boolean =>
  token?.kind === 'mark' && /^[.!?。！？．؟।]$/u.test(token.text)

export const isQuestion = (token: TextToken | undefined): boolean =>
  token?.kind === 'mark' && /^[?？؟]$/u.test(token.text)

/** French puts it before ? ! ; and : so that they never begin a line. */
export const NARROW_SPACE = '\u202f'

/** The index of the nearest token before `at` that is not a space; -1 if there is none. */
export function before(tokens: readonly TextToken[], at: number): number {
  let index = at - 1
  while (index >= 0 && tokens[index]!.kind === 'space') index -= 1
  return index
}

/** The index of the nearest token from `at` on that is not a space; the length if there is none. */
export function after(tokens: readonly TextToken[], at: number): number {
  let index = at
  while (index < tokens.length && tokens[index]!.kind === 'space') index += 1
  return index
}

/** Whether a sentence begins at `at`: at the start, on a new line, after another sentence, or inside brackets. */
export function startsSentence(tokens: readonly TextToken[], at: number): boolean {
  const previous = tokens[before(tokens, at)]
  return (
    previous === undefined ||
    previous.kind === 'newline' ||
    isTerminator(previous) ||
    (previous.kind === 'mark' && /^[([¿¡-]$/.test(previous.text))
  )
}

/** The start of the sentence that ends before `at`; null if it is more than `most` words or `4 * most` tokens back. */
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

/** Capitalizes the first character, unless its capital has several characters. */
export function capitalize(word: string, code: string): string {
  const first = String.fromCodePoint(word.codePointAt(0) ?? 0)
  if (code === 'nl' && /^ij/.test(word)) return `IJ${word.slice(2)}`
  const upper = code === 'tr' || code === 'az' ? first.toLocaleUpperCase('tr') : first.toUpperCase()
  return [...upper].length === 1 && word !== '' ? upper + word.slice(first.length) : word
}

export const isCapitalized = (word: string): boolean => /^\p{Lu}/u.test(word)

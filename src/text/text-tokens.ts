// Splits a text into tokens for comparing two versions of it: words, single characters of scripts without spaces, and
// single punctuation characters.

import type { Sliced } from '../lib/time-slice.ts'

/** In UTF-16 code units, `to` excluded. */
export type TextRange = { from: number; to: number }

/** Scripts without spaces between words. For a character class, with the flag u or v. */
export const UNSPACED_SCRIPTS =
  '\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}'

export type ComparedToken = TextRange & { text: string }

const TOKEN = new RegExp(
  `[${UNSPACED_SCRIPTS}]|(?:(?![${UNSPACED_SCRIPTS}])[\\p{L}\\p{N}\\p{M}'’])+|[^\\s]`,
  'gu',
)

export function* comparedTokens(text: string): Sliced<ComparedToken[]> {
  const tokens: ComparedToken[] = []
  for (const { 0: found, index: from } of text.matchAll(TOKEN)) {
    tokens.push({ text: found, from, to: from + found.length })
    yield
  }
  return tokens
}

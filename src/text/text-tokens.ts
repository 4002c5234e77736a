// Splits a text into tokens for comparing two versions of it: words, single characters of scripts without spaces, and
// single punctuation characters.

import type { Sliced } from '../lib/slices.ts'
import type { TextRange } from './text-range.ts'
import { UNSPACED_SCRIPTS } from './unspaced-scripts.ts'

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

// Splits a text into tokens for comparing two versions of it: words, single characters of scripts without spaces, and
// single punctuation characters.

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

export const comparedTokens = (text: string): ComparedToken[] =>
  Array.from(text.matchAll(TOKEN), ({ 0: found, index: from }) => ({
    text: found,
    from,
    to: from + found.length,
  }))

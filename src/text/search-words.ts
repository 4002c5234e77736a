// Takes a text apart into what a search can find, in any language: words, and letters where words have no spaces.
// Knows no database; what an index makes of the pieces is src/captures/search-terms.ts.

import { fold } from './fold.ts'
import { UNSPACED_SCRIPTS } from './unspaced-scripts.ts'

/** `unspaced`: written without spaces between words, so that a word may begin and end anywhere in it. */
export type ScriptRun = { text: string; unspaced: boolean }

const UNSPACED = `[${UNSPACED_SCRIPTS}]`
const LETTER = '[\\p{L}\\p{N}\\p{M}]'

const PIECES = new RegExp(`[${LETTER}&&${UNSPACED}]+|[${LETTER}--${UNSPACED}]+`, 'gv')
const SIGNS = /[\p{S}\p{P}]/gv
const BEGINS_UNSPACED = new RegExp(`^${UNSPACED}`, 'v')

/** What people leave out when they search, beyond case and accents: vowel points, and letters many keyboards lack. */
export const foldForSearch = (text: string): string =>
  fold(text)
    .replace(POINTS, '')
    .replace(LETTERS, (letter) => PLAIN[letter]!)

const POINTS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g
const PLAIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}
const LETTERS = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')

/** `folded` is as foldForSearch gives it. Signs between the pieces are left out. */
export const piecesOf = (folded: string): ScriptRun[] =>
  (folded.match(PIECES) ?? []).map((text) => ({ text, unspaced: BEGINS_UNSPACED.test(text) }))

/** Everything that is neither letter nor space: punctuation, currency, emoji; each once. */
export const signsOf = (folded: string): string[] => [...new Set(folded.match(SIGNS) ?? [])]

/** A regular expression for `pieces` in this order with only signs and spaces between them. */
export function patternOf(pieces: ScriptRun[], { goesOn }: { goesOn: boolean }): RegExp {
  const [first, last] = [pieces[0], pieces.at(-1)]
  const before = first && !first.unspaced ? `(?<!${SPACED_LETTER})` : ''
  const after = last && !last.unspaced && !goesOn ? `(?!${SPACED_LETTER})` : ''
  const between = `[^\\p{L}\\p{N}\\p{M}]*`
  return new RegExp(before + pieces.map(({ text }) => text).join(between) + after, 'gv')
}

const SPACED_LETTER = `[${LETTER}--${UNSPACED}]`

// What a search is made of: words that may go on, phrases, and compounds; and the patterns that show where they are.
// What the index is asked for them is src/captures/search-query.ts; the page lights them in a transcript.

import {
  foldForSearch,
  joinedText,
  patternOf,
  patternText,
  piecesOf,
  type ScriptRun,
  signsOf,
  WORD_BEGINS,
  WORD_ENDS,
} from './search-words.ts'
import { inflectionsOf, mayBeMistyped, misspellingPattern } from './word-variants.ts'

/** What stands together in a query: a word that may go on, a phrase in quotation marks, or what only signs divide. */
export type SearchUnit = { pieces: ScriptRun[]; phrase: boolean }

const TYPOGRAPHIC_QUOTES = /[“”„‟«»]/g

export const foldQuery = (query: string): string => foldForSearch(query).replace(TYPOGRAPHIC_QUOTES, '"')

/** Digits in groups of three are one number. */
const PARTS = /"([^"]*)("?)|((?<!\d)\d{1,3}(?: \d{3})+(?!\d)|[^"\s]+)/g

export function unitsOf(folded: string): SearchUnit[] {
  const units = new Map<string, SearchUnit>()
  for (const [, quote, end, loose] of folded.matchAll(PARTS)) {
    const pieces = piecesOf(quote ?? loose ?? '')
    // One that is not closed yet is still being typed.
    const phrase = end === '"'
    // What is said twice is looked for once: five hundred characters have room for hundreds of words.
    if (pieces.length > 0)
      units.set(`${phrase} ${pieces.map(({ text }) => text).join(' ')}`, { pieces, phrase })
  }
  return [...units.values()]
}

/** The one word that a unit is, for which other forms may stand; null where it is more, or in quotation marks. */
export const wordOf = ({ pieces, phrase }: SearchUnit): string | null =>
  phrase || pieces.length !== 1 || pieces[0]!.unspaced ? null : pieces[0]!.text

/** A compound, without the signs in it; null where it is none. */
export const compoundOf = ({ pieces, phrase }: SearchUnit): string | null =>
  !phrase && pieces.length > 1 && pieces.every(({ joined }, at) => at === 0 || joined)
    ? joinedText(pieces)
    : null

/** Where the words of a query are, in a text folded by foldForSearch: each as it is, or in its other number. */
export function shownPatterns(folded: string): RegExp[] {
  const units = unitsOf(folded)
  if (units.length === 0)
    return signsOf(folded).map((sign) => new RegExp(sign.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'g'))
  return units.map((unit) => {
    const others = inflectionsOf(wordOf(unit) ?? '')
    const exact = patternText(unit.pieces, { goesOn: !unit.phrase })
    return new RegExp([exact, ...others.map(wholeWord)].join('|'), 'gv')
  })
}

/** Where words are that they may have been meant for: with one slip. */
export const nearPatterns = (folded: string): RegExp[] =>
  unitsOf(folded).map((unit) => {
    const word = wordOf(unit)
    return word !== null && mayBeMistyped(word)
      ? new RegExp(wholeWord(misspellingPattern(word)), 'gv')
      : patternOf(unit.pieces, { goesOn: !unit.phrase })
  })

const wholeWord = (pattern: string): string => `${WORD_BEGINS}${pattern}${WORD_ENDS}`

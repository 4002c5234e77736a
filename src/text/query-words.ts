// Parses a search query into prefixes, phrases and compounds, and builds the patterns that highlight them.

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

/** A part of a query: a word prefix, a phrase in quotation marks, or words joined by punctuation. */
export type SearchUnit = { pieces: ScriptRun[]; phrase: boolean }

const TYPOGRAPHIC_QUOTES = /[“”„‟«»]/g

export const foldQuery = (query: string): string => foldForSearch(query).replace(TYPOGRAPHIC_QUOTES, '"')

/** Digits in groups of three, separated by spaces, are one number. */
const PARTS = /"([^"]*)("?)|((?<!\d)\d{1,3}(?: \d{3})+(?!\d)|[^"\s]+)/g

export function unitsOf(folded: string): SearchUnit[] {
  const units = new Map<string, SearchUnit>()
  for (const [, quote, end, loose] of folded.matchAll(PARTS)) {
    const pieces = piecesOf(quote ?? loose ?? '')
    // A phrase without its closing quotation mark is still being typed.
    const phrase = end === '"'
    // Duplicates are dropped: a query of five hundred characters can have hundreds of words.
    if (pieces.length > 0)
      units.set(`${phrase} ${pieces.map(({ text }) => text).join(' ')}`, { pieces, phrase })
  }
  return [...units.values()]
}

/** The word, if a unit is a single word that also matches its other forms; null for several words or a phrase. */
export const wordOf = ({ pieces, phrase }: SearchUnit): string | null =>
  phrase || pieces.length !== 1 || pieces[0]!.unspaced ? null : pieces[0]!.text

/** A compound without its punctuation; null if the unit is not a compound. */
export const compoundOf = ({ pieces, phrase }: SearchUnit): string | null =>
  !phrase && pieces.length > 1 && pieces.every(({ joined }, at) => at === 0 || joined)
    ? joinedText(pieces)
    : null

/** Patterns for the words of a query, or their plural or singular, in a text folded by foldForSearch. */
export function shownPatterns(folded: string): RegExp[] {
  const units = unitsOf(folded)
  if (units.length === 0)
    return signsOf(folded).map((sign) => new RegExp(sign.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'g'))
  return units.map((unit) => {
    const others = inflectionsOf(wordOf(unit) ?? '')
    const exact = patternText(unit.pieces, { isPrefix: !unit.phrase })
    return new RegExp([exact, ...others.map(wholeWord)].join('|'), 'gv')
  })
}

/** Patterns for the words of a query with one typo. */
export const nearPatterns = (folded: string): RegExp[] =>
  unitsOf(folded).map((unit) => {
    const word = wordOf(unit)
    return word !== null && mayBeMistyped(word)
      ? new RegExp(wholeWord(misspellingPattern(word)), 'gv')
      : patternOf(unit.pieces, { isPrefix: !unit.phrase })
  })

const wholeWord = (pattern: string): string => `${WORD_BEGINS}${pattern}${WORD_ENDS}`

// Parses a search: words, word prefixes and phrases in any language, ignoring case and accents.

import type { NearTerm, TextQuery } from '../../db/search.ts'
import {
  compoundOf,
  foldQuery,
  nearPatterns,
  type SearchUnit,
  shownPatterns,
  unitsOf,
  wordOf,
} from '../text/query-words.ts'
import { type ScriptRun, signsOf } from '../text/search-words.ts'
import { inflectionsOf, mayBeMistyped, misspellingsOf } from '../text/word-variants.ts'
import { beginningTerm, characterTerms, MAX_BEGINNING, pairTerm, quoted, wordTerm } from './search-terms.ts'

/** A query of five hundred characters without spaces has as many terms; this many give the same results. */
const MAX_TERMS = 40
/** Words of a query that are checked for typing errors: each has hundreds of variants. */
const MAX_MISTYPED = 3

export type SearchedWords = {
  query: TextQuery
  /** regular expressions for a text folded by foldForSearch */
  shown: RegExp[]
  /** the same for captures that only `query.nearly` finds */
  nearlyShown: RegExp[]
}

/** Null if the query has no searchable text. */
export function parseQuery(query: string): SearchedWords | null {
  const folded = foldQuery(query)
  const units = unitsOf(folded)
  const shown = shownPatterns(folded)
  if (units.length === 0) return signQuery(folded, shown)
  const exactTerms = joined([...new Set(units.flatMap(termsOf))], ' & ')
  const terms = joined([...new Set(units.flatMap(inflectedTermsOf))], ' & ')
  const ranked = new Set(units.flatMap(rankedTermsOf))
  const exact = new Set(units.filter(({ phrase }) => !phrase).flatMap(wholeLastWordOf))
  return {
    query: {
      terms,
      texts: [...new Set(units.flatMap(textOf))],
      rankedBy: joined([...ranked], ' & '),
      betterWith: exact.size === 0 ? null : joined([...exact], ' | '),
      bestWith: exactTerms === terms ? null : exactTerms,
      nearly: nearlyTerms(units),
    },
    shown,
    nearlyShown: nearPatterns(folded),
  }
}

const joined = (terms: readonly string[], by: string): string => terms.slice(0, MAX_TERMS).join(by)

/** A search for symbols alone, such as a currency or an emoji, anywhere and in any order. */
function signQuery(folded: string, shown: RegExp[]): SearchedWords | null {
  const signs = signsOf(folded)
  if (signs.length === 0) return null
  const terms = joined(signs.map(quoted), ' & ')
  const query = { terms, texts: [], rankedBy: null, betterWith: null, bestWith: null, nearly: null }
  return { query, shown, nearlyShown: shown }
}

/** The terms of every text that contains this unit. */
function termsOf(unit: SearchUnit): string[] {
  const compound = compoundOf(unit)
  if (compound === null) return pieceTermsOf(unit)
  return [anyOf([compoundTerm(compound), `(${pieceTermsOf(unit).join(' & ')})`])]
}

/** Abbreviations with full stops ("U.S.") are a prefix of too many words. */
const compoundTerm = (compound: string): string =>
  quoted(wordTerm(compound)) + (compound.length > MAX_BEGINNING + 1 ? ':*' : '')

const anyOf = (terms: readonly string[]): string =>
  terms.length === 1 ? terms[0]! : `(${terms.join(' | ')})`

/** The unit, or its singular or plural. */
function inflectedTermsOf(unit: SearchUnit): string[] {
  const others = inflectionsOf(wordOf(unit) ?? '').map(quoted)
  return others.length === 0 ? termsOf(unit) : [anyOf([...termsOf(unit), ...others])]
}

/** Variants for typing errors; null if no word is long enough to detect one. */
function nearlyTerms(units: readonly SearchUnit[]): NearTerm[] | null {
  const words = units.flatMap((unit) => wordOf(unit) ?? []).filter(mayBeMistyped)
  if (words.length === 0 || units.length > MAX_TERMS) return null
  const mistyped = new Set(words.toSorted((one, other) => other.length - one.length).slice(0, MAX_MISTYPED))
  return units.map((unit) => {
    const word = wordOf(unit) ?? ''
    const variants = mistyped.has(word) ? misspellingsOf(word).map(quoted) : []
    return { terms: inflectedTermsOf(unit).join(' & '), variants }
  })
}

function pieceTermsOf({ pieces, phrase }: SearchUnit): string[] {
  return pieces.flatMap((piece, index) => {
    if (piece.unspaced) return charactersOf(piece.text).map(quoted)
    const next = pieces[index + 1]
    const goesOn = (at: number) => !phrase && at === pieces.length - 1
    if (next !== undefined && !next.unspaced)
      return [quoted(pairTerm(piece.text, next.text)) + (goesOn(index + 1) ? ':*' : '')]
    const previous = pieces[index - 1]
    // It is already in the pair.
    if (previous !== undefined && !previous.unspaced) return []
    if (!goesOn(index)) return [quoted(wordTerm(piece.text))]
    return [...piece.text].length <= MAX_BEGINNING
      ? [quoted(beginningTerm(piece.text))]
      : [`${quoted(wordTerm(piece.text))}:*`]
  })
}

function charactersOf(text: string): string[] {
  const terms = characterTerms(text)
  return terms.length === 1 ? [text] : terms.flatMap(({ pair }) => pair ?? [])
}

/** The rank depends on how often these terms occur and how near each other. */
function rankedTermsOf(unit: SearchUnit): string[] {
  const { pieces, phrase } = unit
  const compound = compoundOf(unit)
  if (compound !== null) return [compoundTerm(compound)]
  return pieces.flatMap(({ text, unspaced }, index) => {
    if (unspaced) return charactersOf(text).map(quoted)
    return [quoted(wordTerm(text)) + (!phrase && index === pieces.length - 1 ? ':*' : '')]
  })
}

/** A whole word ranks above a word with that prefix. */
function wholeLastWordOf(unit: SearchUnit): string[] {
  const last = unit.pieces.at(-1)!
  return last.unspaced ? [] : [quoted(wordTerm(compoundOf(unit) ?? last.text))]
}

/** Text to check that the terms alone cannot: more than two pieces in a row. */
function textOf(unit: SearchUnit): string[] {
  const { pieces, phrase } = unit
  // Its neighbours are in the terms, and the text may spell it as one word.
  if (compoundOf(unit) !== null) return []
  const isTold =
    pieces.length === 1 ? [...pieces[0]!.text].length <= 2 || !pieces[0]!.unspaced : isPair(pieces)
  if (isTold) return []
  const before = pieces[0]!.unspaced ? '' : ' '
  const after = pieces.at(-1)!.unspaced || !phrase ? '' : ' '
  return [before + pieces.map(({ text }) => text).join(' ') + after]
}

const isPair = (pieces: ScriptRun[]): boolean =>
  pieces.length === 2 && pieces.every(({ unspaced }) => !unspaced)

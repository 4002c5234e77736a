// What a search looks for: words, beginnings of words and phrases in any language, whatever their case or accents.
// What the index holds is search-terms.ts; the query itself is db/search.ts; showing where it matched is highlight.ts.

import type { TextQuery } from '../../db/search.ts'
import { foldForSearch, patternOf, piecesOf, type ScriptRun, signsOf } from '../text/search-words.ts'
import { beginningTerm, characterTerms, MAX_BEGINNING, pairTerm, quoted, wordTerm } from './search-terms.ts'

/** What stands together in a query: a word that may go on, a phrase in quotation marks, or what only signs divide. */
type Unit = { pieces: ScriptRun[]; phrase: boolean }

/** A query of five hundred characters without spaces has as many terms; this many find as little. */
const MAX_TERMS = 40

/** `shown` finds the places in a text folded by foldForSearch. Null where the query holds nothing to look for. */
export function parseQuery(query: string): { query: TextQuery; shown: RegExp[] } | null {
  const folded = foldForSearch(query).replace(TYPOGRAPHIC_QUOTES, '"')
  const units = unitsOf(folded)
  if (units.length === 0) return signQuery(folded)
  const terms = new Set(units.flatMap(termsOf))
  const ranked = new Set(units.flatMap(rankedTermsOf))
  const exact = new Set(units.filter(({ phrase }) => !phrase).flatMap(wholeLastWordOf))
  return {
    query: {
      terms: [...terms].slice(0, MAX_TERMS).join(' & '),
      texts: [...new Set(units.flatMap(textOf))],
      rankedBy: [...ranked].slice(0, MAX_TERMS).join(' & '),
      betterWith: exact.size === 0 ? null : [...exact].slice(0, MAX_TERMS).join(' | '),
    },
    shown: units.map(({ pieces, phrase }) => patternOf(pieces, { goesOn: !phrase })),
  }
}

const TYPOGRAPHIC_QUOTES = /[“”„‟«»]/g

function unitsOf(folded: string): Unit[] {
  const units = new Map<string, Unit>()
  for (const [, quote, end, loose] of folded.matchAll(/"([^"]*)("?)|([^"\s]+)/g)) {
    const pieces = piecesOf(quote ?? loose ?? '')
    // One that is not closed yet is still being typed.
    const phrase = end === '"'
    // What is said twice is looked for once: five hundred characters have room for hundreds of words.
    if (pieces.length > 0)
      units.set(`${phrase} ${pieces.map(({ text }) => text).join(' ')}`, { pieces, phrase })
  }
  return [...units.values()]
}

/** A search for signs alone, such as a currency or an emoji; they may stand anywhere and in any order. */
function signQuery(folded: string): ReturnType<typeof parseQuery> {
  const signs = signsOf(folded)
  if (signs.length === 0) return null
  const terms = signs.slice(0, MAX_TERMS).map(quoted).join(' & ')
  return {
    query: { terms, texts: [], rankedBy: null, betterWith: null },
    shown: signs.map((sign) => new RegExp(RegExp.escape(sign), 'g')),
  }
}

/** The terms that every text with this unit has. */
function termsOf({ pieces, phrase }: Unit): string[] {
  return pieces.flatMap((piece, index) => {
    if (piece.unspaced) return charactersOf(piece.text).map(quoted)
    const next = pieces[index + 1]
    const goesOn = (at: number) => !phrase && at === pieces.length - 1
    if (next !== undefined && !next.unspaced)
      return [quoted(pairTerm(piece.text, next.text)) + (goesOn(index + 1) ? ':*' : '')]
    const previous = pieces[index - 1]
    // It stands in the pair already.
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

/** How often these stand in a text, and how near each other, is how well it matches. */
const rankedTermsOf = ({ pieces, phrase }: Unit): string[] =>
  pieces.flatMap(({ text, unspaced }, index) => {
    if (unspaced) return charactersOf(text).map(quoted)
    return [quoted(wordTerm(text)) + (!phrase && index === pieces.length - 1 ? ':*' : '')]
  })

/** The word itself is better than one that begins so. */
function wholeLastWordOf({ pieces }: Unit): string[] {
  const last = pieces.at(-1)!
  return last.unspaced ? [] : [quoted(wordTerm(last.text))]
}

/** What the terms alone do not tell: more than two pieces in a row. */
function textOf({ pieces, phrase }: Unit): string[] {
  const isTold =
    pieces.length === 1 ? [...pieces[0]!.text].length <= 2 || !pieces[0]!.unspaced : isPair(pieces)
  if (isTold) return []
  const before = pieces[0]!.unspaced ? '' : ' '
  const after = pieces.at(-1)!.unspaced || !phrase ? '' : ' '
  return [before + pieces.map(({ text }) => text).join(' ') + after]
}

const isPair = (pieces: ScriptRun[]): boolean =>
  pieces.length === 2 && pieces.every(({ unspaced }) => !unspaced)

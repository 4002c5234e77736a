// Folds text so that a search finds words in any language, whatever their case or accents.
// The query itself is db/search.ts; showing where it matched is highlight.ts.

import type { TextQuery } from '../../db/search.ts'

/** Lower case, without accents and compatibility forms; letters that carry meaning of their own stay. */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(COMBINING_ACCENTS, '').toLowerCase().normalize('NFC')

// Only the accents of Latin, Greek and Cyrillic: the marks of Indic and Thai scripts are their vowels.
const COMBINING_ACCENTS = /[\u0300-\u036f]/gu

const WORDS = /[\p{L}\p{N}\p{M}]+/gu

/** One part of what was asked for: a word that may go on, or a phrase in quotation marks. */
type Term = { words: string[]; phrase: boolean }

/** Null where the text holds nothing to look for. */
export function parseQuery(query: string): { query: TextQuery; terms: string[] } | null {
  const terms = termsOf(fold(query))
  if (terms.length === 0) {
    const literal = fold(query).trim()
    return literal === '' ? null : { query: { tsquery: null, fragments: [literal] }, terms: [literal] }
  }
  return {
    query: {
      tsquery: terms.map(toTsquery).join(' & '),
      fragments: terms.map((term) => term.words.join(' ')),
    },
    terms: terms.map((term) => term.words.join(' ')),
  }
}

function termsOf(folded: string): Term[] {
  const terms: Term[] = []
  for (const [, phrase, loose] of folded.matchAll(/"([^"]*)"|([^"]+)/g)) {
    const words = (phrase ?? loose ?? '').match(WORDS) ?? []
    if (phrase !== undefined && words.length > 0) terms.push({ words, phrase: true })
    if (loose !== undefined) terms.push(...words.map((word) => ({ words: [word], phrase: false })))
  }
  return terms
}

/** Words are letters and digits alone, so that nothing in them can be syntax. */
const toTsquery = ({ words, phrase }: Term): string => (phrase ? `(${words.join(' <-> ')})` : `${words[0]}:*`)

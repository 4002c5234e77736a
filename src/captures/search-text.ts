// What a search looks for: words and phrases in any language, whatever their case or accents.
// The query itself is db/search.ts; showing where it matched is highlight.ts.

import type { TextQuery } from '../../db/search.ts'
import { fold } from '../text/fold.ts'

const WORDS = /[\p{L}\p{N}\p{M}]+/gu

/** Written without spaces between words, so that a word can begin anywhere. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/**
 * What may stand before a word: in code points, since what a database takes for a letter depends on its locale.
 * Punctuation and symbols (ASCII, Latin-1, general, CJK), and the letters of the scripts above.
 */
const BETWEEN_WORDS =
  '\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00a9\\u00ab-\\u00b1\\u00b4\\u00b6-\\u00b8\\u00bb\\u00bf' +
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u2000-\\u2bff\\u3000-\\u30ff\\u3400-\\u9fff\\uf900-\\ufaff'

/** One part of what was asked for: a word that may go on, or a phrase in quotation marks. */
type Term = { words: string[]; phrase: boolean }

/** Where to show a match: `pattern` is a regular expression, null where the text may stand anywhere. */
export type ShownTerm = { text: string; pattern: string | null }

/** Null where the text holds nothing to look for. */
export function parseQuery(query: string): { query: TextQuery; terms: ShownTerm[] } | null {
  const terms = termsOf(fold(query))
  if (terms.length === 0) {
    const literal = fold(query).trim()
    if (literal === '') return null
    return {
      query: { tsquery: null, words: [], fragments: [literal] },
      terms: [{ text: literal, pattern: null }],
    }
  }
  const [unspaced, spaced] = [terms.filter(isUnspaced), terms.filter((term) => !isUnspaced(term))]
  const words = spaced.map((term) => ({ text: textOf(term), pattern: patternOf(term) }))
  const fragments = unspaced.map(textOf)
  return {
    query: { tsquery: spaced.length === 0 ? null : spaced.map(toTsquery).join(' & '), words, fragments },
    terms: [...words, ...fragments.map((text) => ({ text, pattern: null }))],
  }
}

const isUnspaced = ({ words }: Term): boolean => words.some((word) => UNSPACED.test(word))

const textOf = ({ words }: Term): string => words.join(' ')

/** Understood alike by Postgres and JavaScript. */
const patternOf = (term: Term): string =>
  `(^|[${BETWEEN_WORDS}])${textOf(term)}${term.phrase ? `($|[${BETWEEN_WORDS}])` : ''}`

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

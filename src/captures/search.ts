// Full-text search in captures: the terms of a text, the query of a user, and the highlighted excerpt.

import type { Alternative, NearTerm, TextQuery } from '../../db/search.ts'
import { createPause, type Pause } from '../lib/time-slice.ts'
import { parseOperators } from '../text/query-operators.ts'
import {
  compoundOf,
  foldQuery,
  inflectionsOf,
  mayBeMistyped,
  misspellingsOf,
  nearPatterns,
  type SearchUnit,
  shownPatterns,
  unitsOf,
  wordOf,
} from '../text/query-words.ts'
import {
  compoundsIn,
  foldForSearch,
  foldWithPositions,
  piecesOf,
  type ScriptRun,
  signsOf,
} from '../text/search-words.ts'

/** Longer words are found by their prefix; Postgres takes 2046 bytes. */
const MAX_WORD_LENGTH = 100
/** A tsvector may hold one megabyte. Recordings of many hours lose the terms for phrases, from their end. */
const MAX_VECTOR_BYTES = 900_000
const MAX_POSITION = 16_383

/** Prefixes up to this many characters are separate terms: too many words share them to collect all. */
const MAX_BEGINNING = 2

const beginningTerm = (letters: string): string => `^${letters}`
const pairTerm = (one: string, next: string): string => `+${wordTerm(one)} ${wordTerm(next)}`
const wordTerm = (word: string): string =>
  word.length <= MAX_WORD_LENGTH ? word : [...word].slice(0, MAX_WORD_LENGTH / 2).join('')

/** Each character of an unspaced piece, and each pair of neighbours. */
const characterTerms = (text: string): { single: string; pair: string | null }[] => {
  const characters = [...text]
  return characters.map((single, at) => ({
    single,
    pair: at + 1 < characters.length ? single + characters[at + 1]! : null,
  }))
}

/** Terms with their positions, most important first; several positions of one term are consecutive. */
type Terms = Map<string, string[]>

export type SearchIndex = {
  /** folded words with one space around each, line by line, for checks that need the text itself */
  searchText: string
  /** a tsvector in Postgres's text format */
  searchTerms: string
}

/** `texts` from the most to the least important; the first is the title. */
export async function indexOf(title: string, texts: string[]): Promise<SearchIndex> {
  const pause = createPause()
  const parts = [title, ...texts].map(foldForSearch)
  const lines: string[] = []
  const words: Terms = new Map()
  const helpers = new Set<string>()
  let position = 1
  for (const [index, part] of parts.entries()) {
    const pieces = piecesOf(part)
    for (const sign of signsOf(part)) helpers.add(sign)
    const line = pieces.map(({ text }) => text).join(' ')
    // A refined text often has exactly the words of the raw one.
    if (line === '' || lines.includes(line)) continue
    lines.push(line)
    const terms = { words, helpers, pause }
    position = await addPieces(terms, pieces, { position, weight: index === 0 ? 'A' : '' })
  }
  return { searchText: lines.map((line) => ` ${line} `).join('\n'), searchTerms: vectorOf(words, helpers) }
}

type Place = { position: number; weight: string }

/** Pieces processed between two pauses. */
const PIECES_PER_PAUSE = 512

async function addPieces(
  { words, helpers, pause }: { words: Terms; helpers: Set<string>; pause: Pause },
  pieces: ScriptRun[],
  place: Place,
): Promise<number> {
  let { position } = place
  const compounds = new Map([...compoundsIn(pieces)].map(({ at, text }) => [at, text]))
  const noteWord = (word: string) => {
    if (!note(wordTerm(word))) return
    const letters = [...word.slice(0, 2 * MAX_BEGINNING)]
    for (let length = 1; length <= Math.min(MAX_BEGINNING, letters.length); length++)
      helpers.add(beginningTerm(letters.slice(0, length).join('')))
  }
  /** true if the term is new */
  const note = (term: string): boolean => {
    const at = `${Math.min(position, MAX_POSITION)}${place.weight}`
    const places = words.get(term)
    if (places === undefined) words.set(term, [at])
    else if (places.length < MAX_PLACES) places.push(at)
    return places === undefined
  }
  for (const [index, { text, unspaced }] of pieces.entries()) {
    if (index % PIECES_PER_PAUSE === 0) await pause()
    if (unspaced) {
      for (const { single, pair } of characterTerms(text)) {
        note(single)
        if (pair !== null) note(pair)
        position++
      }
      continue
    }
    noteWord(text)
    const compound = compounds.get(index)
    if (compound !== undefined) noteWord(compound)
    const next = pieces[index + 1]
    if (next !== undefined && !next.unspaced) helpers.add(pairTerm(text, next.text))
    position++
  }
  // A gap, so that words of different texts are not neighbours.
  return position + 10
}

const MAX_PLACES = 255

function vectorOf(words: Terms, helpers: Set<string>): string {
  const entries: string[] = []
  let bytes = 0
  const add = (term: string, places: string[]): boolean => {
    bytes += Buffer.byteLength(term) + 8 + 2 * places.length
    if (bytes > MAX_VECTOR_BYTES) return false
    entries.push(places.length === 0 ? quoted(term) : `${quoted(term)}:${places.join(',')}`)
    return true
  }
  for (const [term, places] of words) if (!add(term, places)) return entries.join(' ')
  for (const term of helpers) if (!add(term, [])) break
  return entries.join(' ')
}

/** In the syntax of tsvector and tsquery. */
export const quoted = (term: string): string => `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

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
  const { groups, excluded, plain } = parseOperators(query)
  const folded = foldQuery(plain)
  const units = unitsOf(folded)
  const shown = shownPatterns(folded)
  if (units.length === 0) return signQuery(folded, shown)
  const all = groups.map((alternatives) => alternatives.map((words) => unitsOf(foldQuery(words))))
  const allTerms = (termsFor: (unit: SearchUnit) => string[]) =>
    joined([...new Set(all.flatMap((alternatives) => groupTerms(alternatives, termsFor)))], ' & ')
  const required = all.flatMap((alternatives) => (alternatives.length === 1 ? alternatives[0]! : []))
  const exactTerms = allTerms(termsOf)
  const terms = allTerms(inflectedTermsOf)
  const exact = new Set(units.filter(({ phrase }) => !phrase).flatMap(wholeLastWordOf))
  const except = exceptTerms(excluded)
  const oneOf = all.map(alternativesOf).filter((group) => group.some(({ texts }) => texts.length > 0))
  return {
    query: {
      terms,
      texts: [...new Set(required.flatMap(textOf))],
      rankedBy: allTerms(rankedTermsOf),
      betterWith: exact.size === 0 ? null : joined([...exact], ' | '),
      bestWith: exactTerms === terms ? null : exactTerms,
      nearly: all.some(({ length }) => length > 1) ? null : nearlyTerms(units),
      ...(except !== null && { except }),
      ...(oneOf.length > 0 && { oneOf }),
    },
    shown,
    nearlyShown: nearPatterns(folded),
  }
}

/** Terms that are all required: those of the only alternative, or one for all alternatives. */
function groupTerms(alternatives: SearchUnit[][], termsFor: (unit: SearchUnit) => string[]): string[] {
  const each = alternatives
    .map((units) => [...new Set(units.flatMap(termsFor))])
    .filter(({ length }) => length > 0)
  if (each.length < 2) return each[0] ?? []
  return [anyOf(each.map((terms) => `(${joined(terms, ' & ')})`))]
}

/** Empty if there is only one: its texts are required. */
function alternativesOf(alternatives: SearchUnit[][]): Alternative[] {
  if (alternatives.length < 2) return []
  return alternatives
    .filter((units) => units.length > 0)
    .map((units) => ({
      terms: joined([...new Set(units.flatMap(inflectedTermsOf))], ' & '),
      texts: units.flatMap(textOf),
    }))
}

/** Whole words and their plural or singular, not their prefixes; null if nothing is excluded. */
function exceptTerms(excluded: readonly string[]): string | null {
  const each = excluded.flatMap((words) => {
    const terms = unitsOf(foldQuery(words)).flatMap((unit) => {
      const others = inflectionsOf(wordOf(unit) ?? '').map(quoted)
      return anyOf([`(${termsOf({ ...unit, phrase: true }).join(' & ')})`, ...others])
    })
    return terms.length === 0 ? [] : [`(${joined(terms, ' & ')})`]
  })
  return each.length === 0 ? null : joined(each, ' | ')
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
  const isInTerms =
    pieces.length === 1 ? [...pieces[0]!.text].length <= 2 || !pieces[0]!.unspaced : isPair(pieces)
  if (isInTerms) return []
  const before = pieces[0]!.unspaced ? '' : ' '
  const after = pieces.at(-1)!.unspaced || !phrase ? '' : ' '
  return [before + pieces.map(({ text }) => text).join(' ') + after]
}

const isPair = (pieces: ScriptRun[]): boolean =>
  pieces.length === 2 && pieces.every(({ unspaced }) => !unspaced)

const BEFORE = 60
const LENGTH = 240
/** How far around the first match is searched: a text of many hours is never scanned character by character. */
const NEIGHBOURHOOD = 400

/**
 * HTML, escaped except for `<mark>` around each match; null if no term is in the text. `shown` match the text folded by foldForSearch.
 */
export function highlight(whole: string, shown: RegExp[]): string | null {
  const text = neighbourhood(whole, shown)
  const { folded, at } = foldWithPositions(text)
  const matches = matchesIn(folded, shown)
  if (matches.length === 0) return null

  const from = wordStart(text, Math.max(0, at[matches[0]!.from]! - BEFORE))
  const to = Math.min(text.length, from + LENGTH)
  let html = from > 0 ? '…' : ''
  let done = from
  for (const match of matches) {
    const [start, end] = [at[match.from]!, at[match.to]!]
    if (start < done || end > to) continue
    html += `${escapeHtml(text.slice(done, start))}<mark>${escapeHtml(text.slice(start, end))}</mark>`
    done = end
  }
  return html + escapeHtml(text.slice(done, to)) + (to < text.length ? '…' : '')
}

/** Folding seldom changes a text's length, so an index in the folded text is near the same index in the original. */
function neighbourhood(whole: string, shown: RegExp[]): string {
  if (whole.length <= 2 * NEIGHBOURHOOD) return whole
  const folded = foldForSearch(whole)
  const places = shown.flatMap((pattern) =>
    [...matchesOf(folded, pattern)].slice(0, 1).map(({ from }) => from),
  )
  const from = Math.max(0, Math.min(...places, folded.length) - NEIGHBOURHOOD)
  return whole.slice(from, from + 2 * NEIGHBOURHOOD)
}

type Match = { from: number; to: number }

const matchesIn = (folded: string, shown: RegExp[]): Match[] =>
  shown
    .flatMap((pattern) => matchesOf(folded, pattern))
    .sort((one, other) => one.from - other.from || other.to - one.to)

const matchesOf = (folded: string, pattern: RegExp): Match[] =>
  [...folded.matchAll(pattern)].map((match) => ({ from: match.index, to: match.index + match[0].length }))

const wordStart = (text: string, place: number): number => {
  const space = text.indexOf(' ', place)
  return place === 0 || space === -1 || space > place + BEFORE / 2 ? place : space + 1
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character]!)

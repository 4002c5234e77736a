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

const LATIN = /^\p{sc=Latin}+$/u
const MIN_INFLECTED_LENGTH = 4
const MIN_MISTYPED_LENGTH = 5
const MAX_MISTYPED_LENGTH = 20

/** Interchangeable endings and minimum word lengths. A plural that extends the word ("conferences") needs no entry. */
const ENDINGS: [ending: string, others: string[], minLength: number][] = [
  ['ies', ['y', 'ie'], 5],
  ['ves', ['f', 'fe'], 5],
  ['ses', ['s', 'sis'], 5],
  ['es', [''], 5],
  ['s', [''], MIN_INFLECTED_LENGTH],
  ['y', ['ies'], MIN_INFLECTED_LENGTH],
  ['f', ['ves'], MIN_INFLECTED_LENGTH],
  ['fe', ['ves'], MIN_INFLECTED_LENGTH],
  ['sis', ['ses'], 5],
  ['aux', ['al'], 5],
  ['al', ['aux'], 5],
  ['ces', ['z'], 5],
  ['oes', ['ao'], 5],
  ['ao', ['oes'], 5],
  ['en', ['', 'e'], 7],
  ['er', [''], 7],
]

const IRREGULAR = [
  ['man', 'men'],
  ['woman', 'women'],
  ['child', 'children'],
  ['person', 'people'],
  ['foot', 'feet'],
  ['tooth', 'teeth'],
  ['mouse', 'mice'],
  ['goose', 'geese'],
]

/** Guesses the plural or singular of a word. */
export function inflectionsOf(word: string): string[] {
  const irregular = IRREGULAR.find((pair) => pair.includes(word))
  if (irregular) return irregular.filter((other) => other !== word)
  if (!LATIN.test(word) || word.length < MIN_INFLECTED_LENGTH || word.endsWith('ss')) return []
  const others = ENDINGS.flatMap(([ending, endings, minLength]) =>
    word.length >= minLength && word.endsWith(ending)
      ? endings.map((other) => word.slice(0, -ending.length) + other)
      : [],
  )
  return [...new Set(others)]
}

export const mayBeMistyped = (word: string): boolean =>
  LATIN.test(word) && word.length >= MIN_MISTYPED_LENGTH && word.length <= MAX_MISTYPED_LENGTH

const ALPHABET = [...'abcdefghijklmnopqrstuvwxyz']

/** All words with one extra, missing, wrong or transposed letter; excludes the word itself. */
export function misspellingsOf(word: string): string[] {
  const found = new Set<string>()
  for (let at = 0; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    for (const letter of ALPHABET) {
      found.add(before + letter + after)
      if (after !== '') found.add(before + letter + after.slice(1))
    }
    found.add(before + after.slice(1))
    if (after.length > 1) found.add(before + after[1]! + after[0]! + after.slice(2))
  }
  found.delete(word)
  return [...found]
}

/** A regular expression that matches the misspellings. */
function misspellingPattern(word: string): string {
  const ways = Array.from({ length: word.length + 1 }, (_, at) => {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    const exchanged = after.length > 1 ? `|${after[1]}${after[0]}${after.slice(2)}` : ''
    return after === ''
      ? `${before}\\p{L}`
      : `${before}(?:\\p{L}?${after.slice(1)}|\\p{L}${after}${exchanged})`
  })
  return `(?:${ways.join('|')})`
}

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

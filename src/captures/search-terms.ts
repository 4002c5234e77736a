// The search index of a capture: terms for Postgres's text index.
// Besides words, the index has terms that replace a scan of each text: prefixes of words, pairs of neighbours (for
// phrases, and scripts without spaces), compounds as one word (`email` for `e-mail`), and symbols.

import type { Sliced } from '../lib/time-slice.ts'
import { compoundsIn, foldForSearch, piecesOf, type ScriptRun, signsOf } from '../text/search-words.ts'

/** Longer words are found by their prefix; Postgres takes 2046 bytes. */
const MAX_WORD_LENGTH = 100
/** A tsvector may hold one megabyte. Recordings of many hours lose the terms for phrases, from their end. */
const MAX_VECTOR_BYTES = 900_000
const MAX_POSITION = 16_383

/** Prefixes up to this many characters are separate terms: too many words share them to collect all. */
export const MAX_BEGINNING = 2

export const beginningTerm = (letters: string): string => `^${letters}`
export const pairTerm = (one: string, next: string): string => `+${wordTerm(one)} ${wordTerm(next)}`
export const wordTerm = (word: string): string =>
  word.length <= MAX_WORD_LENGTH ? word : [...word].slice(0, MAX_WORD_LENGTH / 2).join('')

/** Each character of an unspaced piece, and each pair of neighbours. */
export const characterTerms = (text: string): { single: string; pair: string | null }[] => {
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
export function* indexOf(title: string, texts: string[]): Sliced<SearchIndex> {
  const parts = [title, ...texts].map(foldForSearch)
  const lines: string[] = []
  const words: Terms = new Map()
  const helpers: Terms = new Map()
  let position = 1
  for (const [index, part] of parts.entries()) {
    yield
    const pieces = piecesOf(part)
    yield
    for (const sign of signsOf(part)) helpers.set(sign, [])
    const line = pieces.map(({ text }) => text).join(' ')
    // A refined text often has exactly the words of the raw one.
    if (line === '' || lines.includes(line)) continue
    lines.push(line)
    position = yield* addPieces({ words, helpers }, pieces, { position, weight: index === 0 ? 'A' : '' })
  }
  return { searchText: lines.map((line) => ` ${line} `).join('\n'), searchTerms: vectorOf(words, helpers) }
}

type Place = { position: number; weight: string }

function* addPieces(
  { words, helpers }: { words: Terms; helpers: Terms },
  pieces: ScriptRun[],
  place: Place,
): Sliced<number> {
  let { position } = place
  const compounds = new Map([...compoundsIn(pieces)].map(({ at, text }) => [at, text]))
  const noteWord = (word: string) => {
    note(wordTerm(word))
    const letters = [...word.slice(0, 2 * MAX_BEGINNING)]
    for (let length = 1; length <= Math.min(MAX_BEGINNING, letters.length); length++)
      helpers.set(beginningTerm(letters.slice(0, length).join('')), [])
  }
  const note = (term: string) => {
    const at = `${Math.min(position, MAX_POSITION)}${place.weight}`
    const places = words.get(term)
    if (places === undefined) words.set(term, [at])
    else places.push(at)
  }
  for (const [index, { text, unspaced }] of pieces.entries()) {
    if (index % PIECES_A_STEP === 0) yield
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
    if (next !== undefined && !next.unspaced) helpers.set(pairTerm(text, next.text), [])
    position++
  }
  // A gap, so that words of different texts are not neighbours.
  return position + 10
}

/** Pieces between two points where the work may pause. */
const PIECES_A_STEP = 512

const MAX_PLACES = 255

function vectorOf(words: Terms, helpers: Terms): string {
  const entries: string[] = []
  let bytes = 0
  for (const terms of [words, helpers])
    for (const [term, places] of terms) {
      const kept = places.slice(0, MAX_PLACES)
      bytes += Buffer.byteLength(term) + 8 + 2 * kept.length
      if (bytes > MAX_VECTOR_BYTES) return entries.join(' ')
      entries.push(kept.length === 0 ? quoted(term) : `${quoted(term)}:${kept.join(',')}`)
    }
  return entries.join(' ')
}

/** In the syntax of tsvector and tsquery. */
export const quoted = (term: string): string => `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

// Where the regular expressions of a dictionary match in a text, one after the other.
// Which of several matches is taken is find-edits.ts.
//
// One search takes time in proportion to the text, but finding all matches may take that for each of them: a pattern
// such as `a(.*z)?` looks to the end for every a. So patterns see a line at a time, long lines in pieces, and all of
// them together have a budget.

import type { Matcher } from 're2js'
import type { Sliced } from '../../lib/time-slice.ts'
import { COMPOSED, rewritten } from './clusters.ts'
import type { EntryPattern } from './compile.ts'
import type { Entry } from './entry.ts'
import type { GroupText } from './template.ts'

export type PatternMatch = { entry: Entry; from: number; to: number; groupText: GroupText }

/** Gives the first match of its pattern that begins at or after a place; places only ever rise. */
type Scanner = (at: number) => Sliced<PatternMatch | null>

export type Scan = {
  /** The matches that begin there, the preferred pattern's first; places only ever rise. */
  matchesAt(place: number): Sliced<readonly PatternMatch[]>
  /** ids of the entries that were given up because the budget was used up */
  givenUp: Set<string>
}

const MAX_PIECE_CHARACTERS = 2000
/** For one text and all patterns. Words are replaced whatever it takes. */
const BUDGET_MS = 300

type Piece = { text: string; from: number }

export function* scanPatterns(patterns: readonly EntryPattern[], text: string): Sliced<Scan> {
  const givenUp = new Set<string>()
  if (patterns.length === 0) return { matchesAt: nowhere, givenUp }
  const composed = text === text.normalize('NFC') ? null : yield* rewritten(text, COMPOSED)
  const pieces = [...piecesOf(composed?.text ?? text)]
  const places = composed === null ? SAME_PLACES : placesOf(composed.origins)
  let spentMs = 0
  const find = (matcher: Matcher, from: number): boolean => {
    const startedAt = performance.now()
    const found = matcher.find(from)
    spentMs += performance.now() - startedAt
    return found
  }
  const scanners = patterns.map(({ entry, regex }) => {
    const mayGoOn = () => {
      if (spentMs > BUDGET_MS) givenUp.add(entry.id)
      return spentMs <= BUDGET_MS
    }
    const next = matchesIn(pieces, { matcherOf: (piece) => regex.matcher(piece), find, mayGoOn })
    return createScanner(entry, next, places)
  })
  return { matchesAt: yield* inOrder(scanners), givenUp }
}

type Found = { match: PatternMatch; rank: number }

const NONE: readonly PatternMatch[] = []

// biome-ignore lint/correctness/useYield: it has nothing to do
function* nowhere(): Sliced<readonly PatternMatch[]> {
  return NONE
}

/** Of all patterns; each is asked again only when its match has been passed, however many there are. */
function* inOrder(scanners: readonly Scanner[]): Sliced<Scan['matchesAt']> {
  const beginning = new Map<number, Found[]>()
  let reached = 0
  function* put(rank: number, from: number): Sliced<void> {
    const match = yield* scanners[rank]!(from)
    if (match === null) return
    const others = beginning.get(match.from)
    if (others) others.push({ match, rank })
    else beginning.set(match.from, [{ match, rank }])
  }
  for (const rank of scanners.keys()) yield* put(rank, 0)
  return function* matchesAt(place) {
    for (; reached < place; reached += 1) {
      const passed = beginning.get(reached) ?? []
      beginning.delete(reached)
      for (const { rank } of passed) yield* put(rank, place)
    }
    const here = beginning.get(place) ?? []
    return here.sort((one, other) => one.rank - other.rank).map(({ match }) => match)
  }
}

/** Lines, and parts of those that are too long, cut where a word ends if one does. */
function* piecesOf(text: string): Generator<Piece> {
  let from = 0
  while (from < text.length) {
    const lineEnd = text.indexOf('\n', from)
    let to = lineEnd < 0 ? text.length : lineEnd + 1
    if (to - from > MAX_PIECE_CHARACTERS) {
      const space = text.lastIndexOf(' ', from + MAX_PIECE_CHARACTERS)
      to = space > from ? space + 1 : from + MAX_PIECE_CHARACTERS
    }
    yield { text: text.slice(from, to), from }
    from = to
  }
}

type RawMatch = { from: number; to: number; groupText: GroupText }

type Search = {
  matcherOf: (text: string) => Matcher
  find: (matcher: Matcher, from: number) => boolean
  /** false when there is no time left */
  mayGoOn: () => boolean
}

type NextMatch = (at: number) => Sliced<RawMatch | null>

/** The first match at or after a place of the composed text. */
function matchesIn(pieces: readonly Piece[], { matcherOf, find, mayGoOn }: Search): NextMatch {
  let index = 0
  let matcher: Matcher | null = null
  return function* next(at) {
    for (; index < pieces.length; index += 1, matcher = null) {
      const piece = pieces[index]!
      if (at >= piece.from + piece.text.length) continue
      if (!mayGoOn()) return null
      yield
      matcher ??= matcherOf(piece.text)
      if (!find(matcher, Math.max(0, at - piece.from))) continue
      const found = matcher
      return {
        from: piece.from + found.start(),
        to: piece.from + found.end(),
        groupText: (group) => found.group(group) ?? '',
      }
    }
    return null
  }
}

/** Back on the places of the original text. */
function createScanner(entry: Entry, next: NextMatch, places: Places): Scanner {
  return function* search(at) {
    for (let searchAt = places.composedOf(at); ; ) {
      const raw = yield* next(searchAt)
      if (raw === null) return null
      const [from, to] = [places.originOf(raw.from), places.originOf(raw.to)]
      if (raw.to > raw.from && from >= 0 && to >= 0) return { ...raw, entry, from, to }
      searchAt = raw.from + 1
    }
  }
}

type Places = {
  /** -1 within a letter */
  originOf(at: number): number
  composedOf(at: number): number
}

const SAME_PLACES: Places = { originOf: (at) => at, composedOf: (at) => at }

function placesOf(origins: Int32Array): Places {
  const composed = new Int32Array(origins.at(-1)! + 1)
  for (const [at, origin] of origins.entries()) if (origin >= 0) composed[origin] = at
  return { originOf: (at) => origins[at]!, composedOf: (at) => composed[at]! }
}

// Where the regular expressions of a dictionary match in a text, one after the other.
// Which of several matches is taken is find-edits.ts.
//
// One search takes time in proportion to the text, but finding all matches may take that for each of them: a pattern
// such as `a(.*z)?` looks to the end for every a. So patterns see a line at a time, long lines in pieces, and all of
// them together have a budget.

import type { Matcher } from 're2js'
import { COMPOSED, rewrite } from './clusters.ts'
import type { Pattern } from './compile.ts'
import type { Entry } from './entry.ts'
import type { GroupText } from './template.ts'

export type PatternMatch = { entry: Entry; from: number; to: number; groupText: GroupText }

/** Gives the first match of its pattern that begins at or after a place; places only ever rise. */
export type Scanner = (at: number) => PatternMatch | null

export type Scan = {
  scanners: Scanner[]
  /** ids of the entries that were given up because the budget was used up */
  givenUp: Set<string>
}

const MAX_PIECE_CHARACTERS = 2000
/** For one text and all patterns. Words are replaced whatever it takes. */
const BUDGET_MS = 300

type Piece = { text: string; from: number }

export function scanPatterns(patterns: readonly Pattern[], text: string): Scan {
  const givenUp = new Set<string>()
  if (patterns.length === 0) return { scanners: [], givenUp }
  const composed = text === text.normalize('NFC') ? null : rewrite(text, COMPOSED)
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
    const next = matchesIn(
      pieces,
      (piece) => regex.matcher(piece),
      (matcher, from) => {
        if (spentMs <= BUDGET_MS) return find(matcher, from)
        givenUp.add(entry.id)
        return false
      },
    )
    return createScanner(entry, next, places)
  })
  return { scanners, givenUp }
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

/** The first match at or after a place of the composed text. */
function matchesIn(
  pieces: readonly Piece[],
  matcherOf: (text: string) => Matcher,
  find: (matcher: Matcher, from: number) => boolean,
): (at: number) => RawMatch | null {
  let index = 0
  let matcher: Matcher | null = null
  return (at) => {
    for (; index < pieces.length; index += 1, matcher = null) {
      const piece = pieces[index]!
      if (at >= piece.from + piece.text.length) continue
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
function createScanner(entry: Entry, next: (at: number) => RawMatch | null, places: Places): Scanner {
  let last: PatternMatch | null | undefined
  const search = (at: number): PatternMatch | null => {
    for (let searchAt = places.composedOf(at); ; ) {
      const raw = next(searchAt)
      if (raw === null) return null
      const [from, to] = [places.originOf(raw.from), places.originOf(raw.to)]
      if (raw.to > raw.from && from >= 0 && to >= 0) return { ...raw, entry, from, to }
      searchAt = raw.from + 1
    }
  }
  return (at) => {
    if (last === undefined || (last !== null && last.from < at)) last = search(at)
    return last
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

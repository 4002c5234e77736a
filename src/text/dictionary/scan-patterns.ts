// Finds the matches of a dictionary's regular expressions in a text.
// One search takes time linear in the text, but finding all matches may take that for each match: a pattern such as
// `a(.*z)?` scans to the end for every a. So patterns see one line at a time, long lines in pieces, and all patterns
// share a time budget.

import type { Matcher } from 're2js'
import { createPause, type Pause } from '../../lib/time-slice.ts'
import { COMPOSED, rewrite } from './case-folding.ts'
import type { EntryPattern } from './compile.ts'
import type { Entry, GroupText } from './entry.ts'

export type PatternMatch = { entry: Entry; from: number; to: number; groupText: GroupText }

/** Returns the first match of its pattern at or after an offset; callers only pass increasing offsets. */
type Scanner = (at: number) => Promise<PatternMatch | null>

export type Scan = {
  /** The matches that begin at an offset, the preferred pattern first; callers only pass increasing offsets. */
  matchesAt(offset: number): Promise<readonly PatternMatch[]>
  /** ids of the entries that were abandoned because the budget ran out */
  givenUp: Set<string>
}

const MAX_PIECE_CHARACTERS = 2000
/** For one text and all patterns. Plain words have no budget. */
const BUDGET_MS = 300

type Piece = { text: string; from: number }

/** Null without patterns. */
export async function scanPatterns(patterns: readonly EntryPattern[], text: string): Promise<Scan | null> {
  if (patterns.length === 0) return null
  const givenUp = new Set<string>()
  const pause = createPause()
  const composed = text === text.normalize('NFC') ? null : rewrite(text, COMPOSED)
  const pieces = [...piecesOf(composed?.text ?? text)]
  const offsets = composed === null ? SAME_OFFSETS : offsetMapOf(composed.origins)
  let spentMs = 0
  const find = (matcher: Matcher, from: number): boolean => {
    const startedAt = performance.now()
    const found = matcher.find(from)
    spentMs += performance.now() - startedAt
    return found
  }
  const scanners = patterns.map(({ entry, regex }) => {
    const mayContinue = () => {
      if (spentMs > BUDGET_MS) givenUp.add(entry.id)
      return spentMs <= BUDGET_MS
    }
    const next = matchesIn(pieces, { matcherOf: (piece) => regex.matcher(piece), find, mayContinue, pause })
    return createScanner(entry, next, offsets)
  })
  return { matchesAt: await inOrder(scanners), givenUp }
}

type Found = { match: PatternMatch; rank: number }

/** Merges all patterns; a pattern searches again only after its match has been passed. */
async function inOrder(scanners: readonly Scanner[]): Promise<Scan['matchesAt']> {
  const beginning = new Map<number, Found[]>()
  let reached = 0
  async function put(rank: number, from: number): Promise<void> {
    const match = await scanners[rank]!(from)
    if (match === null) return
    const others = beginning.get(match.from)
    if (others) others.push({ match, rank })
    else beginning.set(match.from, [{ match, rank }])
  }
  for (const rank of scanners.keys()) await put(rank, 0)
  return async function matchesAt(offset) {
    for (; reached < offset; reached += 1) {
      const passed = beginning.get(reached) ?? []
      beginning.delete(reached)
      for (const { rank } of passed) await put(rank, offset)
    }
    const here = beginning.get(offset) ?? []
    return here.sort((one, other) => one.rank - other.rank).map(({ match }) => match)
  }
}

/** Lines; long lines are split after a space if they have one. */
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
  /** false when the budget is used up */
  mayContinue: () => boolean
  pause: Pause
}

type NextMatch = (at: number) => Promise<RawMatch | null>

/** Returns the first match at or after an offset of the composed text. */
function matchesIn(pieces: readonly Piece[], { matcherOf, find, mayContinue, pause }: Search): NextMatch {
  let index = 0
  let matcher: Matcher | null = null
  return async function next(at) {
    for (; index < pieces.length; index += 1, matcher = null) {
      const piece = pieces[index]!
      if (at >= piece.from + piece.text.length) continue
      if (!mayContinue()) return null
      await pause()
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

/** Translates matches to offsets of the original text. */
function createScanner(entry: Entry, next: NextMatch, offsets: OffsetMap): Scanner {
  return async function search(at) {
    for (let searchAt = offsets.composedOf(at); ; ) {
      const raw = await next(searchAt)
      if (raw === null) return null
      const [from, to] = [offsets.originOf(raw.from), offsets.originOf(raw.to)]
      if (raw.to > raw.from && from >= 0 && to >= 0) return { ...raw, entry, from, to }
      searchAt = raw.from + 1
    }
  }
}

type OffsetMap = {
  /** -1 within a character */
  originOf(at: number): number
  composedOf(at: number): number
}

const SAME_OFFSETS: OffsetMap = { originOf: (at) => at, composedOf: (at) => at }

function offsetMapOf(origins: Int32Array): OffsetMap {
  const composed = new Int32Array(origins.at(-1)! + 1)
  for (const [at, origin] of origins.entries()) if (origin >= 0) composed[origin] = at
  return { originOf: (at) => origins[at]!, composedOf: (at) => composed[at]! }
}

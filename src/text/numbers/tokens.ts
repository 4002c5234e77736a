// Splits a text into words outside the protected ranges, and marks number words.

import type { TextRange } from '../text-tokens.ts'
import { type Atom, foldWord, type WordLanguage } from './number-language.ts'

export type NumberToken = {
  from: number
  to: number
  folded: string
  /** null: not a number word */
  atoms: Atom[] | null
  /** separated from the previous token by only a space or a hyphen */
  joined: boolean
}

/** Longer than any number word: the German word for 777,777 has 65 letters. */
const LONGEST_COMPOUND = 120
/** quattrocentottantotto is a single part */
const LONGEST_PART = 24
const WORD = /\p{L}[\p{L}\p{M}]*/gu
const JOINT = /^(?:[ \u00a0\u202f]{1,2}|-|\u2011)$/

/** All words outside the protected ranges, in order. Words on both sides of a protected range are not joined. */
export function tokenizeNumbers(
  text: string,
  language: WordLanguage,
  protectedRanges: TextRange[],
): NumberToken[] {
  const tokens: NumberToken[] = []
  let range = 0
  for (const match of text.matchAll(WORD)) {
    const [from, to] = [match.index, match.index + match[0].length]
    while (range < protectedRanges.length && protectedRanges[range]!.to <= from) range++
    if ((protectedRanges[range]?.from ?? Infinity) < to) continue
    const folded = foldWord(match[0])
    const gap = text.slice(tokens.at(-1)?.to ?? 0, from)
    tokens.push({
      from,
      to,
      folded,
      atoms: atomsOf(folded, language),
      joined: tokens.length > 0 && gap.length <= 2 && JOINT.test(gap),
    })
  }
  return tokens
}

/** The parts of a number word; null for other words. */
export function atomsOf(folded: string, language: WordLanguage): Atom[] | null {
  const whole = language.words.get(folded)
  if (whole) return [whole]
  if (!language.compounds || folded.length > LONGEST_COMPOUND) return null
  return split(folded, language.words)
}

/** Splits a compound, longest parts first from the left; null if a part is not a number word. */
function split(word: string, words: ReadonlyMap<string, Atom>): Atom[] | null {
  /** offsets from which no split reaches the end */
  const dead = new Set<number>()
  const from = (at: number): Atom[] | null => {
    if (at === word.length) return []
    if (dead.has(at)) return null
    for (let to = Math.min(word.length, at + LONGEST_PART); to > at; to--) {
      const atom = words.get(word.slice(at, to))
      const rest = atom && isPart(atom, at, to === word.length) ? from(to) : null
      if (rest) return [atom!, ...rest]
    }
    dead.add(at)
    return null
  }
  return from(0)
}

function isPart(atom: Atom, at: number, isLast: boolean): boolean {
  if (atom.kind === 'point' || atom.kind === 'article') return false
  return atom.ordinal ? isLast : at > 0 || atom.kind !== 'and'
}

const CODE = /```[^`]*```|`[^`\n]+`/g
const QUOTED = /"[^"\n]{1,400}"|“[^”\n]{1,400}”|«[^»\n]{1,400}»|„[^“”"\n]{1,400}[“”"]/g
/** Chinese and Japanese have no spaces around Latin words, hence ASCII_CHUNK. */
const SPACED_CHUNK = /\S+/g
const ASCII_CHUNK = /[!-~]+/g
/** 21st and 21e are ordinals and not protected; 5kg and x2 are. */
const FOR_MACHINES =
  /[@_\\=<>{}[\]#$~^|&]|\/|::|--|^-\p{L}|\p{L}[.:]\p{L}|\p{Ll}\p{Lu}|\p{L}['’]?\d|\d(?!(?:st|nd|rd|th|er|e)(?![\p{L}\p{N}]))\p{L}|\(\)/u

/**
 * Code in backticks, addresses, paths, identifiers and text in quotation marks.
 * Ordered; ranges do not overlap.
 */
export function protectedRanges(text: string, { spaced }: { spaced: boolean }): TextRange[] {
  const found: TextRange[] = []
  const collect = (pattern: RegExp, counts = (_match: string) => true) => {
    for (const match of text.matchAll(pattern))
      if (counts(match[0])) found.push({ from: match.index, to: match.index + match[0].length })
  }
  collect(CODE)
  collect(QUOTED)
  collect(spaced ? SPACED_CHUNK : ASCII_CHUNK, (chunk) => FOR_MACHINES.test(chunk))
  found.sort((a, b) => a.from - b.from)
  return merged(found)
}

function merged(sorted: TextRange[]): TextRange[] {
  const result: TextRange[] = []
  for (const one of sorted) {
    const last = result.at(-1)
    if (last && one.from <= last.to) last.to = Math.max(last.to, one.to)
    else result.push({ ...one })
  }
  return result
}

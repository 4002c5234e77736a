// Finds the words that an instruction names in a text: replaces them, removes them, or inserts beside them.
// Returns null if the text does not have them.

import { UNSPACED_SCRIPTS } from '../text-tokens.ts'
import { capitalizeFirst, upperCase } from './letter-case.ts'
import { endingOf } from './lines.ts'

export type Occurrence = 'all' | 'first' | 'last'

/** Offsets in the text, `to` excluded. */
type Match = { from: number; to: number; found: string }

const WORD_SIGN = /[\p{L}\p{N}\p{M}_]/u
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u')

/** Finds whole words, ignoring case; finds symbols anywhere. */
export function findAll(text: string, wanted: string): Match[] {
  if (wanted === '') return []
  const pattern = new RegExp(literally(wanted).replace(/\s+/gu, '\\s+').replace(/['’]/gu, "['’]"), 'giu')
  return Array.from(text.matchAll(pattern), (match) => {
    const [found] = match
    return { from: match.index, to: match.index + found.length, found }
  }).filter(({ from, to }) => !cutsWord(text, from) && !cutsWord(text, to))
}

const literally = (wanted: string): string => wanted.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')

/** Whether an offset is inside a word. */
function cutsWord(text: string, at: number): boolean {
  const [before, after] = [lastCharacter(text.slice(0, at)), firstCharacter(text.slice(at))]
  return WORD_SIGN.test(before) && WORD_SIGN.test(after) && !UNSPACED.test(before) && !UNSPACED.test(after)
}

const lastCharacter = (text: string): string => Array.from(text.slice(-2)).at(-1) ?? ''
const firstCharacter = (text: string): string => Array.from(text.slice(0, 2))[0] ?? ''

/** Selects all occurrences, or the first or last. */
export function pick<T>(matches: readonly T[], occurrence: Occurrence): T[] {
  if (occurrence === 'all') return [...matches]
  const one = matches.at(occurrence === 'first' ? 0 : -1)
  return one === undefined ? [] : [one]
}

export function replaceAll(
  text: string,
  wanted: string,
  by: string | ((found: string) => string),
  occurrence: Occurrence = 'all',
): string | null {
  const matches = pick(findAll(text, wanted), occurrence)
  if (matches.length === 0) return null
  let out = ''
  let at = 0
  for (const { from, to, found } of matches) {
    out += text.slice(at, from) + (typeof by === 'string' ? inCaseOf(found, wanted, by) : by(found))
    at = to
  }
  return out + text.slice(at)
}

/** Gives the replacement the capital of the found word: an initial capital or all capitals. */
function inCaseOf(found: string, wanted: string, by: string): string {
  if (found === wanted) return by
  const isShouted = /\p{Lu}\P{Lu}*\p{Lu}/u.test(found) && !/\p{Ll}/u.test(found)
  if (isShouted && /\p{Ll}/u.test(wanted)) return upperCase(by)
  return /^\p{Lu}/u.test(found) && /^\p{Ll}/u.test(wanted) ? capitalizeFirst(by) : by
}

/** Removes each occurrence with one adjacent space. */
export function removeAll(text: string, wanted: string, occurrence: Occurrence = 'all'): string | null {
  const matches = pick(findAll(text, wanted), occurrence)
  if (matches.length === 0) return null
  const isWord = WORD_SIGN.test(wanted)
  let out = ''
  let at = 0
  for (const { from, to } of matches) {
    out += text.slice(at, from)
    at = to
    if (!isWord) continue
    const atStart = out === '' || /[\s([{]/u.test(out.slice(-1))
    const spaces = /^[^\S\r\n]+/u.exec(text.slice(at))?.[0].length ?? 0
    if (atStart && spaces > 0) at += spaces
    else if (/^(?:[.,;:!?)\]}\r\n]|$)/u.test(text.slice(at)))
      out = out.slice(0, out.length - endingOf(out, /[^\S\r\n]/u).length)
  }
  return out + text.slice(at)
}

/** Adds a space between words. */
export function insertBeside(
  text: string,
  { added, anchor, side }: { added: string; anchor: string; side: 'before' | 'after' },
): string | null {
  const [match] = findAll(text, anchor)
  if (match === undefined) return null
  const space = needsSpace(added, anchor) ? ' ' : ''
  return side === 'before'
    ? text.slice(0, match.from) + added + space + text.slice(match.from)
    : text.slice(0, match.to) + space + added + text.slice(match.to)
}

/** Appends before the trailing white space. */
export function append(text: string, added: string): string {
  const body = text.trimEnd()
  const glue =
    body === '' || /^[.,;:!?)\]}…。、，！？\n]/u.test(added) || UNSPACED.test(added.slice(0, 1)) ? '' : ' '
  return body + glue + added + text.slice(body.length)
}

export function prepend(text: string, added: string): string {
  const start = text.length - text.trimStart().length
  const glue = /[\n([{]$/u.test(added) || UNSPACED.test(added.slice(-1)) ? '' : ' '
  return text.slice(0, start) + added + glue + text.slice(start)
}

const needsSpace = (added: string, anchor: string): boolean =>
  WORD_SIGN.test(added) && !UNSPACED.test(added) && !UNSPACED.test(anchor) && !/[-/_\n]$/u.test(anchor)

/** Exchanges two words; null if one is missing. */
export function swap(text: string, one: string, other: string): string | null {
  const matches = [
    ...findAll(text, one).map((match) => ({ ...match, by: other })),
    ...findAll(text, other).map((match) => ({ ...match, by: one })),
  ].sort((a, b) => a.from - b.from)
  const overlap = matches.some(({ from }, index) => index > 0 && from < (matches[index - 1]?.to ?? 0))
  if (overlap || new Set(matches.map(({ by }) => by)).size < 2) return null
  let out = ''
  let at = 0
  for (const { from, to, by, found } of matches) {
    out += text.slice(at, from) + inCaseOf(found, by === one ? other : one, by)
    at = to
  }
  return out + text.slice(at)
}

// Finds the words that an instruction names in a text: replaces them, removes them, or inserts beside them.
// Returns null if the text does not have them.

import { capitalizeFirst, upperCase } from '../letter-case.ts'
import { type TextRange, UNSPACED_SCRIPTS } from '../text-tokens.ts'
import { mapSpans } from '../text-units.ts'
import { endingOf } from './lines.ts'

const WORD_SIGN = /[\p{L}\p{N}\p{M}_]/u
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u')

/** Finds whole words, ignoring case; finds symbols anywhere. */
export function findAll(text: string, wanted: string): TextRange[] {
  if (wanted === '') return []
  const literally = wanted.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')
  const pattern = new RegExp(literally.replace(/\s+/gu, '\\s+').replace(/['’]/gu, "['’]"), 'giu')
  return Array.from(text.matchAll(pattern), (match) => ({
    from: match.index,
    to: match.index + match[0].length,
  })).filter(({ from, to }) => !cutsWord(text, from) && !cutsWord(text, to))
}

/** Whether an offset is inside a word. */
function cutsWord(text: string, at: number): boolean {
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? ''
  const after = Array.from(text.slice(at, at + 2))[0] ?? ''
  return WORD_SIGN.test(before) && WORD_SIGN.test(after) && !UNSPACED.test(before) && !UNSPACED.test(after)
}

export function changeAll(text: string, wanted: string, change: (found: string) => string): string | null {
  const matches = findAll(text, wanted)
  return matches.length === 0 ? null : mapSpans(text, matches, change)
}

/** Gives the replacement the capital of the found word: an initial capital or all capitals. */
export const replaceAll = (text: string, wanted: string, by: string): string | null =>
  changeAll(text, wanted, (found) => {
    if (found === wanted) return by
    const isShouted = /\p{Lu}\P{Lu}*\p{Lu}/u.test(found) && !/\p{Ll}/u.test(found)
    if (isShouted && /\p{Ll}/u.test(wanted)) return upperCase(by)
    return /^\p{Lu}/u.test(found) && /^\p{Ll}/u.test(wanted) ? capitalizeFirst(by) : by
  })

/** Removes each occurrence with one adjacent space. */
export function removeAll(text: string, wanted: string): string | null {
  const matches = findAll(text, wanted)
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

export function insertBefore(text: string, anchor: string, added: string): string | null {
  const [match] = findAll(text, anchor)
  if (match === undefined) return null
  return text.slice(0, match.from) + added + gapBetween(added, anchor) + text.slice(match.from)
}

export function insertAfter(text: string, anchor: string, added: string): string | null {
  const [match] = findAll(text, anchor)
  if (match === undefined) return null
  return text.slice(0, match.to) + gapBetween(added, anchor) + added + text.slice(match.to)
}

const gapBetween = (added: string, anchor: string): string =>
  WORD_SIGN.test(added) && !UNSPACED.test(added) && !UNSPACED.test(anchor) && !/[-/_\n]$/u.test(anchor)
    ? ' '
    : ''

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

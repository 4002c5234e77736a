// Shows where a search matched: the text around the first match, as HTML.

import { foldWithPositions } from '../text/folded-text.ts'
import { foldForSearch } from '../text/search-words.ts'

const BEFORE = 60
const LENGTH = 240
/** How far around the first match is searched: a text of many hours is never scanned character by character. */
const NEIGHBOURHOOD = 400

/**
 * HTML, escaped except for `<mark>` around each match; null if no term is in the text. `terms` are folded by fold.ts.
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

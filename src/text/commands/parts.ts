// Takes parts of a text away, keeps only some, or moves them: the last two sentences, the first word, line 3.
// Parts that are named by what they say are find-replace.ts.

import type { TextRange } from '../text-range.ts'
import { mapSpans } from './letter-case.ts'
import { endingOf } from './lines.ts'
import { knownLanguage, type Unit, unitSpans } from './segments.ts'

export type Parts = { unit: Unit; language: string | null }

/** Which of the parts: from the start or the end so many, or the one at a place (1 first, -1 last). */
export type PartSelection = { edge: 'first' | 'last'; count: number } | { place: number }

type Chosen = { spans: TextRange[]; from: number; to: number }

/** Null where the text has fewer. */
function choose(text: string, which: PartSelection, { unit, language }: Parts): Chosen | null {
  const spans = unitSpans(text, unit, knownLanguage(language))
  const count = 'place' in which ? 1 : which.count
  const start = startOf(which, spans.length)
  if (count < 1 || start < 0 || start + count > spans.length) return null
  return { spans, from: start, to: start + count }
}

function startOf(which: PartSelection, length: number): number {
  if ('place' in which) return which.place < 0 ? length + which.place : which.place - 1
  return which.edge === 'first' ? 0 : length - which.count
}

/** What separated the parts from their neighbours goes with them; white space at the ends of the text stays. */
export function deleteParts(text: string, which: PartSelection, parts: Parts): string | null {
  const chosen = choose(text, which, parts)
  if (chosen === null) return null
  const { spans, from, to } = chosen
  const [before, next, last] = [spans[from - 1], spans[to], spans[to - 1]]
  if (last === undefined) return null
  if (parts.unit === 'character') return cut(text, spans[from]?.from ?? 0, last.to)
  if (next !== undefined)
    return cut(
      text,
      openingBefore(text, spans[from]?.from ?? 0, parts),
      openingBefore(text, next.from, parts),
    )
  if (before === undefined) return text.slice(text.trimEnd().length)
  const start = closingAfter(text, before.to, parts)
  const end = text.trimEnd()
  return cut(
    text,
    start,
    parts.unit === 'word' ? end.length - finalMark(text.slice(start, end.length)) : end.length,
  )
}

/** Only the chosen parts. */
export function keepParts(text: string, which: PartSelection, parts: Parts): string | null {
  const chosen = choose(text, which, parts)
  const [first, last] = [chosen?.spans[chosen.from], chosen?.spans[chosen.to - 1]]
  if (first === undefined || last === undefined) return null
  const ending = text.slice(text.trimEnd().length)
  return text.slice(first.from, last.to) + ending
}

/** To the other end: the order of the parts changes, what separates them does not. */
export function moveParts(
  text: string,
  which: PartSelection,
  end: 'start' | 'end',
  parts: Parts,
): string | null {
  const chosen = choose(text, which, parts)
  if (chosen === null) return null
  const pieces = chosen.spans.map((span) => text.slice(span.from, span.to))
  const moved = pieces.splice(chosen.from, chosen.to - chosen.from)
  const order = end === 'start' ? [...moved, ...pieces] : [...pieces, ...moved]
  return mapSpans(text, chosen.spans, (_piece, index) => order[index] ?? '')
}

/** Changes the chosen parts and nothing else. */
export function changeParts(
  text: string,
  which: PartSelection,
  parts: Parts,
  change: (piece: string) => string,
): string | null {
  const chosen = choose(text, which, parts)
  return chosen === null ? null : mapSpans(text, chosen.spans.slice(chosen.from, chosen.to), change)
}

const cut = (text: string, from: number, to: number): string => text.slice(0, from) + text.slice(to)

/** A word goes with the quotes and brackets that open before it. */
function openingBefore(text: string, at: number, { unit }: Parts): number {
  if (unit !== 'word') return at
  return at - endingOf(text.slice(0, at), /[("“„«[{'‘]/u).length
}

/** The mark that ends the sentence ends it still; a bracket or quote only where it was not opened with the word. */
function finalMark(removed: string): number {
  const marks = endingOf(removed, /[.!?…。！？"”»)\]]/u).length
  const opened = /["“„«([]/u.test(removed.slice(0, removed.length - marks))
  return opened ? endingOf(removed, /[.!?…。！？]/u).length : marks
}

/** After the last word that stays, marks that close a quote or bracket stay, too; a comma does not. */
function closingAfter(text: string, at: number, { unit }: Parts): number {
  if (unit !== 'word') return at
  const [closing = ''] = /^[)"”»\]}.!?]*/u.exec(text.slice(at)) ?? []
  return at + closing.length
}

// Deletes, keeps or moves parts of a text by position: the last two sentences, the first word, line 3.

import type { TextRange } from '../text-tokens.ts'
import { mapSpans } from './letter-case.ts'
import { endingOf } from './lines.ts'
import { knownLanguage, type Unit, unitSpans } from './segments.ts'

export type Parts = { unit: Unit; language: string | null }

/** A number of parts from the start or the end, or the part at a position (1 first, -1 last). */
export type PartSelection = { edge: 'first' | 'last'; count: number } | { place: number }

type Chosen = { spans: TextRange[]; from: number; to: number }

/** Null if the text has fewer parts. */
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

/** Also deletes the separators next to the parts; keeps the outer white space. */
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
    parts.unit === 'word' ? end.length - finalPunctuation(text.slice(start, end.length)) : end.length,
  )
}

export function keepParts(text: string, which: PartSelection, parts: Parts): string | null {
  const chosen = choose(text, which, parts)
  const [first, last] = [chosen?.spans[chosen.from], chosen?.spans[chosen.to - 1]]
  if (first === undefined || last === undefined) return null
  const ending = text.slice(text.trimEnd().length)
  return text.slice(first.from, last.to) + ending
}

/** Moves the parts to the other end; the separators keep their order. */
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

/** A word includes the quotes and brackets that open before it. */
function openingBefore(text: string, at: number, { unit }: Parts): number {
  if (unit !== 'word') return at
  return at - endingOf(text.slice(0, at), /[("“„«[{'‘]/u).length
}

/** Length of the final punctuation to keep; excludes brackets and quotes that opened within the removed part. */
function finalPunctuation(removed: string): number {
  const closing = endingOf(removed, /[.!?…。！？"”»)\]]/u).length
  const opened = /["“„«([]/u.test(removed.slice(0, removed.length - closing))
  return opened ? endingOf(removed, /[.!?…。！？]/u).length : closing
}

/** After the last kept word, closing quotes, brackets and sentence punctuation stay; a comma does not. */
function closingAfter(text: string, at: number, { unit }: Parts): number {
  if (unit !== 'word') return at
  const [closing = ''] = /^[)"”»\]}.!?]*/u.exec(text.slice(at)) ?? []
  return at + closing.length
}

// A transcript as paragraphs: segments run on in one text, and a pause of the speaker begins a new paragraph, also within
// a segment.

import type { ShownSegment } from '../server/wire.ts'
import type { TimedWord } from './timed-words.ts'

/** A part of a segment's text, by character offsets. */
export type Piece = { segment: number; from: number; to: number }

export type Paragraph = {
  /** seconds */
  start: number
  pieces: Piece[]
}

/** Seconds after the end of a sentence. */
const PAUSE = 1
/** Seconds, wherever they are: the speaker has stopped. */
const LONG_PAUSE = 3
/** Characters: a shorter paragraph is only ended by a long pause, a longer one by the next end of a sentence. */
const SHORT = 160
const LONG = 700

const ENDS_SENTENCE = /[.!?…。！？]["'”’)»]*\s*$/u

export function paragraphsOf(
  segments: readonly ShownSegment[],
  words: readonly TimedWord[],
): readonly Paragraph[] {
  const paragraphs: Paragraph[] = []
  let said = { end: Number.NEGATIVE_INFINITY, text: '', length: 0 }
  let next = 0
  for (const [segment, { start, end, text }] of segments.entries()) {
    const first = next
    while (words[next]?.segment === segment) next += 1
    const own = words.slice(first, next)
    const units = own.length > 0 ? own : [{ start, end, from: 0, to: text.length }]
    let counted = 0
    for (const [at, unit] of units.entries()) {
      const begin = at === 0 ? 0 : unit.from
      if (paragraphs.length === 0 || isBreak(said, unit.start - said.end)) {
        const before = paragraphs.at(-1)?.pieces.at(-1)
        if (before?.segment === segment) before.to = begin
        const piece = { segment, from: begin, to: text.length }
        paragraphs.push({ start: at === 0 ? start : unit.start, pieces: [piece] })
        said = { ...said, length: 0 }
      } else if (at === 0) {
        paragraphs.at(-1)!.pieces.push({ segment, from: 0, to: text.length })
      }
      said = { end: unit.end, text: text.slice(0, unit.to), length: said.length + unit.to - counted }
      counted = unit.to
    }
  }
  return paragraphs
}

function isBreak({ text, length }: { text: string; length: number }, pause: number): boolean {
  if (pause >= LONG_PAUSE) return true
  if (!ENDS_SENTENCE.test(text)) return false
  return length >= LONG || (length >= SHORT && pause >= PAUSE)
}

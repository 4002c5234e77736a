// What of a stream is confirmed: it only grows, and what was given away once never changes.
// Whether words are to be confirmed is decided in live-listener.ts.

import type { Segment, Word } from '../engine/engine.ts'
import { joinTexts } from './join-text.ts'
import { hasLoop } from './repetition.ts'
import { wordsIn } from './segment-edits.ts'

/** What is confirmed at once, on the clock of the stream. */
export type ConfirmedPiece = {
  /** with the space before it where it needs one: all pieces put together are the text of the stream */
  text: string
  words: Word[]
  startMs: number
  endMs: number
}

export type ConfirmedText = {
  /**
   * Adds segments, the first of which may go on with the last one added. Null where there is nothing to add,
   * or where a phrase would be said over and over, which the recogniser does but no speaker.
   */
  add(segments: Segment[], options: { goesOn: boolean }): ConfirmedPiece | null
  /** the confirmed words that are mostly after this time */
  wordsAfter(ms: number): Word[]
  endMs(): number
  segments(): Segment[]
}

/** A subtitle stays readable, and nothing grows with the length of the stream. */
const LONGEST_SEGMENT_MS = 15_000
const ENDS_SENTENCE = /[.?!…。？！]["'”’)]*$/u
/** Rounds of a loop this far back belong to it. */
const LOOP_MEMORY_MS = 20_000

export function createConfirmedText(): ConfirmedText {
  const segments: Segment[] = []
  const endMs = () => segments.at(-1)?.endMs ?? 0
  const recent = (ms: number) => segments.slice(1 + segments.findLastIndex((segment) => segment.endMs <= ms))

  const canGoOn = (segment: Segment): boolean => {
    const last = segments.at(-1)
    return (
      last !== undefined &&
      !ENDS_SENTENCE.test(last.text) &&
      segment.endMs - last.startMs <= LONGEST_SEGMENT_MS
    )
  }

  return {
    add(found, { goesOn }) {
      const fresh = inOrder(found, endMs()).filter(({ text }) => text.trim() !== '')
      if (fresh.length === 0 || hasLoop([...recent(endMs() - LOOP_MEMORY_MS), ...fresh])) return null
      const before = segments.at(-1)?.text.trimEnd() ?? ''
      const [first, ...others] = fresh as [Segment, ...Segment[]]
      if (goesOn && canGoOn(first)) segments.push(joined(segments.pop()!, first))
      else segments.push(first)
      segments.push(...others)
      return {
        text: following(before, joinTexts(fresh.map(({ text }) => text))),
        words: fresh.flatMap(({ words }) => words),
        startMs: first.startMs,
        endMs: endMs(),
      }
    },
    wordsAfter: (ms) => wordsIn(recent(ms)).filter(({ startMs, endMs }) => startMs + endMs > 2 * ms),
    endMs,
    segments: () => segments,
  }
}

/** A text as it stands behind another one. */
const following = (before: string, text: string): string => {
  const last = before.slice(-1)
  return last === '' ? text : joinTexts([last, text]).slice(last.length)
}

/** The engine gave its figures for neither of the two as they now are. */
const joined = (first: Segment, second: Segment): Segment => ({
  startMs: first.startMs,
  endMs: second.endMs,
  text: joinTexts([first.text, second.text]),
  avgLogprob: null,
  noSpeechProb: null,
  words: [...first.words, ...second.words],
})

/** Times of two hearings differ by a little: what comes later does not begin before the end of what came first. */
function inOrder(segments: Segment[], earliestMs: number): Segment[] {
  const place = <T extends { startMs: number; endMs: number }>(timed: T): T => {
    const startMs = Math.max(earliestMs, timed.startMs)
    return { ...timed, startMs, endMs: Math.max(startMs, timed.endMs) }
  }
  return segments.map((segment) => ({ ...place(segment), words: segment.words.map(place) }))
}

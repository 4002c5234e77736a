// What of a stream is confirmed: what was given away once never changes. The last minute of it is remembered.
// Whether words are to be confirmed is decided in live-preview.ts.

import type { Segment, Word } from '../engine/engine.ts'
import { joinTexts } from './join-text.ts'
import { hasLoop } from './repetition.ts'
import { wordsIn } from './segment-edits.ts'

/** What is confirmed at once, on the clock of the stream. */
export type ConfirmedPiece = {
  /** with the space before it where it needs one: all pieces put together are the confirmed text of the stream */
  text: string
  startMs: number
  endMs: number
}

export type ConfirmedText = {
  /**
   * Null where there is nothing to add, or where a phrase would be said over and over, which the recogniser does but
   * no speaker.
   */
  add(segments: Segment[]): ConfirmedPiece | null
  /** the confirmed words that are mostly after this time, of the last minute */
  wordsAfter(ms: number): Word[]
  endMs(): number
}

/** Nothing grows with the length of the stream; more than a window holds. */
const MEMORY_MS = 60_000
/** Rounds of a loop this far back belong to it: four of as many words as a round may have. */
const LOOP_MEMORY_MS = 30_000

export function createConfirmedText(): ConfirmedText {
  let segments: Segment[] = []
  const endMs = () => segments.at(-1)?.endMs ?? 0
  const recent = (ms: number) => segments.slice(1 + segments.findLastIndex((segment) => segment.endMs <= ms))

  return {
    add(found) {
      const fresh = inOrder(found, endMs()).filter(({ text }) => text.trim() !== '')
      if (fresh.length === 0 || isLoop([...recent(endMs() - LOOP_MEMORY_MS), ...fresh])) return null
      const before = segments.at(-1)?.text.trimEnd() ?? ''
      segments = [...recent(endMs() - MEMORY_MS), ...fresh]
      return {
        text: following(before, joinTexts(fresh.map(({ text }) => text))),
        startMs: fresh[0]!.startMs,
        endMs: endMs(),
      }
    },
    wordsAfter: (ms) => wordsIn(recent(ms)).filter(({ startMs, endMs }) => startMs + endMs > 2 * ms),
    endMs,
  }
}

/** As one text: where words have no spaces between them, a hearing may end in the middle of one. */
const isLoop = (segments: Segment[]): boolean =>
  hasLoop([{ text: joinTexts(segments.map(({ text }) => text)) }])

/** A text as it stands behind another one. */
const following = (before: string, text: string): string => {
  const last = before.slice(-1)
  return last === '' ? text : joinTexts([last, text]).slice(last.length)
}

/** Times of two hearings differ by a little: what comes later does not begin before the end of what came first. */
function inOrder(segments: Segment[], earliestMs: number): Segment[] {
  const place = <T extends { startMs: number; endMs: number }>(timed: T): T => {
    const startMs = Math.max(earliestMs, timed.startMs)
    return { ...timed, startMs, endMs: Math.max(startMs, timed.endMs) }
  }
  return segments.map((segment) => ({ ...place(segment), words: segment.words.map(place) }))
}

// The confirmed text of a stream. Confirmed text never changes; only the last minute is remembered.

import type { Segment, Word } from '../engine/engine.ts'
import { joinTexts } from './join-text.ts'
import { hasLoop } from './repetition.ts'
import { wordsIn } from './segment-edits.ts'

/** Text confirmed in one step, on the stream's clock. */
export type ConfirmedPiece = {
  /** with its leading space if needed: the concatenated pieces are the stream's confirmed text */
  text: string
  startMs: number
  endMs: number
}

export type ConfirmedText = {
  /**
   * @returns null if there is nothing to add, or if the result would loop: the recogniser repeats phrases like that,
   * speakers do not
   */
  add(segments: Segment[]): ConfirmedPiece | null
  /** the confirmed words of the last minute that are mostly after this time */
  wordsAfter(ms: number): Word[]
  endMs(): number
}

/** Bounds memory on long streams; longer than a window. */
const MEMORY_MS = 60_000
/** How far back rounds count towards a loop: four rounds of the longest phrase. */
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

/** Joins the segments first: without spaces between words, a transcription may end in the middle of one. */
const isLoop = (segments: Segment[]): boolean =>
  hasLoop([{ text: joinTexts(segments.map(({ text }) => text)) }])

/** A text with the separator that it needs after another one. */
const following = (before: string, text: string): string => {
  const last = before.slice(-1)
  return last === '' ? text : joinTexts([last, text]).slice(last.length)
}

/** Times of two transcriptions differ slightly; later text must not begin before earlier text ends. */
function inOrder(segments: Segment[], earliestMs: number): Segment[] {
  const place = <T extends { startMs: number; endMs: number }>(timed: T): T => {
    const startMs = Math.max(earliestMs, timed.startMs)
    return { ...timed, startMs, endMs: Math.max(startMs, timed.endMs) }
  }
  return segments.map((segment) => ({ ...place(segment), words: segment.words.map(place) }))
}

// Hears a window as the continuation of what was said before it, and notices when that led the recogniser astray.
// Whisper was trained with the text before, and with it gets names and sentences right that it gets wrong without. But
// now and then it takes a sentence for said already and leaves it out: such a window is heard again on its own.

import type { SpeechSpan } from '../audio/speech-spans.ts'
import type { Segment } from '../engine/engine.ts'
import { joinTexts } from './join-text.ts'
import { hasLoop } from './repetition.ts'
import { leavesSpeechUnheard, lettersIn } from './unheard.ts'

/** Engines take 223 tokens of some four letters, and of a longer text its end. */
const MOST_LETTERS = 1000

/** The end of what was said, which the next window goes on from; null is nothing. */
export function saidBefore(segments: Segment[]): string | null {
  const last: string[] = []
  let letters = 0
  for (let at = segments.length - 1; at >= 0 && letters < MOST_LETTERS; at--) {
    last.unshift(segments[at]!.text)
    letters += segments[at]!.text.length
  }
  return last.length === 0 ? null : joinTexts(last).slice(-MOST_LETTERS)
}

/** Whether a hearing that went on from `before` repeats itself or it, or leaves out speech. */
export const isLedAstray = (segments: Segment[], spans: SpeechSpan[], before: string): boolean =>
  hasLoop(segments) || leavesSpeechUnheard(segments, spans) || repeats(segments, before)

/** Of two hearings of the same window the one without loops, or with more in it. */
export function fuller<T extends { segments: Segment[] }>(one: T, other: T): T {
  const loops = hasLoop(one.segments)
  if (loops !== hasLoop(other.segments)) return loops ? other : one
  return lettersIn(one.segments) >= lettersIn(other.segments) ? one : other
}

function repeats(segments: Segment[], before: string): boolean {
  const said = folded(joinTexts(segments.map(({ text }) => text)))
  return said !== '' && folded(before).includes(said)
}

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

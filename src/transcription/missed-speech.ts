// Detects missed speech: Whisper sometimes ends a sentence at a number and extends its last segment to the window's end.

import type { SpeechSpan } from '../audio/speech-spans.ts'
import { SAMPLE_RATE, type Segment } from '../engine/engine.ts'

/** Slow speech has about ten characters a second, and a spoken number of five words is written with three digits. */
const MIN_CHARACTERS_PER_SECOND = 5
/** Chinese, Japanese and Korean write a syllable with one character; people speak three to seven a second. */
const MIN_SYLLABLES_PER_SECOND = 1.5
/** Less is a pause for thought that the detector took for speech. */
const LEAST_SPEECH_MS = 3000

const SYLLABIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/**
 * Whether a segment has far too few characters for the speech in its time, or speech is outside all segments.
 * Segments and spans are on the recording's clock.
 */
export function missesSpeech(segments: Segment[], spans: SpeechSpan[]): boolean {
  const written = segments.some((segment) => isTooShortFor(segment.text, speechMsIn(spans, segment)))
  return written || uncoveredSpeechMs(segments, spans) >= LEAST_SPEECH_MS
}

/** Number of letters and digits, to compare two transcriptions of the same speech. */
export const countCharacters = (segments: Pick<Segment, 'text'>[]): number =>
  segments.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0)

function isTooShortFor(text: string, speechMs: number): boolean {
  if (speechMs < LEAST_SPEECH_MS) return false
  const fewest = SYLLABIC.test(text) ? MIN_SYLLABLES_PER_SECOND : MIN_CHARACTERS_PER_SECOND
  return countCharacters([{ text }]) * 1000 < fewest * speechMs
}

type Time = { startMs: number; endMs: number }

const timeOf = (span: SpeechSpan): Time => ({
  startMs: (span.speechFromSample * 1000) / SAMPLE_RATE,
  endMs: (span.speechToSample * 1000) / SAMPLE_RATE,
})

const overlapMs = (one: Time, other: Time): number =>
  Math.max(0, Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs))

const speechMsIn = (spans: SpeechSpan[], time: Time): number =>
  spans.reduce((sum, span) => sum + overlapMs(timeOf(span), time), 0)

/** Speech outside all segments; segments do not overlap. */
function uncoveredSpeechMs(segments: Segment[], spans: SpeechSpan[]): number {
  const all = spans.map(timeOf).reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  return all - segments.reduce((sum, segment) => sum + speechMsIn(spans, segment), 0)
}

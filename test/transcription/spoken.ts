// Builders for spans, words and segments in tests.

import type { SpeechSpan } from '../../src/audio/speech-spans.ts'
import type { Segment, Word } from '../../src/engine/engine.ts'

const PER_SECOND = 16_000

/** Speech from one second to another, with the detector's usual margins. */
export function span(fromSecond: number, toSecond: number, probability = 0.95): SpeechSpan {
  return {
    fromSample: Math.max(0, Math.round((fromSecond - 0.3) * PER_SECOND)),
    toSample: Math.round((toSecond + 0.4) * PER_SECOND),
    speechFromSample: Math.round(fromSecond * PER_SECOND),
    speechToSample: Math.round(toSecond * PER_SECOND),
    probability,
  }
}

/** Words evenly spread between two times. */
export function segment(
  text: string,
  startMs: number,
  endMs: number,
  probability: number | null = 0.9,
): Segment {
  const parts = text.trim().split(' ')
  const eachMs = (endMs - startMs) / parts.length
  const words: Word[] = parts.map((word, index) => ({
    word,
    startMs: Math.round(startMs + index * eachMs),
    endMs: Math.round(startMs + (index + 1) * eachMs),
    probability,
  }))
  return { startMs, endMs, text: ` ${text}`, avgLogprob: null, noSpeechProb: null, words }
}

// Tells sentences that the recogniser made up for a noise from sentences that somebody said.
// Captions such as (music) are text/sound-captions.ts's; loops are repetition.ts's.

import type { SpeechSpan } from '../audio/speech-spans.ts'
import { SAMPLE_RATE, type Segment } from '../engine/engine.ts'

/** What Whisper writes when it heard nothing: the ends of the videos it learned from. */
const STOCK_PHRASES = new Set([
  'you',
  'thank you',
  'thank you so much',
  'thank you very much',
  'thanks',
  'thanks for watching',
  'thank you for watching',
  'thanks for listening',
  'thank you for listening',
  'please subscribe',
  'please subscribe to my channel',
  'like and subscribe',
  'see you next time',
  'see you in the next video',
  'bye',
  'bye bye',
  'the end',
  'so',
  'okay',
])

/** What it writes for barks, gulls and instruments that it takes for a voice, once or many times over. */
const CRIES = new Set(
  'ah aah ha hah hey ho oh ooh uh um hm hmm mm mmm eh la da na woof ruff arf bark meow moo caw beep boop'.split(
    ' ',
  ),
)

/** Of speech the detector is 0.8 to 1 sure on average, of barks and voices in music less. */
const SURE_OF_SPEECH = 0.75
const SHORT_SPEECH_MS = 1000
/** Fast speech has about 25 letters a second. */
const MOST_LETTERS_PER_SECOND = 50

/**
 * Whether a segment is better left out. Speech that the detector is sure of is believed unless the
 * recogniser itself hardly is; the less there is to hear, the more it has to be sure.
 *
 * @param spans the speech of the window that the segment came from
 */
export function isInvention(segment: Segment, spans: SpeechSpan[]): boolean {
  const { speechMs, certainty } = evidence(spans)
  const confidence = confidenceOf(segment)
  const letters = segment.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  if (letters === 0) return true
  if (speechMs < SHORT_SPEECH_MS && letters > (MOST_LETTERS_PER_SECOND * SHORT_SPEECH_MS) / 1000) return true
  if (certainty < SURE_OF_SPEECH) return confidence < (isStockPhrase(segment.text) ? 0.9 : 0.5)
  if (isStockPhrase(segment.text) || speechMs < SHORT_SPEECH_MS) return confidence < 0.4
  return confidence < 0.2
}

function evidence(spans: SpeechSpan[]) {
  const samples = (span: SpeechSpan) => span.speechToSample - span.speechFromSample
  const total = spans.reduce((sum, span) => sum + samples(span), 0)
  const weighted = spans.reduce((sum, span) => sum + samples(span) * span.probability, 0)
  return { speechMs: (total * 1000) / SAMPLE_RATE, certainty: total === 0 ? 0 : weighted / total }
}

/** The mean over the words; an engine that says nothing about them is believed. */
function confidenceOf({ words, avgLogprob }: Segment): number {
  const known = words.map((word) => word.probability).filter((probability) => probability !== null)
  if (known.length > 0) return known.reduce((sum, probability) => sum + probability, 0) / known.length
  return avgLogprob === null ? 1 : Math.exp(avgLogprob)
}

function isStockPhrase(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
  return STOCK_PHRASES.has(words.join(' ')) || words.every((word) => CRIES.has(word))
}

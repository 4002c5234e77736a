// Detects hallucinated sentences, which are the recogniser's text for noise, and speech that it left out.
// Captions such as (music): text/sound-captions.ts. Loops: repetition.ts.

import type { SpeechSpan } from '../audio/speech-spans.ts'
import { SAMPLE_RATE, type Segment } from '../engine/engine.ts'

/** Whisper's output for silence: the endings of its training videos. */
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

/** Its output for barks, gulls and instruments that it mistakes for a voice, once or repeated. */
const CRIES = new Set(
  'ah aah ha hah hey ho oh ooh uh um hm hmm mm mmm eh la da na woof ruff arf bark meow moo caw beep boop'.split(
    ' ',
  ),
)

/** The detector's mean probability is 0.8 to 1 for speech and lower for barks and voices in music. */
const SURE_OF_SPEECH = 0.75
const SHORT_SPEECH_MS = 1000
/** Fast speech has about 25 characters a second. */
const MAX_CHARACTERS_PER_SECOND = 50

/**
 * Whether a segment should be dropped. If the detector is sure of the speech, the segment stays unless the
 * recogniser's own confidence is very low. The less speech there is, the more confidence is required.
 *
 * @param spans the speech of the window that the segment came from
 */
export function isHallucination(segment: Segment, spans: SpeechSpan[]): boolean {
  const { speechMs, certainty } = evidence(spans)
  const confidence = confidenceOf(segment)
  const characters = segment.text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  if (characters === 0) return true
  if (speechMs < SHORT_SPEECH_MS && characters > (MAX_CHARACTERS_PER_SECOND * SHORT_SPEECH_MS) / 1000)
    return true
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

/** The mean over the words; 1 if the engine reports no probabilities. */
function confidenceOf({ words, avgLogprob }: Segment): number {
  const known = words.map((word) => word.probability).filter((probability) => probability !== null)
  if (known.length > 0) return known.reduce((sum, probability) => sum + probability, 0) / known.length
  return avgLogprob === null ? 1 : Math.exp(avgLogprob)
}

function isStockPhrase(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
  return STOCK_PHRASES.has(words.join(' ')) || words.every((word) => CRIES.has(word))
}

/** Slow speech has about ten characters a second, and a spoken number of five words is written with three digits. */
const MIN_CHARACTERS_PER_SECOND = 5
/** Chinese, Japanese and Korean write a syllable with one character; people speak three to seven a second. */
const MIN_SYLLABLES_PER_SECOND = 1.5
/** Less is a pause for thought that the detector took for speech. */
const MIN_SPEECH_MS = 3000

const SYLLABIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/**
 * Whether a segment has far too few characters for the speech in its time, or speech is outside all segments.
 * Segments and spans are on the recording's clock.
 */
export function missesSpeech(segments: Segment[], spans: SpeechSpan[]): boolean {
  const written = segments.some((segment) => isTooShortFor(segment.text, speechMsIn(spans, segment)))
  return written || uncoveredSpeechMs(segments, spans) >= MIN_SPEECH_MS
}

/** Number of letters and digits, to compare two transcriptions of the same speech. */
export const countCharacters = (segments: Pick<Segment, 'text'>[]): number =>
  segments.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0)

function isTooShortFor(text: string, speechMs: number): boolean {
  if (speechMs < MIN_SPEECH_MS) return false
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

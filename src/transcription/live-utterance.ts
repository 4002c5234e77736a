// Which part of a stream is one utterance: speech up to a pause, with the quiet around it that Whisper wants.
// When it is looked for is live-listener.ts's; what is written of it, its caller's.

import { SPEECH_FRAME_SAMPLES } from '../audio/speech-frame.ts'
import type { SpeechSpan } from '../audio/speech-spans.ts'
import { SAMPLE_RATE } from '../engine/engine.ts'
import type { Result } from '../lib/result.ts'
import type { LiveAudio } from './live-audio.ts'
import { quietestIn } from './transcribe-window.ts'
import type { ReadSamples } from './window-clock.ts'
import { planWindows, type Window } from './windows.ts'

/** Samples count from the start of the stream. */
export type Utterance = {
  samples: Float32Array
  fromSample: number
  toSample: number
  /** as detected */
  speechToSample: number
  /** what was before is of no use to the next one, which may have the silence between in common with this */
  nextFromSample: number
}

/** Speech so far, as much as can be heard at once, and what is known to come after it; a cut is where that is full. */
export type SpokenWindow = { window: Window; followedBy: 'nothing' | 'pause' | 'cut' }

/** Who writes what is over: its last words are told by nobody else, and nothing of one utterance is context for the next. */
export type WritesUtterances = {
  /** how much silence ends one; a whole number within SILENCE_MS */
  silenceMs: number
  begins(speechFromSample: number): void
  ends(speechToSample: number): void
  /**
   * Asked for in a pause already; the signal says that it was none, or that nobody listens any more.
   * @returns what tells it, called once it is over, before the next one begins
   */
  write(utterance: Utterance, signal: AbortSignal): Promise<Result<() => void, WritingFailure>>
}

/** Whatever keeps an utterance from being written ends the stream. */
export type WritingFailure = { code: string; message: string }

/**
 * At shorter silences than usual people stop to think, and sentences are heard in pieces; the detector itself bridges
 * what is shorter than the least.
 */
export const SILENCE_MS = { least: 200, usual: 1000, most: 5000 } as const

/** Half a second more than the margin that a recording gets: the detector needs some to hear its beginning as it is. */
const LEAD = 1.5 * SAMPLE_RATE
/**
 * In frames of the detector, on which speech begins and ends. So much silence is written with what was said before it, and
 * no more, however much follows: what is written when it is there need not be written anew. Of 13 recordings of people in
 * seven languages that base hears otherwise it wrote 84 words wrong with half a second, as with a whole one; 95 with a
 * third.
 */
const MOST_WRITTEN_FRAMES = 16
/** More than the detector bridges. */
const LEAST_WRITTEN_FRAMES = 7
/** The rest is for writing it. */
const WRITTEN_PART = 0.75

const writtenSilence = (silence: number) => {
  const frames = silence / SPEECH_FRAME_SAMPLES
  const wanted = Math.max(LEAST_WRITTEN_FRAMES, Math.min(MOST_WRITTEN_FRAMES, frames * WRITTEN_PART))
  return Math.floor(Math.min(frames, wanted)) * SPEECH_FRAME_SAMPLES
}

/** Whether an utterance that is over if nobody speaks on can be written as it is. */
export const canBeWritten = (silentSamples: number, silence: number): boolean =>
  silentSamples >= writtenSilence(silence)

export const silenceSamples = ({ silenceMs }: Pick<WritesUtterances, 'silenceMs'>): number =>
  (silenceMs * SAMPLE_RATE) / 1000

/**
 * The first one in these spans, whatever came after it: where one ends does not depend on how fast audio arrives.
 * Null where nobody speaks.
 * @param silence in samples
 */
export async function nextUtterance(
  spans: SpeechSpan[],
  { read, silence }: { read: ReadSamples; silence: number },
): Promise<SpokenWindow | null> {
  const next = spans.findIndex(
    (span, index) => index > 0 && span.speechFromSample - spans[index - 1]!.speechToSample >= silence,
  )
  const [first, second] = await planSpans(next < 0 ? spans : spans.slice(0, next), read)
  if (!first) return null
  if (second) return { window: first, followedBy: 'cut' }
  return { window: first, followedBy: next < 0 ? 'nothing' : 'pause' }
}

const planSpans = (spans: SpeechSpan[], read: ReadSamples): Promise<Window[]> =>
  Array.fromAsync(
    planWindows(
      (async function* () {
        yield* spans
      })(),
      quietestIn(read),
    ),
  )

/**
 * @param spans all that are known
 * @param silence in samples
 */
export async function cutUtterance(
  audio: Pick<LiveAudio, 'read' | 'followedSamples' | 'keptFromSample'>,
  { window, followedBy }: SpokenWindow,
  { spans, silence }: { spans: readonly SpeechSpan[]; silence: number },
): Promise<Utterance> {
  const { speechFromSample } = window.spans[0]!
  const { toSample: cut, speechToSample } = window.spans.at(-1)!
  const fromSample = Math.max(audio.keptFromSample(), speechFromSample - LEAD)
  const next = spans.find((span) => span.speechFromSample > speechToSample)
  const silenceTo = next?.speechFromSample ?? audio.followedSamples()
  const toSample = followedBy === 'cut' ? cut : Math.min(speechToSample + writtenSilence(silence), silenceTo)
  return {
    samples: await audio.read(fromSample, toSample),
    fromSample,
    toSample,
    speechToSample,
    nextFromSample: followedBy === 'cut' ? cut : speechToSample,
  }
}

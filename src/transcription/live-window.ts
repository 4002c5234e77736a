// Which part of a stream's speech is heard next.
// Pure but for reading; how windows are cut at their longest is windows.ts's.

import { type SpeechSpan, speechIn } from '../audio/speech-spans.ts'
import { SAMPLE_RATE } from '../engine/engine.ts'
import { quietestIn } from './transcribe-window.ts'
import type { ReadSamples } from './window-clock.ts'
import { planWindows, type Window } from './windows.ts'

/** At a pause of so long what was said before it is settled; at shorter ones people stop to think (0.7 s: measured, worse). */
export const PAUSE = SAMPLE_RATE

/** What is said in less new audio is heard with what follows: about a second, in two looks. */
export const LEAST_NEW = 0.9 * SAMPLE_RATE
/** Whisper makes things up for less, unless nothing follows. */
const LEAST_SPEECH = 0.8 * SAMPLE_RATE

export type NextWindow = {
  window: Window
  /** a cut is where a window is full */
  followedBy: 'nothing' | 'pause' | 'cut'
}

/**
 * As much as can be heard at once, up to the last pause where something before it is not settled; null where
 * nobody speaks.
 */
export async function nextWindow(
  spans: SpeechSpan[],
  { settledSample, read }: { settledSample: number; read: ReadSamples },
): Promise<NextWindow | null> {
  const [first, second] = await planSpans(spans, read)
  if (!first) return null
  if (second) return { window: first, followedBy: 'cut' }
  const next = spans.findLastIndex(
    (span, index) => index > 0 && span.speechFromSample - spans[index - 1]!.speechToSample >= PAUSE,
  )
  const settles = next > 0 && spans[next - 1]!.speechToSample > settledSample
  if (!settles) return { window: first, followedBy: 'nothing' }
  const [beforePause] = await planSpans(spans.slice(0, next), read)
  return { window: beforePause!, followedBy: 'pause' }
}

/** Windows of at most 28 s. */
export const planSpans = (spans: SpeechSpan[], read: ReadSamples): Promise<Window[]> =>
  Array.fromAsync(
    planWindows(
      (async function* () {
        yield* spans
      })(),
      quietestIn(read),
    ),
  )

/** The spans after a sample, the one that it lies in cut there. */
export const unsettledPart = (spans: SpeechSpan[], settledSample: number): SpeechSpan[] =>
  spans
    .filter(({ speechToSample }) => speechToSample > settledSample)
    .map((span) => ({
      ...span,
      fromSample: Math.max(span.fromSample, settledSample),
      speechFromSample: Math.max(span.speechFromSample, settledSample),
    }))

/** @param heardSample how far the last hearing reached */
export const isWorthHearing = (
  { spans }: Window,
  { heardSample, leastNew }: { heardSample: number; leastNew: number },
): boolean => speechIn(spans) >= LEAST_SPEECH && spans.at(-1)!.toSample - heardSample >= leastNew

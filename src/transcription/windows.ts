// Cuts the speech spans of a recording into the windows that the recogniser processes.

import type { SpeechSpan } from '../audio/speech-spans.ts'
import { SAMPLE_RATE } from '../engine/engine.ts'

/** Samples of the recording, `toSample` excluded. */
export type SampleRange = { fromSample: number; toSample: number }

/**
 * The unit of recognition: ranges of the recording, concatenated without the long silences between
 * them, and the speech spans in them.
 */
export type Window = { ranges: SampleRange[]; spans: SpeechSpan[] }

/** Finds the least harmful cut between two samples. */
export type FindCutPoint = (fromSample: number, toSample: number) => Promise<number>

type Halves = [SpeechSpan[], SpeechSpan[]]

/** Few long windows give the best accuracy (measured: 28 s against 15 and 8 s); the engine's limit is 30 s. */
const LONGEST = 28 * SAMPLE_RATE
/** A window does not end at an earlier pause: that would lose context for nothing. */
const SHORTEST_BEFORE_PAUSE = 12 * SAMPLE_RATE
/** Without a pause, the cut is at the quietest point after this. */
const SHORTEST_BEFORE_CUT = 18 * SAMPLE_RATE
/** Longer silences are skipped, except for the margins of the adjacent spans. */
const LONGEST_SILENCE = 3.7 * SAMPLE_RATE
/** Two halves of less than 2 s would be less accurate than the whole. */
const SHORTEST_TO_HALVE = 4 * SAMPLE_RATE
/** A pause of a second ends a sentence; longer pauses score no higher. */
const LONGEST_PAUSE_THAT_COUNTS = SAMPLE_RATE
/** A pause one second later in the window scores like one that is 50 ms longer. */
const LATER_IS_BETTER = 0.05

export const windowLength = (ranges: SampleRange[]): number =>
  ranges.reduce((sum, { fromSample, toSample }) => sum + toSample - fromSample, 0)

/** The ranges of these spans, without long silences between them. */
function rangesOf(spans: SpeechSpan[]): SampleRange[] {
  const ranges: SampleRange[] = []
  let saidUntil = 0
  for (const { fromSample, toSample, speechFromSample, speechToSample } of spans) {
    const last = ranges.at(-1)
    if (last && speechFromSample - saidUntil <= LONGEST_SILENCE) last.toSample = toSample
    else ranges.push({ fromSample, toSample })
    saidUntil = speechToSample
  }
  return ranges
}

/**
 * Yields windows in order, as soon as they are certain; holds little more than one window's spans.
 * Every sample of every span is in exactly one window.
 */
export async function* planWindows(
  spans: AsyncIterable<SpeechSpan>,
  findCutPoint: FindCutPoint,
): AsyncGenerator<Window> {
  let held: SpeechSpan[] = []
  for await (const span of spans) {
    held = append(held, span)
    while (windowLength(rangesOf(held)) > LONGEST) {
      const [first, rest] = splitAtPause(held) ?? (await splitInSpeech(held, findCutPoint))
      yield windowOf(first)
      held = rest
    }
  }
  if (held.length > 0) yield windowOf(held)
}

/**
 * Halves a window at the longest pause around its middle, or else in the middle of its longest span;
 * null if it is too short.
 */
export async function halveWindow(
  window: Window,
  findCutPoint: FindCutPoint,
): Promise<[Window, Window] | null> {
  const length = windowLength(window.ranges)
  if (length < SHORTEST_TO_HALVE) return null
  const halves =
    bestPause(window.spans, { from: length * 0.3, to: length * 0.7 }) ??
    (await splitLongestSpan(window.spans, findCutPoint))
  return [windowOf(halves[0]), windowOf(halves[1])]
}

export const windowOf = (spans: SpeechSpan[]): Window => ({ ranges: rangesOf(spans), spans })

/** Merges spans that the detector split only because of their length. */
function append(held: SpeechSpan[], span: SpeechSpan): SpeechSpan[] {
  const last = held.at(-1)
  if (!last || last.speechToSample < span.speechFromSample) return [...held, span]
  const { toSample, speechToSample } = span
  const probability = (last.probability + span.probability) / 2
  return [...held.slice(0, -1), { ...last, toSample, speechToSample, probability }]
}

const splitAtPause = (spans: SpeechSpan[]) => bestPause(spans, { from: SHORTEST_BEFORE_PAUSE, to: LONGEST })

/** The longest pause whose position in the window is within the bounds; slightly prefers later ones. */
function bestPause(spans: SpeechSpan[], { from, to }: { from: number; to: number }): Halves | null {
  let best = { at: 0, score: Number.NEGATIVE_INFINITY }
  for (let at = 1; at < spans.length; at++) {
    const filled = windowLength(rangesOf(spans.slice(0, at)))
    if (filled < from || filled > to) continue
    const pause = spans[at]!.speechFromSample - spans[at - 1]!.speechToSample
    const score = Math.min(pause, LONGEST_PAUSE_THAT_COUNTS) + filled * LATER_IS_BETTER
    if (score > best.score) best = { at, score }
  }
  return best.at === 0 ? null : [spans.slice(0, best.at), spans.slice(best.at)]
}

/** Cuts inside the last span, which reaches beyond the longest window. */
async function splitInSpeech(spans: SpeechSpan[], findCutPoint: FindCutPoint): Promise<Halves> {
  const at = spans.length - 1
  const span = spans[at]!
  const windowStart = span.toSample - windowLength(rangesOf(spans))
  // Never in a margin: that would leave a window without a word.
  const earliest = Math.max(windowStart + SHORTEST_BEFORE_CUT, span.speechFromSample + SAMPLE_RATE)
  const latest = Math.min(windowStart + LONGEST, span.speechToSample - SAMPLE_RATE)
  return cutSpan(spans, at, await findCutPoint(earliest, latest))
}

async function splitLongestSpan(spans: SpeechSpan[], findCutPoint: FindCutPoint): Promise<Halves> {
  const lengths = spans.map((span) => span.toSample - span.fromSample)
  const at = lengths.indexOf(Math.max(...lengths))
  const { fromSample } = spans[at]!
  const earliest = Math.round(fromSample + lengths[at]! * 0.3)
  const latest = Math.round(fromSample + lengths[at]! * 0.7)
  return cutSpan(spans, at, await findCutPoint(earliest, latest))
}

function cutSpan(spans: SpeechSpan[], at: number, cut: number): Halves {
  const span = spans[at]!
  const speechEnd = Math.max(span.speechFromSample, Math.min(cut, span.speechToSample))
  const before = { ...span, toSample: cut, speechToSample: speechEnd }
  const after = { ...span, fromSample: cut, speechFromSample: Math.max(cut, speechEnd) }
  return [
    [...spans.slice(0, at), before],
    [after, ...spans.slice(at + 1)],
  ]
}

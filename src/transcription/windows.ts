// Cuts the speech spans of a recording into the windows that the recogniser processes, and maps times between both.

import type { SpeechSpan } from '../audio/speech-spans.ts'
import { SAMPLE_RATE, type Segment } from '../engine/engine.ts'

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

const FRAME = SAMPLE_RATE / 50
/** 180 ms around each frame: longer than the closure of a stop consonant, shorter than a pause for breath. */
const AROUND_FRAMES = 4

/** Index of the middle of the quietest 20 ms within the quietest surroundings. */
export function bestCutPoint(samples: Float32Array): number {
  const energies: number[] = []
  for (let start = 0; start + FRAME <= samples.length; start += FRAME) {
    let sum = 0
    for (let i = start; i < start + FRAME; i++) sum += samples[i]! ** 2
    energies.push(sum)
  }
  if (energies.length === 0) return Math.floor(samples.length / 2)
  const surroundings = energies.map((_, at) => mean(around(energies, at)))
  const calm = indexOfMin(surroundings)
  const first = Math.max(0, calm - AROUND_FRAMES)
  const quietest = first + indexOfMin(around(energies, calm))
  return quietest * FRAME + FRAME / 2
}

const around = (values: number[], at: number) =>
  values.slice(Math.max(0, at - AROUND_FRAMES), at + AROUND_FRAMES + 1)

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

const indexOfMin = (values: number[]) => values.indexOf(Math.min(...values))

const SAMPLES_PER_MS = SAMPLE_RATE / 1000

/** Samples of a recording or of a stream, `toSample` excluded. */
export type ReadSamples = (fromSample: number, toSample: number) => Promise<Float32Array>

/** The concatenated audio of the window's ranges: the engine's input. */
export async function readWindow(read: ReadSamples, ranges: SampleRange[]): Promise<Float32Array> {
  const audio = new Float32Array(windowLength(ranges))
  let at = 0
  for (const { fromSample, toSample } of ranges) {
    audio.set(await read(fromSample, toSample), at)
    at += toSample - fromSample
  }
  return audio
}

/** Position in the window of a sample of the recording; the sample must be in one of the ranges. */
export function onWindowClock(ranges: SampleRange[], sample: number): number {
  const at = ranges.findIndex(({ fromSample, toSample }) => sample >= fromSample && sample <= toSample)
  return windowLength(ranges.slice(0, at)) + sample - ranges[at]!.fromSample
}

/**
 * The recording's time of a time in the window.
 *
 * @param edge whether a time between two ranges is the end of the first or the start of the second
 */
export function recordingMs(ranges: SampleRange[], windowMs: number, edge: 'start' | 'end'): number {
  let remaining = Math.max(0, windowMs) * SAMPLES_PER_MS
  for (const { fromSample, toSample } of ranges) {
    const length = toSample - fromSample
    if (remaining < length || (edge === 'end' && remaining === length)) {
      return Math.round((fromSample + remaining) / SAMPLES_PER_MS)
    }
    remaining -= length
  }
  return Math.round(ranges.at(-1)!.toSample / SAMPLES_PER_MS)
}

export function onRecordingClock(ranges: SampleRange[], segment: Segment): Segment {
  const place = <T extends { startMs: number; endMs: number }>(timed: T): T => {
    const startMs = recordingMs(ranges, timed.startMs, 'start')
    return { ...timed, startMs, endMs: Math.max(startMs, recordingMs(ranges, timed.endMs, 'end')) }
  }
  return { ...place(segment), words: segment.words.map(place) }
}

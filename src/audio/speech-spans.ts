// Converts speech probabilities, frame by frame, to spans of speech. Pure and incremental.

import { SPEECH_FRAME_SAMPLES } from './speech-level.ts'

/** A range of samples, `to` excluded. Spans are ordered; they may touch but never overlap. */
export type SpeechSpan = {
  /** with margins, so that soft beginnings and endings are included */
  fromSample: number
  toSample: number
  /** as detected */
  speechFromSample: number
  speechToSample: number
  /** mean over the detected frames */
  probability: number
}

/** The number of samples of detected speech, without margins. */
export const speechIn = (spans: readonly SpeechSpan[]): number =>
  spans.reduce((sum, { speechFromSample, speechToSample }) => sum + speechToSample - speechFromSample, 0)

export type SpanFinder = {
  /** takes the probabilities of the next frames; returns the spans that are final by now */
  push(probabilities: Float32Array): SpeechSpan[]
  /** returns the remaining spans; call once, at the end */
  finish(): SpeechSpan[]
}

const ON = 0.5
const OFF = 0.35
/** 192 ms: shorter dips occur within words */
const PAUSE_FRAMES = 6
/** 192 ms of speech in total; less is a knock or a bark, not a word */
const MIN_SPEECH_FRAMES = 6
/** about 30 s: a run is emitted at this length even if the speaker never pauses */
const MAX_RUN_FRAMES = 938
/** 700 ms: a short sound this close to other speech is a word, not a knock */
const NEAR_FRAMES = 22

/** Samples added before and after the detected speech. */
export type Margins = { before: number; after: number }

/** Just enough for a soft beginning and a soft ending, for live use where latency matters. */
export const NARROW: Margins = { before: 4_800, after: 6_400 }
/**
 * Whisper was trained on speech with some silence around it. Of 1,477 words in 61 recordings of people in seven
 * languages, base transcribed 268 wrong with a second on both sides, 280 with the narrow margins, 281 with half a
 * second, 292 with 0.8 s (263, 252, 264 and 261 without one in Japanese), and 273 (243) uncut.
 */
export const WIDE: Margins = { before: 16_000, after: 16_000 }

/** Runs close to each other, which are kept or dropped together. */
type Cluster = { speechFrames: number }
/** Frames of continuous speech, `to` excluded. */
type Run = { from: number; to: number; sum: number }
/** Runs whose margins meet. */
type Utterance = {
  runs: (Run & { cluster: Cluster })[] /** how many of them were emitted */
  emitted: number
}

export function createSpanFinder(totalSamples: number, margins: Margins): SpanFinder {
  /** both margins fit into a gap of this length: the next span can no longer change this one */
  const apartFrames = Math.ceil((margins.before + margins.after) / SPEECH_FRAME_SAMPLES)
  const emit = (from: Utterance, over: boolean) => settled(from, over, { margins, totalSamples })
  let frame = 0
  let run: Run | null = null
  let utterance: Utterance | null = null

  const endRun = () => {
    if (!run) return
    utterance ??= { runs: [], emitted: 0 }
    let last = utterance.runs.at(-1)
    if (last && run.from - last.to >= NEAR_FRAMES) {
      dropKnocks(utterance)
      last = undefined
    }
    const cluster = last?.cluster ?? { speechFrames: 0 }
    cluster.speechFrames += run.to - run.from
    utterance.runs.push({ ...run, cluster })
    run = null
  }

  const addFrame = (probability: number): SpeechSpan[] => {
    const unbroken = run?.to === frame
    if (probability >= ON || (unbroken && probability >= OFF)) {
      run ??= { from: frame, to: frame, sum: 0 }
      run.sum += probability
      run.to = frame + 1
    }
    frame++
    if (run && (frame - run.to >= PAUSE_FRAMES || run.to - run.from >= MAX_RUN_FRAMES)) endRun()
    const last = utterance?.runs.at(-1)
    if (!utterance || !last) return []
    const over = !run && frame - last.to >= apartFrames
    const found = emit(utterance, over)
    if (over) utterance = null
    return found
  }

  return {
    push: (probabilities) => Array.from(probabilities).flatMap(addFrame),
    finish() {
      endRun()
      return utterance ? emit(utterance, true) : []
    },
  }
}

const isKnock = ({ speechFrames }: Cluster): boolean => speechFrames < MIN_SPEECH_FRAMES

/** Call when no further run can be near enough to make the last ones words. */
function dropKnocks(utterance: Utterance): void {
  utterance.runs = utterance.runs.filter(({ cluster }) => !isKnock(cluster))
}

/** The spans of an utterance that later frames cannot change; includes the last run only when the utterance is over. */
function settled(utterance: Utterance, over: boolean, bounds: Bounds): SpeechSpan[] {
  if (over) dropKnocks(utterance)
  const { runs } = utterance
  const until = over ? runs.length : runs.length - 1
  const spans: SpeechSpan[] = []
  for (; utterance.emitted < until && !isKnock(runs[utterance.emitted]!.cluster); utterance.emitted++) {
    const at = utterance.emitted
    spans.push(spanOf(runs[at]!, { before: runs[at - 1], after: runs[at + 1] }, bounds))
  }
  return spans
}

type Bounds = { margins: Margins; totalSamples: number }

/** A margin ends in the middle of the pause, so that neighbours share it. */
function spanOf(
  run: Run,
  neighbours: { before: Run | undefined; after: Run | undefined },
  { margins, totalSamples }: Bounds,
) {
  const middle = (left: Run, right: Run) => Math.round(((left.to + right.from) / 2) * SPEECH_FRAME_SAMPLES)
  const speechFromSample = run.from * SPEECH_FRAME_SAMPLES
  const speechToSample = Math.min(totalSamples, run.to * SPEECH_FRAME_SAMPLES)
  const earliest = neighbours.before ? middle(neighbours.before, run) : 0
  const latest = neighbours.after ? middle(run, neighbours.after) : totalSamples
  return {
    fromSample: Math.max(earliest, speechFromSample - margins.before),
    toSample: Math.min(latest, speechToSample + margins.after),
    speechFromSample,
    speechToSample,
    probability: run.sum / (run.to - run.from),
  }
}

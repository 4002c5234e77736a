// From speech probabilities, frame by frame, to the spans of a recording in which somebody speaks.
// Pure and incremental; where the probabilities come from is speech-model.ts.

import { FRAME_SAMPLES } from './speech-frame.ts'

/** Samples of a recording, `to` excluded. Spans are ordered; they may touch but never overlap. */
export type SpeechSpan = {
  /** with margins, so that soft beginnings and endings are inside */
  fromSample: number
  toSample: number
  /** as detected */
  speechFromSample: number
  speechToSample: number
  /** mean over the detected frames */
  probability: number
}

export type SpanFinder = {
  /** the probabilities of the next frames; gives the spans that are certain by now */
  push(probabilities: Float32Array): SpeechSpan[]
  /** gives the spans that were held back; call once, at the end */
  finish(): SpeechSpan[]
}

const ON = 0.5
const OFF = 0.35
/** 192 ms: shorter dips are inside words */
const PAUSE_FRAMES = 6
/** 192 ms of speech in all; less is a knock or a bark, not a word */
const MIN_SPEECH_FRAMES = 6
/** about 30 s: a run is given away at this length even where nobody ever pauses */
const MAX_RUN_FRAMES = 938
const MARGIN_BEFORE_SAMPLES = 4_800
const MARGIN_AFTER_SAMPLES = 6_400
/** both margins fit: from here on the next span cannot change this one */
const APART_FRAMES = Math.ceil((MARGIN_BEFORE_SAMPLES + MARGIN_AFTER_SAMPLES) / FRAME_SAMPLES)

/** Frames of uninterrupted speech, `to` excluded. */
type Run = { from: number; to: number; sum: number }

/** Runs that are close together stand or fall together: a short word beside others is no knock. */
type Utterance = { runs: Run[] /** how many of them were given away */; given: number; speechFrames: number }

export function createSpanFinder(totalSamples: number): SpanFinder {
  let frame = 0
  let run: Run | null = null
  let utterance: Utterance | null = null

  const endRun = () => {
    if (!run) return
    utterance ??= { runs: [], given: 0, speechFrames: 0 }
    utterance.runs.push(run)
    utterance.speechFrames += run.to - run.from
    run = null
  }

  const hear = (probability: number): SpeechSpan[] => {
    const unbroken = run?.to === frame
    if (probability >= ON || (unbroken && probability >= OFF)) {
      run ??= { from: frame, to: frame, sum: 0 }
      run.sum += probability
      run.to = frame + 1
    }
    frame++
    if (run && (frame - run.to >= PAUSE_FRAMES || run.to - run.from >= MAX_RUN_FRAMES)) endRun()
    if (!utterance) return []
    const apart = !run && frame - utterance.runs.at(-1)!.to >= APART_FRAMES
    const found = settled(utterance, apart, totalSamples)
    if (apart) utterance = null
    return found
  }

  return {
    push: (probabilities) => Array.from(probabilities).flatMap(hear),
    finish() {
      endRun()
      return utterance ? settled(utterance, true, totalSamples) : []
    },
  }
}

/** The spans of an utterance that nothing to come can change; its last run only when it is over. */
function settled(utterance: Utterance, over: boolean, totalSamples: number): SpeechSpan[] {
  if (utterance.speechFrames < MIN_SPEECH_FRAMES) return []
  const until = over ? utterance.runs.length : utterance.runs.length - 1
  const spans: SpeechSpan[] = []
  for (; utterance.given < until; utterance.given++) {
    const at = utterance.given
    const neighbours = { before: utterance.runs[at - 1], after: utterance.runs[at + 1] }
    spans.push(spanOf(utterance.runs[at]!, neighbours, totalSamples))
  }
  return spans
}

/** Margins stop in the middle of the pause, so that neighbours share it. */
function spanOf(
  run: Run,
  neighbours: { before: Run | undefined; after: Run | undefined },
  totalSamples: number,
) {
  const middle = (left: Run, right: Run) => Math.round(((left.to + right.from) / 2) * FRAME_SAMPLES)
  const speechFromSample = run.from * FRAME_SAMPLES
  const speechToSample = Math.min(totalSamples, run.to * FRAME_SAMPLES)
  const earliest = neighbours.before ? middle(neighbours.before, run) : 0
  const latest = neighbours.after ? middle(run, neighbours.after) : totalSamples
  return {
    fromSample: Math.max(earliest, speechFromSample - MARGIN_BEFORE_SAMPLES),
    toSample: Math.min(latest, speechToSample + MARGIN_AFTER_SAMPLES),
    speechFromSample,
    speechToSample,
    probability: run.sum / (run.to - run.from),
  }
}

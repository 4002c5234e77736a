// Transcribes one window, removes captions, hallucinations and loops, and places its words in the recording.

import {
  type Engine,
  type EngineFailure,
  SAMPLE_RATE,
  type Segment,
  type WindowRequest,
  type WindowTranscript,
} from '../engine/engine.ts'
import { type Result, succeed } from '../lib/result.ts'
import { findCaptions } from '../text/sound-captions.ts'
import { countCharacters, isHallucination, missesSpeech } from './hallucinations.ts'
import { cutLoops, hasLoop } from './repetition.ts'
import { removeRanges, splitBefore } from './segment-edits.ts'
import {
  bestCutPoint,
  type FindCutPoint,
  halveWindow,
  onRecordingClock,
  type ReadSamples,
  readWindow,
  type Window,
  windowLength,
} from './windows.ts'
import { placeWords } from './word-times.ts'

export type WindowJob = Omit<WindowRequest, 'samples' | 'onSegment'> & {
  read: ReadSamples
  engine: Pick<Engine, 'transcribe'>
  /** moves the transcribed words into the spans they were spoken in; default: `placeWords` */
  place?: typeof placeWords
  /** false: the spans may contain silence, so missing text is not an error */
  spansAreSpeech?: boolean
}

/** On the recording's clock. */
export type TranscribedWindow = WindowTranscript

/** A segment is split at a longer pause: a subtitle must not stay on screen during silence. */
const LONGEST_PAUSE_IN_SEGMENT_MS = 3000

/** Halves of halves of halves: down to a sentence or two. */
export const MAX_HALVINGS = 3

/**
 * Transcribes a window again in halves if the result has a loop or misses speech: neither often happens twice.
 */
export async function transcribeWindow(
  job: WindowJob,
  window: Window,
  halvings = 0,
): Promise<Result<TranscribedWindow, EngineFailure>> {
  const whole = await transcribeOnce(job, window)
  if (!whole.ok) return whole
  const { missedSpeech, ...result } = whole.value
  if (result.languages) return succeed(result)
  const loops = hasLoop(result.segments)
  if (!loops && !missedSpeech) return succeed(result)
  // Music causes most loops, so one more try is enough.
  const mayHalve = halvings < (loops ? 1 : MAX_HALVINGS)
  const halves = mayHalve ? await halveWindow(window, cutPointIn(job.read)) : null
  if (!halves) return succeed(withoutLoops(result))
  const { onProgress: _, parts: __, ...quietly } = job
  const transcribeFirst = transcribeWindow(quietly, halves[0], halvings + 1)
  if (!job.sideBySide) await transcribeFirst
  const [first, second] = await Promise.all([
    transcribeFirst,
    transcribeWindow(quietly, halves[1], halvings + 1),
  ])
  if (!first.ok) return first
  if (!second.ok) return second
  const again = [...first.value.segments, ...second.value.segments]
  // If the halves have no more text, the whole window's result is better: it had more context.
  return succeed(
    loops || countCharacters(again) > countCharacters(result.segments)
      ? { ...result, segments: again }
      : result,
  )
}

/** Finds the least harmful cut between two samples of the recording. */
export const cutPointIn =
  (read: ReadSamples): FindCutPoint =>
  async (fromSample, toSample) =>
    fromSample + bestCutPoint(await read(fromSample, toSample))

/** `missedSpeech`: the text seems to miss speech. */
type CheckedWindow = TranscribedWindow & { missedSpeech: boolean }

async function transcribeOnce(job: WindowJob, window: Window): Promise<Result<CheckedWindow, EngineFailure>> {
  const { read, engine, place = placeWords, spansAreSpeech = true, ...request } = job
  const result = await engine.transcribe({ ...request, samples: await readWindow(read, window.ranges) })
  if (!result.ok) return result
  const spoken = spokenSegments(window, result.value.segments).map((segment) =>
    onRecordingClock(window.ranges, segment),
  )
  const { language } = result.value
  const segments = place(spoken, window.spans)
    .flatMap(splitAtPauses)
    .map((segment) => ({ ...segment, language }))
  // No text at all: it was not speech, or halves would not be understood either.
  const missedSpeech = spansAreSpeech && spoken.length > 0 && missesSpeech(spoken, window.spans)
  return succeed({ ...result.value, segments, missedSpeech })
}

/** Drops captions and hallucinations; still on the window's clock. */
export function spokenSegments(window: Window, segments: Segment[]): Segment[] {
  const windowMs = (windowLength(window.ranges) * 1000) / SAMPLE_RATE
  return (
    segments
      // Whisper always processes 30 s; segments that begin after the end of the audio are hallucinated.
      .filter((segment) => segment.startMs < windowMs)
      .flatMap((segment) => removeRanges(segment, findCaptions(segment.text)) ?? [])
      .filter((segment) => !isHallucination(segment, window.spans))
  )
}

const withoutLoops = (result: TranscribedWindow): TranscribedWindow => ({
  ...result,
  segments: cutLoops(result.segments),
})

function splitAtPauses(segment: Segment): Segment[] {
  const { words } = segment
  const at = words.findIndex(
    (word, index) => index > 0 && word.startMs - words[index - 1]!.endMs > LONGEST_PAUSE_IN_SEGMENT_MS,
  )
  if (at < 0) return [segment]
  const [first, second] = splitBefore(segment, at)
  return second ? [first!, ...splitAtPauses(second)] : [first!]
}

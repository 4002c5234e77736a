// One window: recognised, its captions, inventions and loops taken out, its words placed in the recording.
// Which windows there are and how they are joined is transcribe-recording.ts's.

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
import { isInvention } from './inventions.ts'
import { quietestSample } from './quietest.ts'
import { cutLoops, hasLoop } from './repetition.ts'
import { removeRanges, splitBefore } from './segment-edits.ts'
import { leavesSpeechUnheard, lettersIn } from './unheard.ts'
import { onRecordingClock, type ReadSamples, readWindow } from './window-clock.ts'
import { halveWindow, type Quietest, type Window, windowLength } from './windows.ts'
import { placeWords } from './word-times.ts'

export type WindowJob = Omit<WindowRequest, 'samples' | 'onSegment'> & {
  read: ReadSamples
  engine: Pick<Engine, 'transcribe'>
  /** puts the words of a hearing into the spans they were said in; `placeWords` unless given */
  place?: typeof placeWords
  /** false: what the spans hold may be silence as well, and need not have become text */
  spansAreSpeech?: boolean
}

/** What was said in a window, on the recording's clock. */
export type HeardWindow = WindowTranscript

/** A segment that goes over a longer pause than this is two: a subtitle must not stand through a silence. */
const LONGEST_PAUSE_IN_SEGMENT_MS = 3000

/** Halves of halves of halves: down to a sentence or two. */
export const MAX_HALVINGS = 3

/**
 * A window in which a phrase is said over and over, or in which speech was passed over, is heard again in halves: neither
 * happens often twice.
 */
export async function transcribeWindow(
  job: WindowJob,
  window: Window,
  halvings = 0,
): Promise<Result<HeardWindow, EngineFailure>> {
  const whole = await hear(job, window)
  if (!whole.ok) return whole
  const { passedOver, ...heard } = whole.value
  if (heard.languages) return succeed(heard)
  const loops = hasLoop(heard.segments)
  if (!loops && !passedOver) return succeed(heard)
  // Loops come from music more than from speech: one more try is enough.
  const mayHalve = halvings < (loops ? 1 : MAX_HALVINGS)
  const halves = mayHalve ? await halveWindow(window, quietestIn(job.read)) : null
  if (!halves) return succeed(withoutLoops(heard))
  const { onProgress: _, parts: __, ...quietly } = job
  const hearFirst = transcribeWindow(quietly, halves[0], halvings + 1)
  if (!job.sideBySide) await hearFirst
  const [first, second] = await Promise.all([hearFirst, transcribeWindow(quietly, halves[1], halvings + 1)])
  if (!first.ok) return first
  if (!second.ok) return second
  const again = [...first.value.segments, ...second.value.segments]
  // Where the halves gave no more than the whole, there was no more to hear, and the whole had more to go by.
  return succeed(
    loops || lettersIn(again) > lettersIn(heard.segments) ? { ...heard, segments: again } : heard,
  )
}

/** Where a cut between two samples of the recording hurts least. */
export const quietestIn =
  (read: ReadSamples): Quietest =>
  async (fromSample, toSample) =>
    fromSample + quietestSample(await read(fromSample, toSample))

/** `passedOver`: speech was left out, by the look of it. */
type Hearing = HeardWindow & { passedOver: boolean }

async function hear(job: WindowJob, window: Window): Promise<Result<Hearing, EngineFailure>> {
  const { read, engine, place = placeWords, spansAreSpeech = true, ...request } = job
  const heard = await engine.transcribe({ ...request, samples: await readWindow(read, window.ranges) })
  if (!heard.ok) return heard
  const said = saidIn(window, heard.value.segments).map((segment) => onRecordingClock(window.ranges, segment))
  const { language } = heard.value
  const segments = place(said, window.spans)
    .flatMap(splitAtPauses)
    .map((segment) => ({ ...segment, language }))
  // Without any text it was no speech, or nothing that could be understood in halves either.
  const passedOver = spansAreSpeech && said.length > 0 && leavesSpeechUnheard(said, window.spans)
  return succeed({ ...heard.value, segments, passedOver })
}

/** What of a hearing was said: no captions, no inventions. On the window's clock, as it came from the engine. */
export function saidIn(window: Window, segments: Segment[]): Segment[] {
  const windowMs = (windowLength(window.ranges) * 1000) / SAMPLE_RATE
  return (
    segments
      // Whisper listens to 30 s whatever it is given: what begins after the end is about nothing.
      .filter((segment) => segment.startMs < windowMs)
      .flatMap((segment) => removeRanges(segment, findCaptions(segment.text)) ?? [])
      .filter((segment) => !isInvention(segment, window.spans))
  )
}

const withoutLoops = (heard: HeardWindow): HeardWindow => ({ ...heard, segments: cutLoops(heard.segments) })

function splitAtPauses(segment: Segment): Segment[] {
  const { words } = segment
  const at = words.findIndex(
    (word, index) => index > 0 && word.startMs - words[index - 1]!.endMs > LONGEST_PAUSE_IN_SEGMENT_MS,
  )
  if (at < 0) return [segment]
  const [first, second] = splitBefore(segment, at)
  return second ? [first!, ...splitAtPauses(second)] : [first!]
}

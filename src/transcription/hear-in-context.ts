// Hears a window twice where something was said before it: on its own, and as what follows that text.
// What the second hearing may change is second-hearing.ts's; the first is transcribe-window.ts's.

import type { Engine, EngineFailure, Segment } from '../engine/engine.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { joinTexts } from './join-text.ts'
import { correctWords } from './second-hearing.ts'
import { type HeardWindow, saidIn, transcribeWindow, type WindowJob } from './transcribe-window.ts'
import { readWindow } from './window-clock.ts'
import type { Window } from './windows.ts'

/**
 * Of 4029 words, 129 to 138 were wrong with 600 to 1000 letters, and 143 with as much as Whisper takes, which is 223
 * tokens of four letters each or fewer.
 */
const LETTERS_TOLD = 1000

export type ContextJob = WindowJob & { engine: Pick<Engine, 'transcribe' | 'info'> }

export type HeardInContext = HeardWindow & {
  /** as heard on its own */
  alone: Segment[]
}

/** @param before the segments of the recording before the window, as heard on their own: what a correction got wrong would be gone on from */
export async function hearInContext(
  job: ContextJob,
  window: Window,
  before: readonly Segment[],
): Promise<Result<HeardInContext, EngineFailure>> {
  const { engine, task, onProgress } = job
  if (before.length === 0 || task !== 'transcribe' || !engine.info().again)
    return asHeard(await transcribeWindow(job, window))
  const first = await transcribeWindow({ ...job, onProgress: (share) => onProgress?.(share / 2) }, window)
  if (!first.ok || first.value.segments.length === 0) return asHeard(first)
  const alone = first.value.segments
  const { model, prompt, preferences, signal } = job
  const again = await engine.transcribe({
    ...{ model, task, prompt, preferences, signal },
    samples: await readWindow(job.read, window.stretches),
    language: first.value.language,
    again: { before: endOf(before) },
    onProgress: (share) => onProgress?.((1 + share) / 2),
  })
  if (again.ok) {
    const segments = correctWords(alone, saidIn(window, again.value.segments), first.value.language)
    return succeed({ ...first.value, alone, segments })
  }
  // What was heard stands, whatever became of the attempt to hear it better.
  const isStopped = again.failure.code === 'aborted' || again.failure.code === 'engine_closed'
  return isStopped ? fail(again.failure) : asHeard(first)
}

const asHeard = (heard: Result<HeardWindow, EngineFailure>): Result<HeardInContext, EngineFailure> =>
  heard.ok ? succeed({ ...heard.value, alone: heard.value.segments }) : heard

/** The last letters, from the beginning of a word where there are spaces. */
function endOf(segments: readonly Segment[]): string {
  let letters = 0
  const first = segments.findLastIndex(({ text }) => {
    letters += text.length
    return letters > LETTERS_TOLD
  })
  const text = joinTexts(segments.slice(Math.max(0, first)).map((segment) => segment.text))
  return first < 0
    ? text
    : [...text]
        .slice(-LETTERS_TOLD)
        .join('')
        .replace(/^\S*\s/, '')
}

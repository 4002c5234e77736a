// Hears a window twice where something was said before it: on its own, and as what follows that text.
// What the second hearing may change is second-hearing.ts's; the first is transcribe-window.ts's.

import type { Engine, EngineFailure, Segment } from '../engine/engine.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { joinTexts } from './join-text.ts'
import { correctWords } from './second-hearing.ts'
import { type HeardWindow, transcribeWindow, type WindowJob } from './transcribe-window.ts'
import { readWindow } from './window-clock.ts'
import type { Window } from './windows.ts'

/** Whisper is told 223 tokens at most, of some four letters each, and of a longer text the end. */
const MOST_LETTERS = 1000
/** The prompt that was asked for goes first, and must not be the part that is left out. */
const MOST_LETTERS_WITH_PROMPT = 600

export type ContextJob = WindowJob & { engine: Pick<Engine, 'transcribe' | 'info'> }

export type HeardInContext = HeardWindow & {
  /** as heard on its own */
  alone: Segment[]
}

/**
 * @param before the segments of the recording before the window, as heard on their own: told what was corrected, Whisper
 *   goes on from its own mistakes (459 words of 6,741 wrong without context, TOLD_CORRECTED with it, TOLD_ALONE so)
 */
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
  const { read, place: _, spansAreSpeech: __, ...request } = job
  const again = await engine.transcribe({
    ...request,
    samples: await readWindow(read, window.stretches),
    language: first.value.language,
    prompt: promptOf(job.prompt, before),
    again: true,
    onProgress: (share) => onProgress?.((1 + share) / 2),
  })
  if (again.ok) return succeed({ ...first.value, alone, segments: correctWords(alone, again.value.segments) })
  // What was heard stands, whatever became of the attempt to hear it better.
  const isStopped = again.failure.code === 'aborted' || again.failure.code === 'engine_closed'
  return isStopped ? fail(again.failure) : asHeard(first)
}

const asHeard = (heard: Result<HeardWindow, EngineFailure>): Result<HeardInContext, EngineFailure> =>
  heard.ok ? succeed({ ...heard.value, alone: heard.value.segments }) : heard

const promptOf = (prompt: string | null, before: readonly Segment[]): string =>
  prompt === null
    ? endOf(before, MOST_LETTERS)
    : joinTexts([prompt, endOf(before, MOST_LETTERS_WITH_PROMPT - prompt.length)])

function endOf(segments: readonly Segment[], room: number): string {
  if (room <= 0) return ''
  let left = room
  const first = segments.findLastIndex(({ text }) => {
    left -= text.length
    return left <= 0
  })
  return joinTexts(segments.slice(Math.max(0, first)).map(({ text }) => text)).slice(-room)
}

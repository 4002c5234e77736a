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

export type ContextJob = WindowJob & { engine: Pick<Engine, 'transcribe' | 'info'> }

/** @param before the segments of the recording before the window */
export async function hearInContext(
  job: ContextJob,
  window: Window,
  before: readonly Segment[],
): Promise<Result<HeardWindow, EngineFailure>> {
  const { engine, task, onProgress } = job
  if (before.length === 0 || task !== 'transcribe' || !engine.info().again)
    return transcribeWindow(job, window)
  const first = await transcribeWindow({ ...job, onProgress: (share) => onProgress?.(share / 2) }, window)
  if (!first.ok || first.value.segments.length === 0) return first
  const { read, place: _, spansAreSpeech: __, ...request } = job
  const again = await engine.transcribe({
    ...request,
    samples: await readWindow(read, window.stretches),
    language: first.value.language,
    prompt: promptOf(job.prompt, before),
    again: true,
    onProgress: (share) => onProgress?.((1 + share) / 2),
  })
  if (again.ok)
    return succeed({ ...first.value, segments: correctWords(first.value.segments, again.value.segments) })
  // What was heard stands, whatever became of the attempt to hear it better.
  const isStopped = again.failure.code === 'aborted' || again.failure.code === 'engine_closed'
  return isStopped ? fail(again.failure) : first
}

/** The prompt that was asked for goes first, and is left its room. */
const promptOf = (prompt: string | null, before: readonly Segment[]): string =>
  joinTexts([prompt ?? '', endOf(before, MOST_LETTERS - (prompt?.length ?? 0))])

/** The last whole segments that there is room for. */
function endOf(segments: readonly Segment[], room: number): string {
  let left = room
  const tooMany = segments.findLastIndex(({ text }) => {
    left -= text.length
    return left < 0
  })
  return joinTexts(segments.slice(tooMany + 1).map(({ text }) => text))
}

// Hears a window twice where something was said before it: on its own, and as what follows that text.
// What the second pass may change is second-pass.ts's; the first is transcribe-window.ts's.

import type { Engine, EngineFailure, Segment, SpokenLanguage } from '../engine/engine.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { joinTexts } from './join-text.ts'
import { splitByLanguage } from './language-parts.ts'
import { correctWords } from './second-pass.ts'
import { type HeardWindow, saidIn, transcribeWindow, type WindowJob } from './transcribe-window.ts'
import { readWindow } from './window-clock.ts'
import { type Window, windowLength } from './windows.ts'

/**
 * Of 4029 words, 129 to 138 were wrong with 600 to 1000 letters, and 143 with as much as Whisper takes, which is 223
 * tokens of four letters each or fewer.
 */
const LETTERS_TOLD = 1000

export type ContextJob = WindowJob & { engine: Pick<Engine, 'transcribe' | 'info'> }

export type HeardInTwoPasses = HeardWindow & {
  /** the part of the window that was heard in this language, or all of it */
  window: Window
  /** as heard on its own */
  alone: Segment[]
}

/** The first pass: a draft where text comes before the window, since it is heard once more then. */
export function hearAlone(
  job: ContextJob,
  window: Window,
  { follows }: { follows: boolean },
): Promise<Result<HeardWindow, EngineFailure>> {
  const { task, engine, onProgress } = job
  if (!follows || task !== 'transcribe' || !engine.info().secondPass) return transcribeWindow(job, window)
  return transcribeWindow({ ...job, draft: true, onProgress: (share) => onProgress?.(share / 2) }, window)
}

/**
 * One after another, where the language changes in a window that was heard alone: each in its own.
 *
 * @param before the segments of the recording before the window, as heard on their own: what a correction got wrong would be gone on from
 */
export async function hearInLanguages(
  job: ContextJob,
  { window, languages }: { window: Window; languages: readonly SpokenLanguage[] },
  before: readonly Segment[],
): Promise<Result<HeardInTwoPasses[], EngineFailure>> {
  const all: HeardInTwoPasses[] = []
  const length = windowLength(window.ranges)
  let done = 0
  for (const { language, languageProbability, window: own } of splitByLanguage(window, languages)) {
    const share = windowLength(own.ranges) / length
    const from = done
    const onProgress = (fraction: number) => job.onProgress?.(from + fraction * share)
    const told = [...before, ...all.flatMap(({ alone }) => alone)]
    const ownJob = { ...job, language, parts: undefined, onProgress }
    const first = await hearAlone(ownJob, own, { follows: told.length > 0 })
    const heard = await hearAgain(ownJob, { window: own, first }, told)
    if (!heard.ok) return heard
    all.push({ ...heard.value, languageProbability })
    done += share
  }
  return succeed(all)
}

/** The second pass, where there is one to be made. @param before as hearInLanguages */
export async function hearAgain(
  job: ContextJob,
  { window, first }: { window: Window; first: Result<HeardWindow, EngineFailure> },
  before: readonly Segment[],
): Promise<Result<HeardInTwoPasses, EngineFailure>> {
  const { engine, task, onProgress } = job
  if (before.length === 0 || task !== 'transcribe' || !engine.info().secondPass) return asHeard(window, first)
  if (!first.ok || first.value.segments.length === 0) return asHeard(window, first)
  const { language, segments: alone } = first.value
  // Text in another language would lead it into that one.
  const told = before.filter((segment) => segment.language === language)
  if (told.length === 0) return asHeard(window, first)
  const { model, prompt, preferences, sideBySide, signal } = job
  const second = await engine.transcribe({
    model,
    task,
    prompt,
    preferences,
    sideBySide,
    signal,
    language,
    samples: await readWindow(job.read, window.ranges),
    secondPass: { previousText: endOf(told) },
    onProgress: (share) => onProgress?.((1 + share) / 2),
  })
  if (second.ok) {
    const segments = correctWords(alone, saidIn(window, second.value.segments), language)
    return succeed({ ...first.value, window, alone, segments })
  }
  // What was heard stands, whatever became of the attempt to hear it better.
  const isStopped = second.failure.code === 'aborted' || second.failure.code === 'engine_closed'
  return isStopped ? fail(second.failure) : asHeard(window, first)
}

const asHeard = (
  window: Window,
  heard: Result<HeardWindow, EngineFailure>,
): Result<HeardInTwoPasses, EngineFailure> =>
  heard.ok ? succeed({ ...heard.value, window, alone: heard.value.segments }) : heard

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

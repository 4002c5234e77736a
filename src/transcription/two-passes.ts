// Transcribes a window twice if text precedes it: on its own, then with that text as context.

import type { Engine, EngineFailure, Segment, SpokenLanguage } from '../engine/engine.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { joinTexts } from './join-text.ts'
import { splitByLanguage } from './language-parts.ts'
import { correctWords } from './second-pass.ts'
import { type HeardWindow, saidIn, transcribeWindow, type WindowJob } from './transcribe-window.ts'
import { readWindow } from './window-clock.ts'
import { type Window, windowLength } from './windows.ts'

/**
 * Of 4029 words, 129 to 138 were wrong with 600 to 1000 characters, and 143 with Whisper's maximum: 223 tokens of four
 * characters each or fewer.
 */
const LETTERS_TOLD = 1000

export type ContextJob = WindowJob & { engine: Pick<Engine, 'transcribe' | 'info'> }

export type HeardInTwoPasses = HeardWindow & {
  /** the part of the window in this language, or all of it */
  window: Window
  /** result of the first pass */
  alone: Segment[]
}

/** The first pass; only a draft if text precedes the window, since a second pass follows. */
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
 * Transcribes the parts of a window with several languages, one after another, each in its own language.
 *
 * @param before the first-pass segments before the window: errors of a correction must not propagate
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

/** The second pass, if there is context. @param before as in hearInLanguages */
export async function hearAgain(
  job: ContextJob,
  { window, first }: { window: Window; first: Result<HeardWindow, EngineFailure> },
  before: readonly Segment[],
): Promise<Result<HeardInTwoPasses, EngineFailure>> {
  const { engine, task, onProgress } = job
  if (before.length === 0 || task !== 'transcribe' || !engine.info().secondPass) return asHeard(window, first)
  if (!first.ok || first.value.segments.length === 0) return asHeard(window, first)
  const { language, segments: alone } = first.value
  // Context in another language would make the model switch to it.
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
  // A failed second pass does not lose the first one's result.
  const isStopped = second.failure.code === 'aborted' || second.failure.code === 'engine_closed'
  return isStopped ? fail(second.failure) : asHeard(window, first)
}

const asHeard = (
  window: Window,
  heard: Result<HeardWindow, EngineFailure>,
): Result<HeardInTwoPasses, EngineFailure> =>
  heard.ok ? succeed({ ...heard.value, window, alone: heard.value.segments }) : heard

/** The last characters, starting at a word if there are spaces. */
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

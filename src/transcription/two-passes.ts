// Transcribes a window twice if text precedes it: on its own, then with that text as context.

import type { Engine, EngineFailure, Segment, SpokenLanguage } from '../engine/engine.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { joinTexts } from './join-text.ts'
import { splitByLanguage } from './language-parts.ts'
import { correctWords } from './second-pass.ts'
import {
  spokenSegments,
  type TranscribedWindow,
  transcribeWindow,
  type WindowJob,
} from './transcribe-window.ts'
import { readWindow } from './window-clock.ts'
import { type Window, windowLength } from './windows.ts'

/**
 * Of 4029 words, 129 to 138 were wrong with 600 to 1000 characters, and 143 with Whisper's maximum: 223 tokens of four
 * characters each or fewer.
 */
const CONTEXT_CHARACTERS = 1000

export type ContextJob = WindowJob & { engine: Pick<Engine, 'transcribe' | 'info'> }

export type TwoPassResult = TranscribedWindow & {
  /** the part of the window in this language, or all of it */
  window: Window
  /** result of the first pass */
  alone: Segment[]
}

/** The first pass; only a draft if text precedes the window, since a second pass follows. */
export function runFirstPass(
  job: ContextJob,
  window: Window,
  { follows }: { follows: boolean },
): Promise<Result<TranscribedWindow, EngineFailure>> {
  const { task, engine, onProgress } = job
  if (!follows || task !== 'transcribe' || !engine.info().secondPass) return transcribeWindow(job, window)
  return transcribeWindow({ ...job, draft: true, onProgress: (share) => onProgress?.(share / 2) }, window)
}

/**
 * Transcribes the parts of a window with several languages, one after another, each in its own language.
 *
 * @param before the first-pass segments before the window: errors of a correction must not propagate
 */
export async function transcribeByLanguage(
  job: ContextJob,
  { window, languages }: { window: Window; languages: readonly SpokenLanguage[] },
  before: readonly Segment[],
): Promise<Result<TwoPassResult[], EngineFailure>> {
  const all: TwoPassResult[] = []
  const length = windowLength(window.ranges)
  let done = 0
  for (const { language, languageProbability, window: own } of splitByLanguage(window, languages)) {
    const share = windowLength(own.ranges) / length
    const from = done
    const onProgress = (fraction: number) => job.onProgress?.(from + fraction * share)
    const context = [...before, ...all.flatMap(({ alone }) => alone)]
    const ownJob = { ...job, language, parts: undefined, onProgress }
    const first = await runFirstPass(ownJob, own, { follows: context.length > 0 })
    const result = await runSecondPass(ownJob, { window: own, first }, context)
    if (!result.ok) return result
    all.push({ ...result.value, languageProbability })
    done += share
  }
  return succeed(all)
}

/** The second pass, if there is context. @param before as in transcribeByLanguage */
export async function runSecondPass(
  job: ContextJob,
  { window, first }: { window: Window; first: Result<TranscribedWindow, EngineFailure> },
  before: readonly Segment[],
): Promise<Result<TwoPassResult, EngineFailure>> {
  const { engine, task, onProgress } = job
  if (before.length === 0 || task !== 'transcribe' || !engine.info().secondPass)
    return firstPassOnly(window, first)
  if (!first.ok || first.value.segments.length === 0) return firstPassOnly(window, first)
  const { language, segments: alone } = first.value
  // Context in another language would make the model switch to it.
  const context = before.filter((segment) => segment.language === language)
  if (context.length === 0) return firstPassOnly(window, first)
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
    secondPass: { previousText: endOf(context) },
    onProgress: (share) => onProgress?.((1 + share) / 2),
  })
  if (second.ok) {
    const segments = correctWords(alone, spokenSegments(window, second.value.segments), language)
    return succeed({ ...first.value, window, alone, segments })
  }
  // A failed second pass does not lose the first one's result.
  const isStopped = second.failure.code === 'aborted' || second.failure.code === 'engine_closed'
  return isStopped ? fail(second.failure) : firstPassOnly(window, first)
}

const firstPassOnly = (
  window: Window,
  result: Result<TranscribedWindow, EngineFailure>,
): Result<TwoPassResult, EngineFailure> =>
  result.ok ? succeed({ ...result.value, window, alone: result.value.segments }) : result

/** The last characters, starting at a word if there are spaces. */
function endOf(segments: readonly Segment[]): string {
  let characters = 0
  const first = segments.findLastIndex(({ text }) => {
    characters += text.length
    return characters > CONTEXT_CHARACTERS
  })
  const text = joinTexts(segments.slice(Math.max(0, first)).map((segment) => segment.text))
  return first < 0
    ? text
    : [...text]
        .slice(-CONTEXT_CHARACTERS)
        .join('')
        .replace(/^\S*\s/, '')
}

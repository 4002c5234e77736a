// Transcribes the windows of a recording in parallel, with the same result as one after another.

import { speechIn } from '../audio/speech-spans.ts'
import { ABORTED, type EngineFailure, SAMPLE_RATE, type Segment } from '../engine/engine.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import {
  type ContextJob,
  runFirstPass,
  runSecondPass,
  type TwoPassResult,
  transcribeByLanguage,
} from './second-pass.ts'
import { createLanguageVote, type LanguageVote, languageParts } from './spoken-languages.ts'
import type { Window } from './windows.ts'

type WindowResult = Result<TwoPassResult[], EngineFailure>

export type WindowsInOrder = {
  /** Resolves once the window can start. */
  add(window: Window, onProgress: (fraction: number) => void): Promise<void>
  /** Waits for all windows. @returns the first failure */
  end(): Promise<Result<null, EngineFailure>>
  language: LanguageVote['result']
}

export type WindowsJob = Omit<ContextJob, 'parts' | 'sideBySide' | 'onProgress'> & {
  /** result of each window, in order */
  onTranscribed: (results: TwoPassResult[]) => void
}

/** Facts that earlier windows determine for a window. */
type Known = { language: string | null; follows: boolean }

type Adding = {
  window: Window
  onProgress: (fraction: number) => void
  sideBySide: boolean
  /** resolves when all earlier first passes are done */
  before: Promise<void>
  /** called when this window's first pass is done */
  whenKnown: () => void
}

/**
 * A window starts with a guess about the earlier ones: their language, and whether they have text. If the guess is wrong
 * the window is transcribed again, so that the text does not depend on the degree of parallelism. The first window runs
 * alone, because a client may wait for its segments.
 */
export function createWindowsInOrder({ onTranscribed, ...job }: WindowsJob): WindowsInOrder {
  const vote = createLanguageVote(job.language)
  const firstPassSegments: Segment[] = []
  const inWork = new Set<Promise<void>>()
  let failure: EngineFailure | null = null
  let isOver = false
  let isFirst = true
  let allKnown = Promise.resolve()
  let allGiven = Promise.resolve()

  const knownNow = (): Known => ({ language: vote.next(), follows: firstPassSegments.length > 0 })

  const note = (results: TwoPassResult[]) => {
    for (const one of results) {
      if (one.alone.length > 0) vote.add({ ...one, speechMs: speechMsOf(one.window) })
      firstPassSegments.push(...one.alone)
    }
  }

  const transcribe = async ({ window, before, whenKnown, ...more }: Adding): Promise<WindowResult> => {
    const jobFor = ({ language }: Known) => ({
      ...job,
      ...more,
      ...languageOf(window, job.language, language),
    })
    const guess = knownNow()
    let passJob = jobFor(guess)
    let first = await runFirstPass(passJob, window, guess)
    await before
    if (isOver || job.signal.aborted) return fail(ABORTED)
    const known = knownNow()
    if (known.language !== guess.language || known.follows !== guess.follows) {
      passJob = jobFor(known)
      first = await runFirstPass(passJob, window, known)
    }
    if (!first.ok) {
      isOver = true
      return first
    }
    const context = [...firstPassSegments]
    const { languages } = first.value
    if (languages) {
      const result = await transcribeByLanguage(passJob, { window, languages }, context)
      if (result.ok) note(result.value)
      return result
    }
    note([{ ...first.value, window, alone: first.value.segments }])
    whenKnown()
    const again = await runSecondPass(passJob, { window, first }, context)
    return again.ok ? succeed([again.value]) : again
  }

  /** A cancelled recording reports nothing more, even if the engine finished its window first. */
  const give = (result: WindowResult) => {
    if (failure || job.signal.aborted) return
    if (result.ok) onTranscribed(result.value)
    else {
      failure = result.failure
      isOver = true
    }
  }

  const begin = (window: Window, onProgress: (fraction: number) => void, sideBySide: boolean) => {
    const known = Promise.withResolvers<void>()
    const adding = { window, onProgress, sideBySide, before: allKnown, whenKnown: known.resolve }
    const transcribing = transcribe(adding).finally(known.resolve)
    allKnown = known.promise
    allGiven = Promise.all([transcribing, allGiven]).then(([result]) => {
      give(result)
      onProgress(1)
    })
    const over = () => void inWork.delete(work)
    const work: Promise<void> = allGiven.then(over, over)
    inWork.add(work)
    return work
  }

  return {
    async add(window, onProgress) {
      const most = () => job.engine.info().windows ?? 1
      while (inWork.size >= most()) await Promise.race(inWork)
      if (isOver || job.signal.aborted) return
      const work = begin(window, onProgress, !isFirst && most() > 1)
      if (isFirst) await work
      isFirst = false
    },
    async end() {
      await Promise.all(inWork)
      await allGiven
      if (failure) return fail(failure)
      return job.signal.aborted ? fail(ABORTED) : succeed(null)
    },
    language: vote.result,
  }
}

/** Without a requested language, the language may change at any pause. */
function languageOf(window: Window, requested: string | null, settled: string | null) {
  if (requested !== null) return { language: requested }
  const parts = languageParts(window)
  return { language: settled, parts: settled === null && parts.length < 2 ? undefined : parts }
}

const speechMsOf = ({ spans }: Window) => (speechIn(spans) * 1000) / SAMPLE_RATE

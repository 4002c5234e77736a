// Transcribes the windows of a recording in parallel, with the same result as one after another.

import { speechIn } from '../audio/speech-spans.ts'
import { ABORTED, type EngineFailure, SAMPLE_RATE, type Segment } from '../engine/engine.ts'
import { fail, type Result, succeed } from '../lib/result.ts'
import { languageParts } from './language-parts.ts'
import { createLanguageVote, type LanguageVote } from './language-vote.ts'
import {
  type ContextJob,
  type HeardInTwoPasses,
  hearAgain,
  hearAlone,
  hearInLanguages,
} from './two-passes.ts'
import type { Window } from './windows.ts'

type Heard = Result<HeardInTwoPasses[], EngineFailure>

export type WindowsInOrder = {
  /** Resolves once the window can start. */
  add(window: Window, onProgress: (fraction: number) => void): Promise<void>
  /** Waits for all windows. @returns the first failure */
  end(): Promise<Result<null, EngineFailure>>
  language: LanguageVote['result']
}

export type WindowsJob = Omit<ContextJob, 'parts' | 'sideBySide' | 'onProgress'> & {
  /** result of each window, in order */
  onHeard: (heard: HeardInTwoPasses[]) => void
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
export function createWindowsInOrder({ onHeard, ...job }: WindowsJob): WindowsInOrder {
  const vote = createLanguageVote(job.language)
  const heardAlone: Segment[] = []
  const inWork = new Set<Promise<void>>()
  let failure: EngineFailure | null = null
  let isOver = false
  let isFirst = true
  let allKnown = Promise.resolve()
  let allGiven = Promise.resolve()

  const knownNow = (): Known => ({ language: vote.next(), follows: heardAlone.length > 0 })

  const note = (heard: HeardInTwoPasses[]) => {
    for (const one of heard) {
      if (one.alone.length > 0) vote.add({ ...one, speechMs: speechMsOf(one.window) })
      heardAlone.push(...one.alone)
    }
  }

  const hear = async ({ window, before, whenKnown, ...more }: Adding): Promise<Heard> => {
    const jobFor = ({ language }: Known) => ({
      ...job,
      ...more,
      ...languageOf(window, job.language, language),
    })
    const guess = knownNow()
    let asked = jobFor(guess)
    let first = await hearAlone(asked, window, guess)
    await before
    if (isOver || job.signal.aborted) return fail(ABORTED)
    const known = knownNow()
    if (known.language !== guess.language || known.follows !== guess.follows) {
      asked = jobFor(known)
      first = await hearAlone(asked, window, known)
    }
    if (!first.ok) {
      isOver = true
      return first
    }
    const told = [...heardAlone]
    const { languages } = first.value
    if (languages) {
      const heard = await hearInLanguages(asked, { window, languages }, told)
      if (heard.ok) note(heard.value)
      return heard
    }
    note([{ ...first.value, window, alone: first.value.segments }])
    whenKnown()
    const again = await hearAgain(asked, { window, first }, told)
    return again.ok ? succeed([again.value]) : again
  }

  /** A cancelled recording reports nothing more, even if the engine finished its window first. */
  const give = (heard: Heard) => {
    if (failure || job.signal.aborted) return
    if (heard.ok) onHeard(heard.value)
    else {
      failure = heard.failure
      isOver = true
    }
  }

  const begin = (window: Window, onProgress: (fraction: number) => void, sideBySide: boolean) => {
    const known = Promise.withResolvers<void>()
    const adding = { window, onProgress, sideBySide, before: allKnown, whenKnown: known.resolve }
    const hearing = hear(adding).finally(known.resolve)
    allKnown = known.promise
    allGiven = Promise.all([hearing, allGiven]).then(([heard]) => {
      give(heard)
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
function languageOf(window: Window, asked: string | null, settled: string | null) {
  if (asked !== null) return { language: asked }
  const parts = languageParts(window)
  return { language: settled, parts: settled === null && parts.length < 2 ? undefined : parts }
}

const speechMsOf = ({ spans }: Window) => (speechIn(spans) * 1000) / SAMPLE_RATE

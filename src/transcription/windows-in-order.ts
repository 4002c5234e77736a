// The windows of a recording, heard side by side with the text that they would have one after another.
// How one is heard is two-passes.ts's; where they begin and end windows.ts's.

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
  /** Waits until there is room for the window beside those before it. */
  add(window: Window, onProgress: (fraction: number) => void): Promise<void>
  /** @returns the first failure, when nothing is in work any more */
  end(): Promise<Result<null, EngineFailure>>
  language: LanguageVote['result']
}

export type WindowsJob = Omit<ContextJob, 'parts' | 'sideBySide' | 'onProgress'> & {
  /** what was heard in each window, in order */
  onHeard: (heard: HeardInTwoPasses[]) => void
}

/** What the windows before it decide about a window. */
type Known = { language: string | null; follows: boolean }

type Adding = {
  window: Window
  onProgress: (fraction: number) => void
  sideBySide: boolean
  /** resolves when all windows before are known */
  before: Promise<void>
  /** called when this one is known as well: as heard on its own */
  whenKnown: () => void
}

/**
 * A window is heard as if it were known already what those before it will be: in which language, and whether there is
 * text at all. Where that turns out otherwise it is heard anew, so that the text does not depend on how many are heard at
 * once. The first is heard before all others: somebody may wait for its segments.
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

  /** A cancelled recording reports nothing more, even where the engine finished its window first. */
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

/** Where nobody named a language it may change, at any pause. */
function languageOf(window: Window, asked: string | null, settled: string | null) {
  if (asked !== null) return { language: asked }
  const parts = languageParts(window)
  return { language: settled, parts: settled === null && parts.length < 2 ? undefined : parts }
}

const speechMsOf = ({ spans }: Window) => (speechIn(spans) * 1000) / SAMPLE_RATE

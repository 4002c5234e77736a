// Drops a result that only repeats the prompt. Part of a longer result may repeat it: people do say their own names.

import type { Segment } from '../engine/engine.ts'
import { type GivenPrompt, isPromptLeak } from '../text/dictionary/prompt-leak.ts'
import { joinTexts } from '../transcription/join-text.ts'

export type PromptLeakFilter = {
  /** @returns the segments that can be emitted now; holds segments back while all of them together may be an echo */
  release(segment: Segment): Segment[]
  isLeak(segments: readonly Segment[]): boolean
}

export function createPromptLeakFilter(prompted: GivenPrompt): PromptLeakFilter {
  let held: Segment[] = []
  let isSpeech = prompted.prompt === null

  const isLeak = (segments: readonly Segment[]): boolean => {
    if (prompted.prompt === null || segments.length === 0) return false
    const text = joinTexts(segments.map((segment) => segment.text))
    return isPromptLeak(text, prompted, { noSpeechProb: leastSilent(segments) })
  }

  return {
    isLeak,
    release(segment) {
      held.push(segment)
      isSpeech ||= !isLeak(held)
      if (!isSpeech) return []
      const released = held
      held = []
      return released
    },
  }
}

/** The lowest no-speech probability of the segments; null unless the engine reports it for every one. */
function leastSilent(segments: readonly Segment[]): number | null {
  const known = segments.flatMap(({ noSpeechProb }) => noSpeechProb ?? [])
  return known.length === segments.length ? Math.min(...known) : null
}

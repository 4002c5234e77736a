// Keeps a result that is nothing but what the recogniser was told from being taken for speech.
// A part of a longer result may well repeat it: people do say their own names.

import type { Segment } from '../engine/engine.ts'
import { type GivenPrompt, isPromptLeak } from '../text/dictionary/prompt-leak.ts'
import { joinTexts } from '../transcription/join-text.ts'

export type EchoGuard = {
  /** What may be told of by now: segments are held back as long as all of them together may be an echo. */
  let(segment: Segment): Segment[]
  isNothingBut(segments: readonly Segment[]): boolean
}

export function createEchoGuard(told: GivenPrompt): EchoGuard {
  let held: Segment[] = []
  let isSpeech = told.prompt === null

  const isNothingBut = (segments: readonly Segment[]): boolean => {
    if (told.prompt === null || segments.length === 0) return false
    const text = joinTexts(segments.map((segment) => segment.text))
    return isPromptLeak(text, told, { noSpeechProb: leastSilent(segments) })
  }

  return {
    isNothingBut,
    let(segment) {
      held.push(segment)
      isSpeech ||= !isNothingBut(held)
      if (!isSpeech) return []
      const free = held
      held = []
      return free
    },
  }
}

/** Of the segment in which the engine heard speech most surely; null where it does not say of every one. */
function leastSilent(segments: readonly Segment[]): number | null {
  const known = segments.flatMap(({ noSpeechProb }) => noSpeechProb ?? [])
  return known.length === segments.length ? Math.min(...known) : null
}

// Drops a result that only repeats the prompt. Part of a longer result may repeat it: people do say their own names.

import type { Segment } from '../engine/engine.ts'
import { isEcho, type Told } from '../text/dictionary/echo.ts'
import { joinTexts } from '../transcription/join-text.ts'

export type EchoGuard = {
  /** @returns the segments that can be emitted now; holds segments back while all of them together may be an echo */
  let(segment: Segment): Segment[]
  isNothingBut(segments: readonly Segment[]): boolean
}

export function createEchoGuard(told: Told): EchoGuard {
  let held: Segment[] = []
  let isSpeech = told.prompt === null

  const isNothingBut = (segments: readonly Segment[]): boolean => {
    if (told.prompt === null || segments.length === 0) return false
    const text = joinTexts(segments.map((segment) => segment.text))
    return isEcho(text, told, { noSpeechProb: leastSilent(segments) })
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

/** The lowest no-speech probability of the segments; null unless the engine reports it for every one. */
function leastSilent(segments: readonly Segment[]): number | null {
  const known = segments.flatMap(({ noSpeechProb }) => noSpeechProb ?? [])
  return known.length === segments.length ? Math.min(...known) : null
}

// Between which pauses of a window its language may change, and the windows that are left where it does.
// Which language a part is in is the engine's to say.

import { type SpeechSpan, speechIn } from '../audio/speech-spans.ts'
import { SAMPLE_RATE, type SpokenLanguage, type WindowPart } from '../engine/engine.ts'
import { onWindowClock } from './window-clock.ts'
import { type Window, windowOf } from './windows.ts'

/** Of less speech the language is often taken for another. */
const LEAST_SPEECH = 3 * SAMPLE_RATE

/** Spans one after another, so many that their language can be told; the shortest pauses are not between two groups. */
function groupsOf(spans: readonly SpeechSpan[]): SpeechSpan[][] {
  const groups = spans.map((span) => [span])
  for (;;) {
    const short = groups.findIndex((group) => speechIn(group) < LEAST_SPEECH)
    if (short < 0 || groups.length === 1) return groups
    const after = pauseBefore(groups, short) <= pauseBefore(groups, short + 1) ? short : short + 1
    groups.splice(after - 1, 2, [...groups[after - 1]!, ...groups[after]!])
  }
}

/** There is none before the first, nor after the last. */
function pauseBefore(groups: readonly SpeechSpan[][], at: number): number {
  const [before, after] = [groups[at - 1], groups[at]]
  if (!before || !after) return Number.POSITIVE_INFINITY
  return after[0]!.speechFromSample - before.at(-1)!.speechToSample
}

/** On the window's clock. */
export const languageParts = ({ spans, ranges }: Window): WindowPart[] =>
  groupsOf(spans).map((group) => ({
    fromSample: onWindowClock(ranges, group[0]!.fromSample),
    toSample: onWindowClock(ranges, group.at(-1)!.toSample),
  }))

export type InLanguage = SpokenLanguage & { window: Window }

/** @param languages of each of the window's `languageParts` */
export function splitByLanguage({ spans }: Window, languages: readonly SpokenLanguage[]): InLanguage[] {
  const runs: { spoken: SpokenLanguage; spans: SpeechSpan[] }[] = []
  for (const [at, group] of groupsOf(spans).entries()) {
    const spoken = languages[at]!
    const last = runs.at(-1)
    if (last?.spoken.language === spoken.language) last.spans.push(...group)
    else runs.push({ spoken, spans: [...group] })
  }
  return runs.map(({ spoken, spans: own }) => ({ ...spoken, window: windowOf(own) }))
}

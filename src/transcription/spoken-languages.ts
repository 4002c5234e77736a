// Which language a recording is in, or its parts, by the languages detected in its windows.

import { type SpeechSpan, speechIn } from '../audio/speech-spans.ts'
import { SAMPLE_RATE, type SpokenLanguage, type WindowPart } from '../engine/engine.ts'
import { onWindowClock, type Window, windowOf } from './windows.ts'

export type LanguageVote = {
  /** language of the next window; null: detect it */
  next(): string | null
  add(window: { language: string; languageProbability: number | null; speechMs: number }): void
  /** the language with the most speech; null if there was no speech */
  result(): { language: string | null; languageProbability: number | null }
}

/** After this much speech the language is fixed, so that one unclear window cannot change it. */
const SETTLED_MS = 10_000

/** @param requested the requested language, or null */
export function createLanguageVote(requested: string | null): LanguageVote {
  const votes = new Map<string, { speechMs: number; best: number; probability: number | null }>()
  const leader = () => [...votes].sort(([, a], [, b]) => b.speechMs - a.speechMs)[0]
  return {
    next() {
      const leading = leader()
      return requested ?? (leading && leading[1].speechMs >= SETTLED_MS ? leading[0] : null)
    },
    add({ language, languageProbability, speechMs }) {
      const vote = votes.get(language) ?? { speechMs: 0, best: 0, probability: null }
      vote.speechMs += speechMs
      // A window with a given language has no probability; use the one from detection.
      if (languageProbability !== null && speechMs > vote.best) {
        vote.best = speechMs
        vote.probability = languageProbability
      }
      votes.set(language, vote)
    },
    result() {
      const leading = leader()
      return { language: leading?.[0] ?? null, languageProbability: leading?.[1].probability ?? null }
    },
  }
}

/** With less speech, detection often returns the wrong language. */
const MIN_SPEECH = 3 * SAMPLE_RATE

/** Consecutive spans with enough speech to detect their language; groups merge across the shortest pause. */
function groupsOf(spans: readonly SpeechSpan[]): SpeechSpan[][] {
  const groups = spans.map((span) => [span])
  for (;;) {
    const short = groups.findIndex((group) => speechIn(group) < MIN_SPEECH)
    if (short < 0 || groups.length === 1) return groups
    const after = pauseBefore(groups, short) <= pauseBefore(groups, short + 1) ? short : short + 1
    groups.splice(after - 1, 2, [...groups[after - 1]!, ...groups[after]!])
  }
}

/** Infinite before the first group and after the last. */
function pauseBefore(groups: readonly SpeechSpan[][], at: number): number {
  const [before, after] = [groups[at - 1], groups[at]]
  if (!before || !after) return Number.POSITIVE_INFINITY
  return after[0]!.speechFromSample - before.at(-1)!.speechToSample
}

/** Parts on the window's clock. */
export const languageParts = ({ spans, ranges }: Window): WindowPart[] =>
  groupsOf(spans).map((group) => ({
    fromSample: onWindowClock(ranges, group[0]!.fromSample),
    toSample: onWindowClock(ranges, group.at(-1)!.toSample),
  }))

export type InLanguage = SpokenLanguage & { window: Window }

/** @param languages one for each of the window's `languageParts` */
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

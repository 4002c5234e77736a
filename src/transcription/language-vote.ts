// Determines the language of a recording from the languages detected in its windows.

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

// Which language a recording is in, from what its windows were taken for.
// Detecting the language of one window is the engine's.

export type LanguageVote = {
  /** what the next window is to be heard as; null is to be detected */
  next(): string | null
  add(heard: { language: string; languageProbability: number | null; speechMs: number }): void
  /** the language most was said in; null where nothing was said */
  result(): { language: string | null; languageProbability: number | null }
}

/** After so much speech the language stays: one unclear window must not turn a recording into another one. */
const SETTLED_MS = 10_000

/** @param asked the language the client asked for, or null */
export function createLanguageVote(asked: string | null): LanguageVote {
  const votes = new Map<string, { speechMs: number; best: number; probability: number | null }>()
  const leader = () => [...votes].sort(([, a], [, b]) => b.speechMs - a.speechMs)[0]
  return {
    next() {
      const leading = leader()
      return asked ?? (leading && leading[1].speechMs >= SETTLED_MS ? leading[0] : null)
    },
    add({ language, languageProbability, speechMs }) {
      const vote = votes.get(language) ?? { speechMs: 0, best: 0, probability: null }
      vote.speechMs += speechMs
      // A language that was given is not detected again, so its probability comes from where it was.
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

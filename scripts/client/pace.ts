// How fast work goes, by what was done lately, and how long the rest takes at that pace.
// Knows no units; what is counted is the caller's.

export type Pace = { perSecond: number; secondsLeft: number }

/** What went fast long ago, such as recordings that were there already, says nothing about now. */
const LATELY_MS = 30_000
/** Before, a number would only jump. */
const SHORTEST_MS = 1000

/** Null until there is something to reckon with. */
export function createPace(clock: () => number = () => performance.now()) {
  const marks: { atMs: number; done: number }[] = []
  return ({ done, total }: { done: number; total: number }): Pace | null => {
    const atMs = clock()
    marks.push({ atMs, done })
    while (marks.length > 2 && atMs - marks[1]!.atMs >= LATELY_MS) marks.shift()
    const first = marks[0]!
    const [passedMs, grown] = [atMs - first.atMs, done - first.done]
    if (passedMs < SHORTEST_MS || grown <= 0) return null
    const perSecond = (grown * 1000) / passedMs
    return { perSecond, secondsLeft: Math.max(0, total - done) / perSecond }
  }
}

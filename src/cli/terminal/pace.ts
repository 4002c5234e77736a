// The recent rate of progress, and the time left at that rate. The caller defines the units.

export type Pace = { perSecond: number; secondsLeft: number }

/** The window of the rate: earlier progress, such as skipped recordings, does not predict the rest. */
const LATELY_MS = 30_000
/** Before that, the value would fluctuate too much. */
const SHORTEST_MS = 1000

/** Returns null until an estimate is possible. */
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

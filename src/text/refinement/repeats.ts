// Finds what is repeated immediately after itself in a sequence, for every length of the repeated unit.
// Not what counts as too much of it: the callers say.

export type Repeat = {
  /** index of the first element of the first copy */
  from: number
  /** elements in one copy */
  period: number
  copies: number
  /** elements behind the last full copy that begin another one */
  rest: number
}

/**
 * Repeats of units of exactly `period` elements, at least two copies each, from left to right. Reads each element once,
 * so that all periods up to a bound take time linear in the sequence.
 */
export function findRepeats(sequence: ArrayLike<number | string>, period: number): Repeat[] {
  const found: Repeat[] = []
  let equal = 0
  for (let index = period; index <= sequence.length; index += 1) {
    if (index < sequence.length && sequence[index] === sequence[index - period]) {
      equal += 1
      continue
    }
    if (equal >= period) {
      const length = equal + period
      found.push({ from: index - length, period, copies: Math.floor(length / period), rest: length % period })
    }
    equal = 0
  }
  return found
}

/** Whether a unit is itself one shorter unit repeated; then the shorter period tells the truth about it. */
export function isCompound(sequence: ArrayLike<number | string>, { from, period }: Repeat): boolean {
  for (let part = 1; part <= period / 2; part += 1) {
    if (period % part !== 0) continue
    let same = true
    for (let index = from + part; same && index < from + period; index += 1)
      same = sequence[index] === sequence[index - part]
    if (same) return true
  }
  return false
}

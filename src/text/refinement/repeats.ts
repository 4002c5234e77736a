// Finds immediate repetition in a sequence, for a given length of the repeated unit.

export type Repeat = {
  /** index of the first element of the first copy */
  from: number
  /** elements in one copy */
  period: number
  copies: number
  /** elements of a partial copy after the last full copy */
  rest: number
}

/**
 * Repeats of units of exactly `period` elements, with at least two copies, from left to right. Reads each element once,
 * so all periods up to a bound take linear time.
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

/** Whether the unit itself repeats a shorter unit; then the shorter period describes it. */
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

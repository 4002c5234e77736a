// The median of each number and its neighbours.
// Knows nothing of speech.

/** The row with `half` more numbers at both ends, where it goes on as in a mirror. */
const withMirroredEnds = (row: Float32Array, half: number) => {
  const last = row.length - 1
  const longer = new Float32Array(row.length + 2 * half)
  longer.set(row, half)
  for (let i = 1; i <= half; i += 1) {
    longer[half - i] = row[Math.min(i, last)]!
    longer[half + last + i] = row[Math.max(last - i, 0)]!
  }
  return longer
}

/** In a row that is sorted before and after, one number leaves and one comes. */
const replaceInOrder = (sorted: Float32Array, gone: number, come: number) => {
  const last = sorted.length - 1
  let at = 0
  while (at < last && sorted[at] !== gone) at += 1
  while (at > 0 && sorted[at - 1]! > come) {
    sorted[at] = sorted[at - 1]!
    at -= 1
  }
  while (at < last && sorted[at + 1]! < come) {
    sorted[at] = sorted[at + 1]!
    at += 1
  }
  sorted[at] = come
}

/** @param width odd. @returns as many numbers as `row` has */
export const medianFilter = (row: Float32Array, width: number): Float32Array => {
  const half = (width - 1) / 2
  const longer = withMirroredEnds(row, half)
  const sorted = longer.slice(0, width).sort()
  const filtered = new Float32Array(row.length)
  for (let at = 0; at < row.length; at += 1) {
    if (at > 0) replaceInOrder(sorted, longer[at - 1]!, longer[at + width - 1]!)
    filtered[at] = sorted[half]!
  }
  return filtered
}

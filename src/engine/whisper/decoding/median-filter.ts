// The median of each number and its neighbours.
// Knows nothing of speech.

/** Where an end is passed, the row goes on as in a mirror. */
const mirrored = (at: number, length: number) => {
  const inside = at < 0 ? -at : at
  const reflected = inside >= length ? 2 * (length - 1) - inside : inside
  return Math.min(Math.max(reflected, 0), length - 1)
}

/** The window stays sorted while it moves: one number leaves, one comes. */
const replaceInOrder = (sorted: Float32Array, gone: number, come: number) => {
  let at = 0
  while (at < sorted.length - 1 && sorted[at] !== gone) at += 1
  while (at > 0 && sorted[at - 1]! > come) {
    sorted[at] = sorted[at - 1]!
    at -= 1
  }
  while (at < sorted.length - 1 && sorted[at + 1]! < come) {
    sorted[at] = sorted[at + 1]!
    at += 1
  }
  sorted[at] = come
}

/** @param width odd. @returns as many numbers as `row` has */
export const medianFilter = (row: Float32Array, width: number): Float32Array => {
  const half = (width - 1) / 2
  const valueAt = (at: number) => row[mirrored(at, row.length)]!
  const sorted = Float32Array.from({ length: width }, (_, i) => valueAt(i - half)).sort()
  const filtered = new Float32Array(row.length)
  for (let at = 0; at < row.length; at += 1) {
    filtered[at] = sorted[half]!
    replaceInOrder(sorted, valueAt(at - half), valueAt(at + half + 1))
  }
  return filtered
}

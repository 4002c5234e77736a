// The median of each number and its neighbours.
// Knows nothing of speech.

/** Writes the row with `half` more numbers at both ends, where it goes on as in a mirror. */
const writeMirrored = (row: Float32Array, half: number, longer: Float32Array) => {
  const last = row.length - 1
  longer.set(row, half)
  for (let i = 1; i <= half; i += 1) {
    longer[half - i] = row[Math.min(i, last)]!
    longer[half + last + i] = row[Math.max(last - i, 0)]!
  }
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

/**
 * @param length of the rows that are filtered
 * @param width odd
 * @returns the filter: what it gives has as many numbers as its row, and is overwritten by the next
 */
export const createMedianFilter = (length: number, width: number): ((row: Float32Array) => Float32Array) => {
  const half = (width - 1) / 2
  const longer = new Float32Array(length + 2 * half)
  const sorted = new Float32Array(width)
  const filtered = new Float32Array(length)
  return (row) => {
    writeMirrored(row, half, longer)
    sorted.set(longer.subarray(0, width))
    sorted.sort()
    for (let at = 0; at < length; at += 1) {
      if (at > 0) replaceInOrder(sorted, longer[at - 1]!, longer[at + width - 1]!)
      filtered[at] = sorted[half]!
    }
    return filtered
  }
}

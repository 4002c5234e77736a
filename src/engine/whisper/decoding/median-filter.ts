/** Writes the row with `half` mirrored numbers added at both ends. */
const writeMirrored = (row: Float32Array, half: number, longer: Float32Array) => {
  const last = row.length - 1
  longer.set(row, half)
  for (let i = 1; i <= half; i += 1) {
    longer[half - i] = row[Math.min(i, last)]!
    longer[half + last + i] = row[Math.max(last - i, 0)]!
  }
}

/** Replaces one number of a sorted row and keeps it sorted. */
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
 * Running median over `width` neighbours.
 * @param length of the rows
 * @param width odd
 * @returns the filter; each call overwrites the previous result
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

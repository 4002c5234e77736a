/** For each word of either text, the index of its partner in the other text, or -1. */
export type Alignment = { ofInput: Int32Array; ofOutput: Int32Array }

/**
 * Aligns two texts by their longest common subsequence. Takes time and memory proportional to the product of both
 * lengths.
 */
export function align(input: readonly string[], output: readonly string[]): Alignment {
  const width = output.length + 1
  const lengths = new Uint16Array((input.length + 1) * width)
  for (let i = input.length - 1; i >= 0; i--) {
    for (let j = output.length - 1; j >= 0; j--) {
      const same = input[i] === output[j]
      lengths[i * width + j] = same
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
    }
  }
  const alignment = {
    ofInput: new Int32Array(input.length).fill(-1),
    ofOutput: new Int32Array(output.length).fill(-1),
  }
  for (let i = 0, j = 0; i < input.length && j < output.length; ) {
    if (input[i] === output[j]) {
      alignment.ofInput[i] = j
      alignment.ofOutput[j++] = i++
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++
    else j++
  }
  return alignment
}

/** Similarity of two words, 0 to 1: 1 minus the edit distance divided by the length of the longer word. */
export function similarity(one: string, other: string): number {
  const [a, b] = [[...one], [...other]]
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  const longest = Math.max(a.length, b.length)
  return longest === 0 ? 1 : 1 - row[b.length]! / longest
}

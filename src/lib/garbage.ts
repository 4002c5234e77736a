// Collects garbage by the count of what leaves it, where the runtime would wait too long: beside the memory of WebAssembly,
// which it takes for heap, and for what it does not count.
// Knows nothing of what is left.

/**
 * @param every so much of what is counted
 * @param how at once: the caller waits for it; meanwhile: it need not
 * @returns counts so much more
 */
export function collectingEvery(every: number, how: 'at once' | 'meanwhile'): (more: number) => void {
  let uncollected = 0
  return (more) => {
    uncollected += more
    if (uncollected < every) return
    uncollected = 0
    Bun.gc(how === 'at once')
  }
}

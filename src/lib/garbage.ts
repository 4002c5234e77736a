// Triggers garbage collection by a count of discarded data. The runtime waits too long: it takes WebAssembly memory for
// its own heap, and does not count some allocations at all.

/**
 * @param every collect after this much
 * @param how `at once` blocks until the collection is done; `meanwhile` does not
 * @returns a function that adds to the count
 */
export function collectGarbageEvery(every: number, how: 'at once' | 'meanwhile'): (more: number) => void {
  let uncollected = 0
  return (more) => {
    uncollected += more
    if (uncollected < every) return
    uncollected = 0
    Bun.gc(how === 'at once')
  }
}

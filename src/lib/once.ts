/** Calls `make` once, on first use, and returns that value from then on. `make` must not fail. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

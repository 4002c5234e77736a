/** Computes a value on first use, for tables that would slow down the start of the server. `make` must not fail. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

// A value that is made when it is first asked for: for tables whose making would hold up the start of the server.
// Not for what can fail or has to be closed.

export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

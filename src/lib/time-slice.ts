// Splits long synchronous work into short slices, so that the event loop can serve other requests in between.
// Work that cannot be split runs in its own process (child-process.ts).

/** Every other request waits for a whole slice. */
const SLICE_MS = 8

/** Call it often during long work, and await it: it yields to the event loop when a slice is over. */
export type Pause = () => Promise<void> | undefined

export function createPause() {
  let sliceEnd = performance.now() + SLICE_MS
  const restart = () => {
    sliceEnd = performance.now() + SLICE_MS
  }
  const pause: Pause = () => (performance.now() < sliceEnd ? undefined : nextTurn().then(restart))
  return Object.assign(pause, { restart })
}

/** Passes a list on in parts and yields to the event loop after each. */
export async function inBatches<T>(
  list: readonly T[],
  size: number,
  work: (part: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < list.length; from += size) {
    await work(list.slice(from, from + size))
    await nextTurn()
  }
}

const waiting: (() => void)[] = []

/**
 * Resolves in a later turn of the event loop. Each turn resumes only one waiter, so that ten long requests block the
 * loop no longer than one does.
 */
export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (waiting.push(resolve) === 1) setImmediate(resumeOne)
  return promise
}

function resumeOne(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeOne)
}

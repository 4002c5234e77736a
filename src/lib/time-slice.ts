// Splits long synchronous work into short slices, so that the event loop can serve other requests in between.
// Work that cannot be split runs in its own process (child-process.ts).

/** Work that may be paused at each `yield`. */
export type Sliced<T> = Generator<void, T, void>

/** Every other request waits for a whole slice. */
const SLICE_MS = 8

/** Runs the work slice by slice. Work shorter than one slice finishes without a pause. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  for (let end = performance.now() + SLICE_MS; ; ) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() < end) continue
    await nextTurn()
    end = performance.now() + SLICE_MS
  }
}

/** For asynchronous work: call the returned function often; it yields to the event loop when a slice is over. */
export function createPause() {
  let sliceEnd = performance.now() + SLICE_MS
  const restart = () => {
    sliceEnd = performance.now() + SLICE_MS
  }
  const pause = async () => {
    if (performance.now() < sliceEnd) return
    await nextTurn()
    restart()
  }
  return Object.assign(pause, { restart })
}

/** Runs the work without a pause, for work that is known to be short. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
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

const RUN = 1024

/** A sorted copy. The sort is stable, as in toSorted. */
export function* sorted<T>(list: readonly T[], compare: (one: T, other: T) => number): Sliced<T[]> {
  let runs: T[][] = []
  for (let from = 0; from < list.length; from += RUN) {
    runs.push(list.slice(from, from + RUN).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const longer: T[][] = []
    for (let at = 0; at < runs.length; at += 2)
      longer.push(yield* merged(runs[at]!, runs[at + 1] ?? [], compare))
    runs = longer
  }
  return runs[0] ?? []
}

function* merged<T>(one: T[], other: T[], compare: (one: T, other: T) => number): Sliced<T[]> {
  const all: T[] = []
  for (let [i, j] = [0, 0]; i < one.length || j < other.length; ) {
    const isFirst = j === other.length || (i < one.length && compare(one[i]!, other[j]!) <= 0)
    all.push(isFirst ? one[i++]! : other[j++]!)
    if (all.length % RUN === 0) yield
  }
  return all
}

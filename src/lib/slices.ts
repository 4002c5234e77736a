// Long work in short slices, between which the event loop answers everybody else.
// Knows nothing of the work; what cannot be cut up runs in a process of its own (child-process.ts).

/** Work that may be paused at each `yield`. */
export type Sliced<T> = Generator<void, T, void>

/** Others wait for one slice, whoever's it is. */
const SLICE_MS = 8

/** Does the work a slice at a time. What takes less than one is done when this is awaited, without a pause. */
export async function inSlices<T>(work: Sliced<T>): Promise<T> {
  for (let end = performance.now() + SLICE_MS; ; ) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() < end) continue
    await nextTurn()
    end = performance.now() + SLICE_MS
  }
}

/** For work that pauses by itself: lets the event loop go round where a slice is over. */
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

/** Does the work without a pause, for what is known to be short. */
export function atOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Hands a list on in parts, with a pause behind each. */
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
 * Resolves when the event loop has been round once more. Only one of those who wait goes on each time, so that ten long
 * requests hold it no longer than one does.
 */
export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (waiting.push(resolve) === 1) setImmediate(letOneGoOn)
  return promise
}

function letOneGoOn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(letOneGoOn)
}

const RUN = 1024

/** A sorted copy; like toSorted it keeps the order of equals. */
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

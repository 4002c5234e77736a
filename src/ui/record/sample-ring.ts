// A ring buffer of the latest samples, so that the first word before the button press is complete.

export type SampleRing = {
  push(samples: Int16Array): void
  /** returns its contents, oldest first, and empties it */
  take(): Int16Array[]
}

/** @param most samples to hold, plus at most one batch */
export function createSampleRing(most: number): SampleRing {
  let batches: Int16Array[] = []
  let held = 0
  return {
    push(samples) {
      batches.push(samples)
      held += samples.length
      while (batches.length > 1 && held - batches[0]!.length >= most) held -= batches.shift()!.length
    },
    take() {
      const taken = batches
      batches = []
      held = 0
      return taken
    },
  }
}

// The samples of the last moment before somebody presses the button, so that no first word is cut off.
// Where they come from is microphone.ts's.

export type SampleRing = {
  push(samples: Int16Array): void
  /** what it holds, oldest first; it is empty afterwards */
  take(): Int16Array[]
}

/** @param most samples that it holds, and at most one batch more */
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

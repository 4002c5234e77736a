// Limits how often the current speech is previewed, by how much audio arrives during one preview.

import { SAMPLE_RATE } from '../engine/engine.ts'

/** Time is measured in arrived samples, so that clients that send faster than real time are treated alike. */
export type PreviewThrottle = {
  /** false for a while after a preview that was too slow */
  mayPreview(arrived: number): boolean
  /** samples that must be new before the next preview */
  minNewSamples(): number
  /** records how much had arrived when a preview began and when it ended */
  record(preview: { fromArrived: number; toArrived: number }): 'fast enough' | 'too slow'
}

/** Two previews must agree on a word: a longer interval confirms words late, a shorter one keeps the engine always busy. */
const MIN_NEW = 0.5 * SAMPLE_RATE
/** Leaves engine time for other clients and for the transcription of utterances. */
const NEW_PER_ARRIVED = 1.25
/** Later words do not help the speaker. */
const TOO_SLOW = 1.5 * SAMPLE_RATE
/** Pause before the next try: other load on the machine may be over by then. */
const RETRY_AFTER = 30 * SAMPLE_RATE

export function createPreviewThrottle(): PreviewThrottle {
  let arrivedDuringPreview = 0
  let resumesAt = 0
  return {
    mayPreview: (arrived) => arrived >= resumesAt,
    minNewSamples: () => Math.max(MIN_NEW, arrivedDuringPreview * NEW_PER_ARRIVED),
    record({ fromArrived, toArrived }) {
      arrivedDuringPreview = toArrived - fromArrived
      if (arrivedDuringPreview < TOO_SLOW) return 'fast enough'
      arrivedDuringPreview = 0
      resumesAt = toArrived + RETRY_AFTER
      return 'too slow'
    },
  }
}

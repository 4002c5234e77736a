// Limits how often the current speech is previewed, by how much audio arrives during one preview.

import { SAMPLE_RATE } from '../engine/engine.ts'

/** Time is measured in arrived samples, so that clients that send faster than real time are treated alike. */
export type LivePace = {
  /** false for a while after a preview that was too slow */
  mayHear(arrived: number): boolean
  /** samples that must be new before the next preview */
  leastNew(): number
  /** records how much had arrived when a preview began and when it ended */
  note(hearing: { fromArrived: number; toArrived: number }): 'soon enough' | 'too slow'
}

/** Two previews must agree on a word: a longer interval confirms words late, a shorter one keeps the engine always busy. */
const LEAST_NEW = 0.5 * SAMPLE_RATE
/** Leaves engine time for other clients and for the transcription of utterances. */
const NEW_PER_ARRIVED = 1.25
/** Later words do not help the speaker. */
const TOO_SLOW = 1.5 * SAMPLE_RATE
/** Pause before the next try: other load on the machine may be over by then. */
const PATIENCE = 30 * SAMPLE_RATE

export function createLivePace(): LivePace {
  let arrivedMeanwhile = 0
  let resumesAt = 0
  return {
    mayHear: (arrived) => arrived >= resumesAt,
    leastNew: () => Math.max(LEAST_NEW, arrivedMeanwhile * NEW_PER_ARRIVED),
    note({ fromArrived, toArrived }) {
      arrivedMeanwhile = toArrived - fromArrived
      if (arrivedMeanwhile < TOO_SLOW) return 'soon enough'
      arrivedMeanwhile = 0
      resumesAt = toArrived + PATIENCE
      return 'too slow'
    },
  }
}

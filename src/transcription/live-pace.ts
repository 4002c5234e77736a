// How often somebody who speaks is heard before he is done, by how much he says meanwhile.
// Hears nothing; what is heard is live-preview.ts's.

import { SAMPLE_RATE } from '../engine/engine.ts'

/** Samples that have arrived. Time is told by them: a client that sends faster than anybody speaks is as far ahead as it is. */
export type LivePace = {
  /** false for a while after a hearing that was too slow */
  mayHear(arrived: number): boolean
  /** samples that must be new before it is worth it */
  leastNew(): number
  /** how much had arrived when a hearing began, and when it ended */
  note(hearing: { fromArrived: number; toArrived: number }): 'soon enough' | 'too slow'
}

/** Two hearings must agree on a word: less often, and it is confirmed late; more often, and the engine is never at rest. */
const LEAST_NEW = 0.5 * SAMPLE_RATE
/** The rest is for others, and for what is written of an utterance. */
const NEW_PER_ARRIVED = 1.25
/** Words that come later are of no use to who speaks. */
const TOO_SLOW = 1.5 * SAMPLE_RATE
/** Then it is tried again: whatever else the machine did may be over. */
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

// Tries a piece at rising temperatures until an attempt may stand.
// How one attempt is made is attempt.ts and beam-search.ts.

import { type Attempt, type Candidate, drawSequences, type Listening } from './attempt.ts'
import { searchBeams } from './beam-search.ts'
import type { Prompt } from './prompt.ts'
import { isFailed, isSilence, mayStand, meanLogprob, NO_SPEECH_THRESHOLD } from './score.ts'

export type Strategy = {
  strategy: 'greedy' | 'beam'
  /** how many beams; 0 means nothing to greedy */
  beams: number
  /** how many are drawn side by side at temperatures above 0 */
  bestOf: number
  temperatures: readonly number[]
  /** 0 to 1: above it, what is improbable as text is silence */
  noSpeechThreshold: number
}

export const DEFAULT_STRATEGY: Strategy = {
  strategy: 'greedy',
  beams: 5,
  bestOf: 5,
  temperatures: [0, 0.2, 0.4, 0.6, 0.8, 1],
  noSpeechThreshold: NO_SPEECH_THRESHOLD,
}

export type Decoded = Candidate &
  Omit<Attempt, 'candidates'> & {
    /** false where the last temperature was no better: what is there is the best that was found */
    stands: boolean
    silent: boolean
  }

/** What is above has so little to do with what was said before that it would only lead astray. */
const LAST_TEMPERATURE_WITH_PREVIOUS = 0.5

const bestOf = ({ candidates }: Attempt): Candidate => {
  const whole = candidates.filter(({ sequence }) => !isFailed(sequence))
  const eligible = whole.length > 0 ? whole : candidates
  return eligible.reduce((best, candidate) =>
    meanLogprob(candidate.sequence) > meanLogprob(best.sequence) ? candidate : best,
  )
}

const decodedOf = (attempt: Attempt, noSpeechThreshold: number): Decoded => {
  const { sequence, slot } = bestOf(attempt)
  const { temperature, noSpeechProbability, prompt } = attempt
  return {
    sequence,
    slot,
    temperature,
    noSpeechProbability,
    prompt,
    stands: mayStand(sequence, noSpeechProbability, noSpeechThreshold),
    silent: isSilence(sequence, noSpeechProbability, noSpeechThreshold),
  }
}

export type FallbackOptions = {
  strategy: Strategy
  /** with what was said before, and without it */
  promptWith(previous: 'previous' | 'nothing'): Prompt
  onReach?: ((frames: number) => void) | undefined
}

/** @throws the reason of an abort */
export const decodePiece = async (
  listening: Listening,
  { strategy, promptWith, onReach }: FallbackOptions,
): Promise<Decoded> => {
  let decoded: Decoded | null = null
  for (const temperature of strategy.temperatures) {
    const prompt = promptWith(temperature < LAST_TEMPERATURE_WITH_PREVIOUS ? 'previous' : 'nothing')
    const attempt =
      temperature === 0 && strategy.strategy === 'beam'
        ? await searchBeams(listening, prompt, { beams: strategy.beams, onReach })
        : await drawSequences(listening, prompt, { temperature, count: strategy.bestOf, onReach })
    decoded = decodedOf(attempt, strategy.noSpeechThreshold)
    if (decoded.stands) break
  }
  if (!decoded) throw new RangeError('no temperature to decode at')
  return decoded
}

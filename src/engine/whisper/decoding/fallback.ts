// Tries a piece at rising temperatures until an attempt may stand.
// How one attempt is made is attempt.ts and beam-search.ts.

import { type DecodingAttempt, type DecodingContext, drawSequences, type Hypothesis } from './attempt.ts'
import { searchBeams } from './beam-search.ts'
import type { Prompt } from './prompt.ts'
import { isFailed, isSilence, mayStand, meanLogprob, meanTextLogprob, NO_SPEECH_THRESHOLD } from './score.ts'
import { reachesEnd } from './sequence.ts'

export type Strategy = {
  /** with 'beam where unsure' the greedy sequence stands where it is sure, where all beams fail, or where it alone reaches the end */
  strategy: 'greedy' | 'beam where unsure' | 'beam'
  /** how many beams; means nothing to greedy */
  beams: number
  /** how many are drawn side by side at temperatures above 0 */
  bestOf: number
  temperatures: readonly number[]
  /** 0 to 1: above it, what is improbable as text is silence */
  noSpeechThreshold: number
  /** A trimmed window that is not to be believed is heard again through the full one; false: it stays as it was heard. */
  hearsAgain: boolean
}

export const DEFAULT_STRATEGY: Strategy = {
  strategy: 'greedy',
  beams: 5,
  bestOf: 5,
  temperatures: [0, 0.2, 0.4, 0.6, 0.8, 1],
  noSpeechThreshold: NO_SPEECH_THRESHOLD,
  hearsAgain: true,
}

export type Decoded = Hypothesis &
  Omit<DecodingAttempt, 'candidates'> & {
    /** false where the last temperature was no better: what is there is the best that was found */
    stands: boolean
    silent: boolean
  }

/** What is above has so little to do with what was said before that it would only lead astray. */
const LAST_TEMPERATURE_WITH_PREVIOUS = 0.5

const bestOf = ({ candidates }: DecodingAttempt): Hypothesis => {
  const whole = candidates.filter(({ sequence }) => !isFailed(sequence))
  const eligible = whole.length > 0 ? whole : candidates
  return eligible.reduce((best, candidate) =>
    meanLogprob(candidate.sequence) > meanLogprob(best.sequence) ? candidate : best,
  )
}

const decodedOf = (attempt: DecodingAttempt, noSpeechThreshold: number): Decoded => {
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

/**
 * Mean log-probability of the text above which a greedy sequence is sure. Of 1,534 words in 18 languages base has 386
 * wrong greedily, 297 with beams below this and 306 with beams always; native whisper.cpp with its five beams 301.
 * Were the greedy sequence one of those to choose from, it would be 334: the mean prefers the shorter of two texts.
 */
const LEAST_SURE_LOGPROB = -0.2

/** @throws the reason of an abort */
const attemptAtZero = async (
  context: DecodingContext,
  prompt: Prompt,
  { strategy, onReach }: Pick<FallbackOptions, 'strategy' | 'onReach'>,
): Promise<DecodingAttempt> => {
  const { beams, noSpeechThreshold } = strategy
  const search = () => searchBeams(context, prompt, { beams, onReach })
  if (strategy.strategy === 'beam') return await search()
  const greedy = await drawSequences(context, prompt, { temperature: 0, count: 1, onReach })
  if (strategy.strategy === 'greedy') return greedy
  const { sequence, silent } = decodedOf(greedy, noSpeechThreshold)
  if (silent || meanTextLogprob(sequence, context.piece.tokens) >= LEAST_SURE_LOGPROB) return greedy
  const searched = await search()
  const best = bestOf(searched).sequence
  // What they leave has to be heard by itself, most often through the full window: four times the work, for as many words wrong.
  const isShorter = reachesEnd(sequence, context.piece) && !reachesEnd(best, context.piece)
  if (!isFailed(best) && !isShorter) return searched
  // The decoder no longer holds it.
  return { ...greedy, candidates: [{ sequence, slot: null }] }
}

export type FallbackOptions = {
  strategy: Strategy
  /** with what was said before, and without it */
  promptWith(previous: 'previous' | 'nothing'): Prompt
  onReach?: ((frames: number) => void) | undefined
}

/** @throws the reason of an abort */
export const decodePiece = async (
  context: DecodingContext,
  { strategy, promptWith, onReach }: FallbackOptions,
): Promise<Decoded> => {
  let decoded: Decoded | null = null
  for (const temperature of strategy.temperatures) {
    const prompt = promptWith(temperature < LAST_TEMPERATURE_WITH_PREVIOUS ? 'previous' : 'nothing')
    const attempt =
      temperature === 0
        ? await attemptAtZero(context, prompt, { strategy, onReach })
        : await drawSequences(context, prompt, { temperature, count: strategy.bestOf, onReach })
    decoded = decodedOf(attempt, strategy.noSpeechThreshold)
    if (decoded.stands) break
  }
  if (!decoded) throw new RangeError('no temperature to decode at')
  return decoded
}

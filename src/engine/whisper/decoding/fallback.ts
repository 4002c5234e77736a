// Decodes a piece at rising temperatures until a result is acceptable.

import { searchBeams } from './beam-search.ts'
import type { Prompt } from './prompt.ts'
import { type DecodingAttempt, type DecodingContext, type Hypothesis, sampleSequences } from './sample.ts'
import {
  isAcceptable,
  isFailed,
  isSilence,
  meanLogprob,
  meanTextLogprob,
  NO_SPEECH_THRESHOLD,
  reachesEnd,
} from './sequence.ts'

export type Strategy = {
  /** 'beam where unsure' keeps the greedy sequence if it is sure, if all beams fail, or if only it reaches the end */
  strategy: 'greedy' | 'beam where unsure' | 'beam'
  /** the number of beams; unused by 'greedy' */
  beams: number
  /** samples side by side at temperatures above 0 */
  bestOf: number
  temperatures: readonly number[]
  /** 0 to 1: with a higher no-speech probability, an improbable text counts as silence */
  noSpeechThreshold: number
  /** decode again with the full window if the result of a trimmed one is implausible; false: keep that result */
  retriesInFull: boolean
}

export const DEFAULT_STRATEGY: Strategy = {
  strategy: 'greedy',
  beams: 5,
  bestOf: 5,
  temperatures: [0, 0.2, 0.4, 0.6, 0.8, 1],
  noSpeechThreshold: NO_SPEECH_THRESHOLD,
  retriesInFull: true,
}

export type Decoded = Hypothesis &
  Omit<DecodingAttempt, 'candidates'> & {
    /** false if even the last temperature gave no acceptable result */
    accepted: boolean
    silent: boolean
  }

/** At higher temperatures the previous text is unrelated to the result and only misleads the model. */
const LAST_TEMPERATURE_WITH_PREVIOUS = 0.5

const bestOf = ({ candidates }: DecodingAttempt): Hypothesis => {
  const whole = candidates.filter(({ sequence }) => !isFailed(sequence))
  const eligible = whole.length > 0 ? whole : candidates
  return eligible.reduce((best, candidate) =>
    meanLogprob(candidate.sequence) > meanLogprob(best.sequence) ? candidate : best,
  )
}

const decodedOf = (attempt: DecodingAttempt, noSpeechThreshold: number): Decoded => {
  const { sequence, sequenceId } = bestOf(attempt)
  const { temperature, noSpeechProbability, prompt } = attempt
  return {
    sequence,
    sequenceId,
    temperature,
    noSpeechProbability,
    prompt,
    accepted: isAcceptable(sequence, noSpeechProbability, noSpeechThreshold),
    silent: isSilence(sequence, noSpeechProbability, noSpeechThreshold),
  }
}

/**
 * A greedy sequence is sure above this mean log-probability of its text. Of 1,534 words in 18 languages, base gets 386
 * wrong with greedy decoding, 297 with beams below this threshold and 306 with beams always; native whisper.cpp with five
 * beams gets 301 wrong. With the greedy sequence as a further candidate it would be 334: the mean prefers the shorter text.
 */
const MIN_SURE_LOGPROB = -0.2

/** @throws the signal's reason when aborted */
const attemptAtZero = async (
  context: DecodingContext,
  prompt: Prompt,
  { strategy, onReach }: Pick<FallbackOptions, 'strategy' | 'onReach'>,
): Promise<DecodingAttempt> => {
  const { beams, noSpeechThreshold } = strategy
  const search = () => searchBeams(context, prompt, { beams, onReach })
  if (strategy.strategy === 'beam') return await search()
  const greedy = await sampleSequences(context, prompt, { temperature: 0, count: 1, onReach })
  if (strategy.strategy === 'greedy') return greedy
  const { sequence, silent } = decodedOf(greedy, noSpeechThreshold)
  if (silent || meanTextLogprob(sequence, context.piece.tokens) >= MIN_SURE_LOGPROB) return greedy
  const searched = await search()
  const best = bestOf(searched).sequence
  // A shorter result leaves a rest that mostly needs the full window: four times the work, for as many wrong words.
  const isShorter = reachesEnd(sequence, context.piece) && !reachesEnd(best, context.piece)
  if (!isFailed(best) && !isShorter) return searched
  // The beams have overwritten its sequence.
  return { ...greedy, candidates: [{ sequence, sequenceId: null }] }
}

export type FallbackOptions = {
  strategy: Strategy
  /** with the previous text, and without it */
  promptWith(previous: 'previous' | 'nothing'): Prompt
  onReach?: ((frames: number) => void) | undefined
}

/** @throws the signal's reason when aborted */
export const decodeWithFallback = async (
  context: DecodingContext,
  { strategy, promptWith, onReach }: FallbackOptions,
): Promise<Decoded> => {
  let decoded: Decoded | null = null
  for (const temperature of strategy.temperatures) {
    const prompt = promptWith(temperature < LAST_TEMPERATURE_WITH_PREVIOUS ? 'previous' : 'nothing')
    const attempt =
      temperature === 0
        ? await attemptAtZero(context, prompt, { strategy, onReach })
        : await sampleSequences(context, prompt, { temperature, count: strategy.bestOf, onReach })
    decoded = decodedOf(attempt, strategy.noSpeechThreshold)
    if (decoded.accepted) break
  }
  if (!decoded) throw new RangeError('no temperature to decode at')
  return decoded
}

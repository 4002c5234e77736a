// Scores a finished sequence: mean log-probability, entropy, acceptable or not.

import type { ChosenToken } from './distribution.ts'
import type { Sequence } from './sequence.ts'
import { isText, type SpecialTokens } from './special-tokens.ts'

/** The last tokens, whose entropy reveals a repetition loop. */
const ENTROPY_TOKENS = 32
const LEAST_ENTROPY = 2.4
const LEAST_LOGPROB = -1
/** The default of OpenAI and whisper.cpp. */
export const NO_SPEECH_THRESHOLD = 0.6

const counted = ({ tokens, resultLength }: Sequence) => tokens.slice(0, resultLength)

const mean = (tokens: readonly ChosenToken[]) =>
  tokens.length === 0
    ? Number.NEGATIVE_INFINITY
    : tokens.reduce((sum, { logprob }) => sum + logprob, 0) / tokens.length

/** Per counted token; −∞ if there is none. */
export const meanLogprob = (sequence: Sequence) => mean(counted(sequence))

/** Without timestamps, of which a model is less sure than of words. */
export const meanTextLogprob = (sequence: Sequence, tokens: SpecialTokens) =>
  mean(counted(sequence).filter(({ id }) => isText(tokens, id)))

/** The entropy of the last ids' distribution, in nats. */
export const entropyOf = (sequence: Sequence) => {
  const ids = counted(sequence)
    .slice(-ENTROPY_TOKENS)
    .map(({ id }) => id)
  const counts = new Map<number, number>()
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => {
    const share = count / ids.length
    return sum - share * Math.log(share)
  }, 0)
}

const isRepetitionLoop = (sequence: Sequence) =>
  sequence.resultLength > ENTROPY_TOKENS && entropyOf(sequence) < LEAST_ENTROPY

export const isFailed = (sequence: Sequence) => sequence.state === 'failed' || isRepetitionLoop(sequence)

/** Accepts an improbable text without speech: no temperature finds a better one. */
export const isAcceptable = (
  sequence: Sequence,
  noSpeechProbability: number,
  noSpeechThreshold = NO_SPEECH_THRESHOLD,
) =>
  !isFailed(sequence) && (meanLogprob(sequence) >= LEAST_LOGPROB || noSpeechProbability >= noSpeechThreshold)

export const isSilence = (
  sequence: Sequence,
  noSpeechProbability: number,
  noSpeechThreshold = NO_SPEECH_THRESHOLD,
) => noSpeechProbability > noSpeechThreshold && meanLogprob(sequence) < LEAST_LOGPROB

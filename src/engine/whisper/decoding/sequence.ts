// A token sequence while it is decoded: its tokens, how far they reach, whether it is complete or has failed, its score.

import type { ChosenToken } from './distribution.ts'
import { isText, type SpecialTokens } from './tokenizer.ts'

/** Times in this folder are frames of the mel spectrogram, as in whisper.cpp. */
export const FRAMES_PER_SECOND = 100
export const SAMPLES_PER_FRAME = 160
export const FRAMES_PER_TIMESTAMP = 2
/** 30 s */
export const PIECE_FRAMES = 3000

/** 1 s: a shorter rest is skipped, because the model hallucinates in it. whisper.cpp skips it, too. */
export const MIN_FRAMES = 100

export type Sequence = {
  state: 'open' | 'complete' | 'failed'
  tokens: readonly ChosenToken[]
  /** how many tokens count: those up to the last timestamp */
  resultLength: number
  /** the last timestamp, in frames from the beginning of the piece; 30 s until the first one */
  reach: number
  /** contains a timestamp other than 0.00 */
  timed: boolean
  sumLogprob: number
}

export const EMPTY_SEQUENCE: Sequence = {
  state: 'open',
  tokens: [],
  resultLength: 0,
  reach: PIECE_FRAMES,
  timed: false,
  sumLogprob: 0,
}

export type DecodingPiece = {
  tokens: SpecialTokens
  /** frames of audio from the beginning of the piece to the end of the samples */
  restFrames: number
  /** frames of the decoder's window, which limits the timestamps */
  windowFrames: number
  /** false for models without timestamps */
  timestamps: boolean
  /** a sequence of this length without progress is a repetition loop */
  maxTokens: number
}

export const reachesEnd = ({ reach }: Pick<Sequence, 'reach'>, { restFrames }: DecodingPiece) =>
  reach + MIN_FRAMES >= restFrames

const withTimestamp = (grown: Sequence, id: number, { tokens }: DecodingPiece): Sequence => {
  if (id <= tokens.firstTimestamp) return grown
  const reach = FRAMES_PER_TIMESTAMP * (id - tokens.firstTimestamp)
  const length = grown.tokens.length
  const goesBack = grown.timed && grown.reach > reach && grown.resultLength < length - 1
  return goesBack ? { ...grown, state: 'failed' } : { ...grown, reach, timed: true, resultLength: length }
}

const ended = (sequence: Sequence, piece: DecodingPiece): Sequence => {
  const length = sequence.tokens.length
  if (!piece.timestamps) return { ...sequence, state: 'complete', resultLength: length, reach: PIECE_FRAMES }
  if (sequence.resultLength > 0) return { ...sequence, state: 'complete' }
  if (reachesEnd(sequence, piece)) return { ...sequence, state: 'complete', resultLength: length }
  return { ...sequence, state: 'failed' }
}

/**
 * Appends a token, by whisper.cpp's rules. The sequence is complete at an end token, or when less than a second remains
 * after the last timestamp. It has failed if time goes back, if it ends without a timestamp before the end of the audio, or
 * if it becomes too long without progress.
 */
export const grow = (sequence: Sequence, token: ChosenToken, piece: DecodingPiece): Sequence => {
  const grown = withTimestamp(
    { ...sequence, tokens: [...sequence.tokens, token], sumLogprob: sequence.sumLogprob + token.logprob },
    token.id,
    piece,
  )
  if (grown.state !== 'open') return grown
  if (token.id === piece.tokens.end || (grown.timed && reachesEnd(grown, piece))) return ended(grown, piece)
  const isTooLong = grown.tokens.length >= piece.maxTokens
  const gotNowhere = grown.resultLength === 0 || grown.reach < PIECE_FRAMES / 2
  return isTooLong && gotNowhere ? { ...grown, state: 'failed' } : grown
}

export const isGrowing = ({ state, tokens }: Sequence, { maxTokens }: DecodingPiece) =>
  state === 'open' && tokens.length < maxTokens

/** The last tokens, whose entropy reveals a repetition loop. */
const ENTROPY_TOKENS = 32
const MIN_ENTROPY = 2.4
const MIN_LOGPROB = -1
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
  sequence.resultLength > ENTROPY_TOKENS && entropyOf(sequence) < MIN_ENTROPY

export const isFailed = (sequence: Sequence) => sequence.state === 'failed' || isRepetitionLoop(sequence)

/** Accepts an improbable text without speech: no temperature finds a better one. */
export const isAcceptable = (
  sequence: Sequence,
  noSpeechProbability: number,
  noSpeechThreshold = NO_SPEECH_THRESHOLD,
) => !isFailed(sequence) && (meanLogprob(sequence) >= MIN_LOGPROB || noSpeechProbability >= noSpeechThreshold)

export const isSilence = (
  sequence: Sequence,
  noSpeechProbability: number,
  noSpeechThreshold = NO_SPEECH_THRESHOLD,
) => noSpeechProbability > noSpeechThreshold && meanLogprob(sequence) < MIN_LOGPROB

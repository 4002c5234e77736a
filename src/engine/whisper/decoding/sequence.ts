// One attempt at a piece of audio as it grows: its tokens, how far they reach, whether it is done or has failed.
// Chooses no token; what a finished attempt is worth is score.ts.

import type { ChosenToken } from './distribution.ts'
import type { SpecialTokens } from './special-tokens.ts'

/** Times of this folder are frames of the mel spectrogram, as whisper.cpp counts them. */
export const FRAMES_PER_SECOND = 100
export const SAMPLES_PER_FRAME = 160
export const FRAMES_PER_TIMESTAMP = 2
/** 30 s */
export const PIECE_FRAMES = 3000

/** A rest shorter than a second is not heard: whisper.cpp takes it for nothing, and hears what nobody said in it. */
export const LEAST_FRAMES = 100

export type Sequence = {
  state: 'open' | 'complete' | 'failed'
  tokens: readonly ChosenToken[]
  /** how many of them count: up to the last timestamp */
  resultLength: number
  /** the last timestamp, in frames from the beginning of the piece; 30 s before there is one */
  reach: number
  /** a timestamp other than 0.00 has come */
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
  /** frames of the window that the decoder listens to: no timestamp may point past them */
  windowFrames: number
  /** false for models that write none */
  timestamps: boolean
  /** a sequence that gets so long without reaching anything turns in circles */
  maxTokens: number
}

export const reachesEnd = ({ reach }: Pick<Sequence, 'reach'>, { restFrames }: DecodingPiece) =>
  reach + LEAST_FRAMES >= restFrames

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
 * The sequence with one more token, by whisper.cpp's rules: it is complete with an end token or when the last
 * timestamp leaves less than a second; it has failed when time goes back, when it ends without having said when,
 * and when it becomes too long without having got anywhere.
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

// Adds times to the text of a decoded piece: segments with words, in milliseconds from the first sample.

import type { Segment } from '../../engine.ts'
import { segmentOf, type TimedToken } from '../../words.ts'
import type { WindowDecoder } from '../batch-scheduler.ts'
import { firstFrames } from './alignment.ts'
import type { Decoded } from './fallback.ts'
import { prefill } from './prefill.ts'
import { countedTokens, type TokenSpan } from './segments.ts'
import { FRAMES_PER_SECOND, FRAMES_PER_TIMESTAMP } from './sequence.ts'
import { TIMESTAMP_MS } from './special-tokens.ts'
import type { Tokenizer } from './tokenizer.ts'
import type { Yield } from './yield.ts'

const FRAME_MS = 1000 / FRAMES_PER_SECOND

/** Feeds the sequence to the decoder again if it no longer holds it. @returns the sequence id */
const sequenceIdOf = async (times: Reading, { sequenceId, sequence, prompt }: Decoded): Promise<number> => {
  if (sequenceId !== null) return sequenceId
  const written = sequence.tokens.slice(0, -1).map(({ id }) => id)
  const promptTokens = [...prompt.untilStart, ...prompt.task]
  times.decoder.reset(0)
  await prefill(times, [...promptTokens, ...written], promptTokens.length - 1)
  return 0
}

/**
 * The alignment of token i is that of the token before it, which predicts it; for the first it is the prompt's last token.
 * @returns for each counted token the encoder frame at which it begins, from the beginning of the piece, non-decreasing
 */
export const beginningsOf = async (decoded: Decoded, times: BeginningsOptions): Promise<number[]> => {
  const { untilStart, task } = decoded.prompt
  const sequenceId = await sequenceIdOf(times, decoded)
  const alignment = times.decoder.alignment(sequenceId, untilStart.length + task.length - 1)
  const rows = countedTokens(decoded).map((_, row) => row)
  return firstFrames(alignment, rows, Math.ceil(times.restFrames / FRAMES_PER_TIMESTAMP))
}

type Reading = { decoder: WindowDecoder; yieldNow: Yield }

type BeginningsOptions = Reading & {
  /** frames of audio from the beginning of the piece to the end of the samples */
  restFrames: number
}

export type TimesOptions = {
  tokenizer: Tokenizer
  /** from beginningsOf */
  beginnings: readonly number[]
  /** beginning of the piece, in frames from the first sample */
  fromFrame: number
  /** upper limit of all times */
  durationMs: number
  /** return the tokens of each word */
  tokens?: boolean | undefined
}

/** Clamps words to their segment: their own times are more exact, but segments must keep their order. */
export const segmentsOf = (
  { noSpeechProbability }: Pick<Decoded, 'noSpeechProbability'>,
  spans: readonly TokenSpan[],
  { tokenizer, beginnings, fromFrame, durationMs, tokens: withTokens = false }: TimesOptions,
): Segment[] => {
  const pieceMs = fromFrame * FRAME_MS
  const within = (ms: number, least: number, most: number) => Math.min(Math.max(ms, least), most)
  return spans.map(({ text, ...span }) => {
    const startMs = within(pieceMs + span.fromFrame * FRAME_MS, 0, durationMs)
    const endMs = within(pieceMs + span.toFrame * FRAME_MS, startMs, durationMs)
    const timeOf = (place: number) => {
      const frame = beginnings[place]
      return frame === undefined ? endMs : within(pieceMs + frame * TIMESTAMP_MS, startMs, endMs)
    }
    const tokens = text.map(
      ({ place, token }): TimedToken => ({
        bytes: tokenizer.bytesOf(token.id),
        startMs: timeOf(place),
        endMs: timeOf(place + 1),
        probability: Math.exp(token.logprob),
        ...(withTokens && { logprob: token.logprob }),
      }),
    )
    return { ...segmentOf(tokens, startMs, endMs), noSpeechProb: noSpeechProbability }
  })
}

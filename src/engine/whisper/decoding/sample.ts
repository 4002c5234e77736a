// Decodes a piece of audio once at one temperature: greedily, or with several samples side by side.

import type { WindowDecoder } from '../batch-scheduler.ts'
import type { Logits } from '../logits.ts'
import type { Yield } from '../yield.ts'
import {
  type Allowed,
  type ChosenToken,
  type Distribution,
  distributionOf,
  probabilityOf,
} from './distribution.ts'
import { type Prompt, prefill } from './prompt.ts'
import {
  type DecodingPiece,
  EMPTY_SEQUENCE,
  FRAMES_PER_TIMESTAMP,
  grow,
  isGrowing,
  type Sequence,
} from './sequence.ts'
import { isTimestamp } from './tokenizer.ts'

/** Marsaglia's 32-bit xorshift. @returns numbers from 0 to below 1 */
export const createRandom = (seed: number) => {
  // the state must not be 0, and close seeds must start differently
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/** 1 s, as OpenAI's max_initial_timestamp. Speech that begins later follows another text, or is missing. */
const MAX_FIRST_TIMESTAMP = 50

/** Timestamps come in pairs, except at the start and before the end, and never decrease. */
export const allowedNext = ({ tokens: chosen, timed, reach }: Sequence, piece: DecodingPiece): Allowed => {
  const { tokens, windowFrames } = piece
  const [beforeLast, last] = [chosen.at(-2), chosen.at(-1)]
  const isFirst = last === undefined
  const lastIsTime = last !== undefined && isTimestamp(tokens, last.id)
  const isPaired = lastIsTime && (beforeLast === undefined || isTimestamp(tokens, beforeLast.id))
  const from = tokens.firstTimestamp + (timed ? reach / FRAMES_PER_TIMESTAMP : 0)
  const latest = isFirst ? MAX_FIRST_TIMESTAMP : Number.POSITIVE_INFINITY
  const steps = Math.min(latest, Math.floor(windowFrames / FRAMES_PER_TIMESTAMP))
  const to = piece.timestamps && !isPaired ? tokens.firstTimestamp + steps + 1 : from
  return {
    text: !lastIsTime || isPaired,
    blank: !isFirst,
    timestamps: { from, to: Math.max(from, Math.min(to, tokens.vocabulary)) },
  }
}

/** The context of one piece that is already encoded. */
export type DecodingContext = { decoder: WindowDecoder; piece: DecodingPiece; yieldNow: Yield }

/** The sequence `sequenceId` of the decoder holds the prompt and the sequence without its last token; null if none does. */
export type Hypothesis = { sequence: Sequence; sequenceId: number | null }

export type DecodingAttempt = {
  temperature: number
  noSpeechProbability: number
  prompt: Prompt
  candidates: Hypothesis[]
}

/** Decodes the prompt into sequence 0. @returns the logits after it */
export const advancePrompt = async (context: DecodingContext, { untilStart, task }: Prompt) => {
  const { decoder, piece } = context
  decoder.reset(0)
  let logits = await prefill(context, untilStart)
  const noSpeechProbability = probabilityOf(logits, piece.tokens.noSpeech)
  if (task.length > 0) logits = (await decoder.advance([{ sequenceId: 0, tokens: task, aligned: true }]))[0]!
  return { logits, noSpeechProbability }
}

/** The distribution over the tokens that may follow a sequence. */
export const nextOf = (sequence: Sequence, logits: Logits, piece: DecodingPiece, temperature: number) =>
  distributionOf({ logits, allowed: allowedNext(sequence, piece), tokens: piece.tokens, temperature })

type Sample = { sequenceId: number; sequence: Sequence; choose: (next: Distribution) => ChosenToken }

const createSamples = (count: number, temperature: number): Sample[] =>
  Array.from({ length: count }, (_, sequenceId) => {
    const random = createRandom(sequenceId)
    const choose: Sample['choose'] = (next) => (temperature > 0 ? next.draw(random()) : next.best())
    return { sequenceId, sequence: EMPTY_SEQUENCE, choose }
  })

const advanceSamples = (decoder: WindowDecoder, samples: Sample[]) =>
  decoder.advance(
    samples.map(({ sequenceId, sequence }) => ({
      sequenceId,
      tokens: [sequence.tokens.at(-1)!.id],
      aligned: true,
    })),
  )

export type SampleOptions = {
  temperature: number
  /** samples side by side; always one at temperature 0 */
  count: number
  /** called after each token with the frames decoded since the beginning of the piece */
  onReach?: ((frames: number) => void) | undefined
}

/** @throws the signal's reason when aborted */
export const sampleSequences = async (
  context: DecodingContext,
  prompt: Prompt,
  { temperature, count, onReach }: SampleOptions,
): Promise<DecodingAttempt> => {
  const { decoder, piece, yieldNow } = context
  const { logits, noSpeechProbability } = await advancePrompt(context, prompt)
  const samples = createSamples(temperature > 0 ? Math.min(count, decoder.maxSequences) : 1, temperature)
  for (const { sequenceId } of samples) if (sequenceId > 0) decoder.copy(0, sequenceId)
  let growing = samples
  let logitsOf = samples.map(() => logits)
  while (growing.length > 0) {
    await yieldNow()
    for (const [i, sample] of growing.entries()) {
      const token = sample.choose(nextOf(sample.sequence, logitsOf[i]!, piece, temperature))
      sample.sequence = grow(sample.sequence, token, piece)
      if (sample.sequence.timed) onReach?.(sample.sequence.reach)
    }
    growing = growing.filter(({ sequence }) => isGrowing(sequence, piece))
    if (growing.length > 0) logitsOf = await advanceSamples(decoder, growing)
  }
  return { temperature, noSpeechProbability, prompt, candidates: samples }
}

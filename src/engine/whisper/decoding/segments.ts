// Splits the tokens of a decoded piece into segments at their timestamps, and checks a result of a trimmed window.

import type { WhisperShape } from '../../whisper-tensors.ts'
import type { ChosenToken } from './distribution.ts'
import type { Decoded } from './fallback.ts'
import { entropyOf, FRAMES_PER_TIMESTAMP, meanLogprob } from './sequence.ts'
import { isText, isTimestamp, type SpecialTokens } from './tokenizer.ts'

/** Text tokens with their positions in the sequence. Frames count from the beginning of the piece. */
export type TokenSpan = { text: { place: number; token: ChosenToken }[]; fromFrame: number; toFrame: number }

/** The tokens up to the last timestamp; all of them if there is none, so that no text is lost. */
export const countedTokens = ({ sequence: { tokens, resultLength } }: Decoded) =>
  resultLength > 0 ? tokens.slice(0, resultLength) : tokens

/** A timestamp ends the text before it and starts the one after it; in a run of timestamps the last one starts it. */
export const tokenSpans = (decoded: Decoded, tokens: SpecialTokens): TokenSpan[] => {
  if (decoded.silent) return []
  const counted = countedTokens(decoded)
  const frameOf = (id: number) => FRAMES_PER_TIMESTAMP * (id - tokens.firstTimestamp)
  const spans: TokenSpan[] = []
  let open: TokenSpan = {
    text: [],
    fromFrame: frameOf(counted[0]?.timestamp ?? tokens.firstTimestamp),
    toFrame: 0,
  }
  for (const [place, token] of counted.entries()) {
    if (isText(tokens, token.id)) open.text.push({ place, token })
    // the timestamp 0.00 ends no text
    if (token.id <= tokens.firstTimestamp) continue
    const frame = frameOf(token.id)
    if (open.text.length > 0) spans.push({ ...open, toFrame: frame })
    open = { text: [], fromFrame: frame, toFrame: frame }
  }
  if (open.text.length > 0) spans.push({ ...open, toFrame: Math.max(open.fromFrame, decoded.sequence.reach) })
  return spans
}

type Size = Pick<WhisperShape, 'audioLayers' | 'audioWidth' | 'audioFrames'>

/** tiny, base and small; larger models fail (large-v3-turbo: from 15 to 63 % of words wrong). */
const TRIMMABLE = [
  { audioLayers: 4, audioWidth: 384 },
  { audioLayers: 6, audioWidth: 512 },
  { audioLayers: 12, audioWidth: 768 },
]

const MAX_SECONDS = 20
/** Shorter windows cause endless repetitions. */
const MIN_WINDOW_FRAMES = 512
const ENCODER_FRAMES_PER_SECOND = 50
const MARGIN_FRAMES = 128
const STEP_FRAMES = 64

/** @returns frames of the encoder (20 ms), or null if the full window is needed */
export const trimmedFrames = (shape: Size, seconds: number): number | null => {
  const { audioLayers, audioWidth } = shape
  const isTrimmable = TRIMMABLE.some(
    (size) => size.audioLayers === audioLayers && size.audioWidth === audioWidth,
  )
  if (!isTrimmable || seconds > MAX_SECONDS) return null
  const wanted = Math.max(MIN_WINDOW_FRAMES, seconds * ENCODER_FRAMES_PER_SECOND + MARGIN_FRAMES)
  const frames = Math.ceil(wanted / STEP_FRAMES) * STEP_FRAMES
  return frames < shape.audioFrames ? frames : null
}

export type TrimFault =
  | 'too much text'
  | 'repetition'
  | 'low entropy'
  | 'improbable'
  | 'no end'
  | 'no time at the end'

/** Faster than anyone speaks. */
const TOKENS_PER_SECOND = 8
const TOKENS_FREE = 16

const LONGEST_PHRASE = 24
const MIN_TIMES = 3
const MIN_REPEATED = 6

/** The entropy that whisper.cpp requires of 32 tokens, as a share of the maximum. */
const MIN_RELATIVE_ENTROPY = 2.4 / Math.log(32)
/** Shorter texts are too short for an entropy check. */
const MIN_TOKENS = 12
/**
 * Of 33 short clips, tiny.en decoded 7 with less; these contain most of the words that differ from the full window's.
 * Rejecting them leaves 2 such words of 300 instead of 8.
 */
const MIN_LOGPROB = -0.55

const timesRepeated = (ids: readonly number[], from: number, period: number) => {
  let same = 0
  while (from + period + same < ids.length && ids[from + period + same] === ids[from + same]) same += 1
  return 1 + Math.floor(same / period)
}

const isRepetitive = (ids: readonly number[]) =>
  ids.some((_, from) => {
    for (let period = 1; period <= Math.min(LONGEST_PHRASE, ids.length / MIN_TIMES); period += 1) {
      const times = timesRepeated(ids, from, period)
      if (times >= MIN_TIMES && times * period >= MIN_REPEATED) return true
    }
    return false
  })

/** With a previous text the model writes fewer timestamps, with the full window as well. */
const hasNoPreviousText = ({ prompt }: Decoded) => prompt.untilStart.length === 1

/** @returns the first reason to reject the result of a trimmed window, or null */
export const trimFault = (decoded: Decoded, seconds: number, tokens: SpecialTokens): TrimFault | null => {
  const { sequence } = decoded
  const ids = countedTokens(decoded).map(({ id }) => id)
  const text = ids.filter((id) => isText(tokens, id))
  const lastButEnd = ids.findLast((id) => id !== tokens.end)
  const endsWithTime = lastButEnd !== undefined && isTimestamp(tokens, lastButEnd)
  const maxEntropy = Math.log(Math.min(ids.length, 32))
  if (text.length > seconds * TOKENS_PER_SECOND + TOKENS_FREE) return 'too much text'
  if (isRepetitive(text)) return 'repetition'
  if (text.length >= MIN_TOKENS && entropyOf(sequence) < MIN_RELATIVE_ENTROPY * maxEntropy)
    return 'low entropy'
  if (sequence.state !== 'complete') return 'no end'
  if (!endsWithTime && hasNoPreviousText(decoded)) return 'no time at the end'
  // an improbable text may also be silence, which the full window detects more reliably
  return meanLogprob(sequence) >= MIN_LOGPROB ? null : 'improbable'
}

// Whisper's timestamp rules: which tokens may follow a sequence. Non-speech tokens stay allowed, as in whisper.cpp, because a
// caption such as [Music] would otherwise appear as words. text/sound-captions.ts removes captions.

import type { Allowed } from './distribution.ts'
import { type DecodingPiece, FRAMES_PER_TIMESTAMP, type Sequence } from './sequence.ts'
import { isTimestamp } from './special-tokens.ts'

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

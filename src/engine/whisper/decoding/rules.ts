// Which tokens may come next in a sequence: Whisper's rules for timestamps, and no blank at the start.
// Knows no probabilities; marks that are no text never come (distribution.ts). Signs that nobody speaks may come, as in
// whisper.cpp, or a caption such as [Music] would come as words; captions are cut out of the text (text/sound-captions.ts).

import type { Allowed } from './distribution.ts'
import { type DecodingPiece, FRAMES_PER_TIMESTAMP, type Sequence } from './sequence.ts'
import { isTimestamp } from './special-tokens.ts'

/** Speech that begins later than a second gets a text before it, or none at all. */
const MAX_FIRST_TIMESTAMP = 50

/** Timestamps come in pairs, except at the start and before the end, and never go back. */
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

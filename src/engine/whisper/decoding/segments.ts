// Splits the tokens of a decoded piece into segments at their timestamps.

import type { ChosenToken } from './distribution.ts'
import type { Decoded } from './fallback.ts'
import { FRAMES_PER_TIMESTAMP } from './sequence.ts'
import { isText, type SpecialTokens } from './special-tokens.ts'

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

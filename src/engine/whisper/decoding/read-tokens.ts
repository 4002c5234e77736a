// Has the decoder read many tokens one after another, with pauses: a long prompt takes a large model many seconds.
// Which tokens they are is the caller's.

import type { Decoder } from '../decoder.ts'
import type { Breath } from './breath.ts'

/** Enough that each weight is fetched for many tokens; large-v3 takes a second for them on one core. */
const MOST_AT_ONCE = 16

/**
 * Appends at least one token to the sequence of slot 0.
 * @returns the logits after the last; a view that is valid until the decoder's next call
 */
export const readTokens = async (
  { decoder, breathe }: { decoder: Decoder; breathe: Breath },
  tokens: readonly number[],
): Promise<Float32Array> => {
  let first = 0
  for (; first + MOST_AT_ONCE < tokens.length; first += MOST_AT_ONCE) {
    await breathe()
    decoder.read({ slot: 0, tokens: tokens.slice(first, first + MOST_AT_ONCE) })
  }
  await breathe()
  return decoder.advance([{ slot: 0, tokens: tokens.slice(first) }])[0]!
}

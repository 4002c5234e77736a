// Feeds many tokens to the decoder in batches, yielding in between: a long prompt takes a large model many seconds.

import type { WindowDecoder } from '../batch-scheduler.ts'
import type { Logits } from '../logits.ts'
import type { Yield } from './yield.ts'

/** Large enough to reuse each loaded weight; large-v3 takes a second for such a batch on one core. */
const MOST_AT_ONCE = 16

/**
 * Appends at least one token to sequence 0.
 * @param alignedFrom the first token whose alignment is needed afterwards. @default the last
 * @returns the logits after the last; a view that is valid until the decoder's next call
 */
export const prefill = async (
  { decoder, yieldNow }: { decoder: WindowDecoder; yieldNow: Yield },
  tokens: readonly number[],
  alignedFrom = tokens.length - 1,
): Promise<Logits> => {
  const step = (from: number, to: number) => ({
    sequenceId: 0,
    tokens: tokens.slice(from, to),
    aligned: to > alignedFrom,
  })
  let first = 0
  for (; first + MOST_AT_ONCE < tokens.length; first += MOST_AT_ONCE) {
    await yieldNow()
    await decoder.advance([{ ...step(first, first + MOST_AT_ONCE), asks: false }])
  }
  await yieldNow()
  return (await decoder.advance([step(first, tokens.length)]))[0]!
}

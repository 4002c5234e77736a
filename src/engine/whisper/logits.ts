// The logits of a token as the kernels return them: with the maximum and the sum of exponentials of each block, so that the
// sampler inspects few logits individually.

import { LOGITS_IN_BLOCK } from '../../../wasm/whisper/interface.ts'

export type Logits = {
  /** [vocabulary] */
  values: Float32Array
  /** [blocks]: the largest logit, without NaN */
  maxima: Float32Array
  /** [blocks]: the sum of e^(logit − largest) */
  sums: Float32Array
}

/** Token ids, `to` excluded. */
export type Range = { from: number; to: number }

export const rangeOfBlock = (block: number, vocabulary: number): Range => ({
  from: block * LOGITS_IN_BLOCK,
  to: Math.min(vocabulary, (block + 1) * LOGITS_IN_BLOCK),
})

/** The whole blocks of a range (`last` excluded), and the ids of the range before and after them. */
export const blocksOf = ({ from, to }: Range, vocabulary: number) => {
  const first = Math.ceil(from / LOGITS_IN_BLOCK)
  const end = to === vocabulary ? Math.ceil(to / LOGITS_IN_BLOCK) : Math.floor(to / LOGITS_IN_BLOCK)
  const last = Math.max(first, end)
  return {
    before: { from, to: Math.min(to, first * LOGITS_IN_BLOCK) },
    first,
    last,
    after: { from: last * LOGITS_IN_BLOCK, to },
  }
}

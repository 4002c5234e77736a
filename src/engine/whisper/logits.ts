// The logits of a token as the kernels leave them: all of them, and of each block the largest and the sum of powers, so
// that whoever chooses looks at few of them one by one.
// Chooses nothing; that is decoding/distribution.ts.

import { LOGITS_IN_BLOCK } from '../../../wasm/whisper/interface.ts'

export type Logits = {
  /** [vocabulary] */
  values: Float32Array
  /** [blocks]: the largest that is a number */
  maxima: Float32Array
  /** [blocks]: of e to the power of each less the largest */
  sums: Float32Array
}

/** Of the vocabulary, `to` excluded. */
export type Range = { from: number; to: number }

export const rangeOfBlock = (block: number, vocabulary: number): Range => ({
  from: block * LOGITS_IN_BLOCK,
  to: Math.min(vocabulary, (block + 1) * LOGITS_IN_BLOCK),
})

/** The whole blocks in a range, the last of them excluded, and what of it lies before and after them. */
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

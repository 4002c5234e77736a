// Computes the block maxima and sums of the logits kernel in plain JavaScript.

import { blocksOf, type Logits, rangeOfBlock } from '../../../src/engine/whisper/logits.ts'

export const summedLogits = (values: Float32Array): Logits => {
  const { last } = blocksOf({ from: 0, to: values.length }, values.length)
  const blocks = Array.from({ length: last }, (_, block) => {
    const { from, to } = rangeOfBlock(block, values.length)
    const numbers = [...values.subarray(from, to)].filter((value) => !Number.isNaN(value))
    const largest = Math.max(-3e38, ...numbers)
    return { largest, sum: numbers.reduce((sum, value) => sum + Math.exp(value - largest), 0) }
  })
  return {
    values,
    maxima: Float32Array.from(blocks, ({ largest }) => largest),
    sums: Float32Array.from(blocks, ({ sum }) => sum),
  }
}

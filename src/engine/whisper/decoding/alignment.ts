// When each token is spoken, by where the decoder attends while it writes it.
// Which heads it looks at is alignment-heads.ts; words are made of tokens in word-times.ts.

import type { CrossAttention } from '../decoder.ts'
import { medianFilter } from './median-filter.ts'
import { firstColumns } from './time-warp.ts'

/** As OpenAI's word timestamps. */
const MEDIAN_WIDTH = 7

type Selection = { rows: readonly number[]; frames: number }

/** Per frame, over the rows: attention that stays on a frame whatever is written says nothing. */
const normalise = (rows: Float32Array[], frames: number) => {
  const means = new Float32Array(frames)
  const factors = new Float32Array(frames)
  for (const row of rows) {
    for (let frame = 0; frame < frames; frame += 1) {
      means[frame]! += row[frame]! / rows.length
      factors[frame]! += (row[frame]! * row[frame]!) / rows.length
    }
  }
  for (let frame = 0; frame < frames; frame += 1) {
    const variance = factors[frame]! - means[frame]! * means[frame]!
    factors[frame] = variance > 0 ? 1 / Math.sqrt(variance) : 0
  }
  for (const row of rows) {
    for (let frame = 0; frame < frames; frame += 1)
      row[frame] = (row[frame]! - means[frame]!) * factors[frame]!
  }
}

/** The more all heads attend to a frame, the cheaper it is. @returns [rows][frames] */
const costsOf = ({ heads, frames: width, weights }: CrossAttention, { rows, frames }: Selection) => {
  const costs = new Float32Array(rows.length * frames)
  for (let head = 0; head < heads; head += 1) {
    const attention = rows.map((row) => {
      const at = (row * heads + head) * width
      return weights.slice(at, at + frames)
    })
    normalise(attention, frames)
    for (const [i, row] of attention.entries()) {
      const filtered = medianFilter(row, MEDIAN_WIDTH)
      for (let frame = 0; frame < frames; frame += 1) costs[i * frames + frame]! -= filtered[frame]! / heads
    }
  }
  return costs
}

/**
 * @param rows which of the alignment's tokens, rising
 * @param frames how many of its frames are audio; the rest is padding
 * @returns for each of the rows the frame at which it begins, never falling
 */
export const firstFrames = (alignment: CrossAttention, rows: readonly number[], frames: number): number[] => {
  const used = Math.max(1, Math.min(frames, alignment.frames))
  return firstColumns(costsOf(alignment, { rows, frames: used }), rows.length, used)
}

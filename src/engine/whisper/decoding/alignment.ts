// Finds when each token is spoken, from the frames that the decoder attends to while it writes the token.

import type { CrossAttention } from '../decoder.ts'
import { firstColumns } from './dtw.ts'
import { createMedianFilter } from './median-filter.ts'

/** The value of OpenAI's word timestamps. */
const MEDIAN_WIDTH = 7

type Selection = { rows: readonly number[]; frames: number }

/** Normalises each frame over the rows, because constant attention to a frame carries no information. */
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

/**
 * The more all heads attend to a frame, the cheaper it is. Reads one head at a time into the same memory: all heads
 * together take megabytes per window.
 * @returns [rows][frames]
 */
const costsOf = (alignment: CrossAttention, { rows, frames }: Selection) => {
  const costs = new Float32Array(rows.length * frames)
  const attention = rows.map(() => new Float32Array(frames))
  const median = createMedianFilter(frames, MEDIAN_WIDTH)
  for (let head = 0; head < alignment.heads; head += 1) {
    for (const [i, row] of rows.entries()) alignment.read(row, head, attention[i]!)
    normalise(attention, frames)
    for (const [i, row] of attention.entries()) {
      const filtered = median(row)
      for (let frame = 0; frame < frames; frame += 1)
        costs[i * frames + frame]! -= filtered[frame]! / alignment.heads
    }
  }
  return costs
}

/**
 * @param rows indices of the alignment's tokens, increasing
 * @param frames how many of its frames are audio; the rest is padding
 * @returns for each row the frame at which it begins, in non-decreasing order
 */
export const firstFrames = (alignment: CrossAttention, rows: readonly number[], frames: number): number[] => {
  const used = Math.max(1, Math.min(frames, alignment.frames))
  return firstColumns(costsOf(alignment, { rows, frames: used }), rows.length, used)
}

// The maximum and the sum of exponentials of each block of a token's logits.

import { LOGITS_IN_BLOCK, LOGIT_BLOCKS_IN_CHUNK } from '../interface'
import { SUM_LOGITS } from '../kernel-arguments'
import { argument } from './arguments'
import { NO_SCORE } from './token-attention'
import { maximumOf, powerOfTwo, sumOf } from './vector'

const BLOCK_BYTES: usize = <usize>LOGITS_IN_BLOCK * 4
const LOG2_E: f32 = 1.4426950408889634
/** The smallest argument of powerOfTwo. */
const MIN_POWER: f32 = -126

/** Some blocks of one row. Overwrites the padding at the end of the row. */
export function sumLogits(chunk: i32): void {
  const vocabulary = argument(SUM_LOGITS.vocabulary)
  const blocks = (vocabulary + LOGITS_IN_BLOCK - 1) / LOGITS_IN_BLOCK
  const chunksInRow = (blocks + LOGIT_BLOCKS_IN_CHUNK - 1) / LOGIT_BLOCKS_IN_CHUNK
  const row = chunk / chunksInRow
  const first = (chunk % chunksInRow) * LOGIT_BLOCKS_IN_CHUNK
  const last = min(blocks, first + LOGIT_BLOCKS_IN_CHUNK)
  const logits = <usize>argument(SUM_LOGITS.logits) + <usize>row * <usize>argument(SUM_LOGITS.rowBytes)
  const end = logits + <usize>vocabulary * 4
  const to = <usize>(row * blocks) * 4
  for (let block = first; block < last; block++) {
    const at = logits + <usize>block * BLOCK_BYTES
    let blockEnd = min(at + BLOCK_BYTES, end)
    for (; (blockEnd - at) & 31; blockEnd += 4) store<f32>(blockEnd, NO_SCORE)
    const largest = largestIn(at, blockEnd)
    store<f32>(<usize>argument(SUM_LOGITS.maxima) + to + <usize>block * 4, largest)
    store<f32>(<usize>argument(SUM_LOGITS.sums) + to + <usize>block * 4, sumOfPowers(at, blockEnd, largest))
  }
}

/** Ignores NaN. */
function largestIn(at: usize, end: usize): f32 {
  let a = f32x4.splat(NO_SCORE)
  let b = a
  for (; at < end; at += 32) {
    a = f32x4.pmax(a, v128.load(at, 0))
    b = f32x4.pmax(b, v128.load(at, 16))
  }
  return maximumOf(f32x4.pmax(a, b))
}

/** The sum of e^(logit − largest). */
function sumOfPowers(at: usize, end: usize, largest: f32): f32 {
  const most = f32x4.splat(largest)
  const scale = f32x4.splat(LOG2_E)
  const least = f32x4.splat(MIN_POWER)
  let a = f32x4.splat(0)
  let b = a
  for (; at < end; at += 32) {
    const first = f32x4.mul(f32x4.sub(v128.load(at, 0), most), scale)
    const second = f32x4.mul(f32x4.sub(v128.load(at, 16), most), scale)
    a = f32x4.add(a, powerOfTwo(f32x4.pmax(least, first)))
    b = f32x4.add(b, powerOfTwo(f32x4.pmax(least, second)))
  }
  return sumOf(f32x4.add(a, b))
}

// The decoder's cross-attention to its window, one head per chunk.

import { ALIGNMENT_HEAD_BYTES, GROUP, HEAD, PANEL_ROWS } from '../interface'
import { ATTEND_FRAMES } from '../kernel-arguments'
import { argument } from './arguments'
import { scratchOf } from './control'
import { ALIGNMENT, ENTRY } from './table'
import { MIN_POWER, NO_SCORE, SCALE } from './token-attention'
import { spreadInSteps } from './tile'
import { spreadVector } from './token-floats'
import { LARGEST, VECTOR_GROUP, dotPanelBeside, groupBytes, groupOf } from './token-panels'
import { MAX_SIDE_BY_SIDE, packVector, sideBySide, spreadEight, storeSum } from './token-vectors'
import { maximumOf, powerOfTwo, rounded16, sumOf } from './vector'

/** The size for f32, which is the largest. */
const HEAD_VECTOR: usize = 4 * VECTOR_GROUP
/** The largest weight of i16 values: the norm of 32 such weights stays below the limit of token-panels.ts. */
const WEIGHT_LARGEST: f32 = 8180
/** A query of zeros has a tiny scale, which would turn even a missing key into a score of 0. */
const MIN_SCALE: f32 = 1e-30

/** A thread's memory: queries side by side, scores in f32, their weights as vectors, and the factors that normalise these. */
const MOST: usize = <usize>MAX_SIDE_BY_SIDE
const SCORES: usize = MOST * HEAD_VECTOR
/** scores of one query: 1500 frames, rounded up to a group */
const MAX_KEYS: usize = 1504
const SCORE_BYTES: usize = MAX_KEYS * 4
const WEIGHTS: usize = SCORES + MOST * SCORE_BYTES
const WEIGHT_BYTES: usize = (MAX_KEYS / 16) * VECTOR_GROUP
const FACTORS: usize = WEIGHTS + MOST * WEIGHT_BYTES

/**
 * Computes the vectors' attention to the frames of the window. Alignments store a factor (f32, in the first 16 bytes) and
 * the numbers that become the weights when multiplied by it (i16 or f32 [frames]).
 */
export function attendFrames(head: i32, thread: i32): void {
  const bytes = argument(ATTEND_FRAMES.numberBytes)
  if (bytes == 1) attendFramesOf<i8>(head, thread)
  else if (bytes == 2) attendFramesOf<i16>(head, thread)
  else attendFramesOf<f32>(head, thread)
}

function attendFramesOf<T>(head: i32, thread: i32): void {
  const vectors = argument(ATTEND_FRAMES.count)
  for (let vector = 0; vector < vectors; ) {
    const side = sideBySide(vector, vectors)
    attendBlock<T>(head, vector, side, scratchOf(thread))
    vector += side
  }
}

/** Attention of `vectors` vectors side by side. */
function attendBlock<T>(head: i32, first: i32, vectors: i32, scratch: usize): void {
  const width = <usize>argument(ATTEND_FRAMES.width)
  const frames = argument(ATTEND_FRAMES.frames)
  const keys = <usize>argument(ATTEND_FRAMES.keys) + <usize>head * <usize>argument(ATTEND_FRAMES.headKeysBytes)
  const values =
    <usize>argument(ATTEND_FRAMES.values) + <usize>head * <usize>argument(ATTEND_FRAMES.headValuesBytes)
  const stride = width * 4
  const offset = (<usize>first * width + <usize>head * HEAD) * 4
  const step = <usize>vectors * 16
  const factors = scratch + FACTORS
  for (let i = 0; i < vectors; i++) {
    const query = <usize>argument(ATTEND_FRAMES.queries) + offset + <usize>i * stride
    let scale: f32 = 1
    if (isFloat<T>()) spreadVector(query, scratch + <usize>i * 16, HEAD, step)
    else scale = packVector(query, scratch + <usize>i * 16, HEAD, step)
    store<f32>(factors + <usize>i * 4, scale * SCALE)
  }
  let scores = scratch + SCORES
  const headGroups = HEAD / groupOf<T>()
  const panels = (frames + PANEL_ROWS - 1) / PANEL_ROWS
  for (let panel = 0; panel < panels; panel++) {
    const at = keys + <usize>panel * headGroups * groupBytes<T>()
    dotPanelBeside<T>(vectors, at, scratch, headGroups, scores, SCORE_BYTES)
    scores += <usize>PANEL_ROWS * 4
  }
  const largest = sizeof<T>() == 1 ? LARGEST : WEIGHT_LARGEST
  for (let i = 0; i < vectors; i++) {
    const weights = scratch + WEIGHTS + <usize>i * 16
    const at = scratch + SCORES + <usize>i * SCORE_BYTES
    const factor = weigh<T>(at, weights, step, frames, load<f32>(factors + <usize>i * 4), largest)
    store<f32>(factors + <usize>i * 4, factor)
    align<T>(head, first + i, weights, step, factor)
  }
  const groups = (frames + groupOf<T>() - 1) / groupOf<T>()
  for (let panel = 0; panel < HEAD / PANEL_ROWS; panel++) {
    const at = values + <usize>panel * <usize>groups * groupBytes<T>()
    const to = <usize>argument(ATTEND_FRAMES.to) + offset + <usize>panel * PANEL_ROWS * 4
    dotPanelBeside<T>(vectors, at, scratch + WEIGHTS, groups, to, stride)
  }
  for (let i = 0; i < vectors; i++) {
    const factor = v128.load32_splat(factors + <usize>i * 4)
    const to = <usize>argument(ATTEND_FRAMES.to) + offset + <usize>i * stride
    for (let at: usize = 0; at < <usize>HEAD * 4; at += 16) {
      v128.store(to + at, f32x4.mul(v128.load(to + at), factor))
    }
  }
}

/**
 * Softmax of scores · scale as a vector of f32, or of integers up to `largest`, whose sum is far below 2³¹. Values past the
 * scores are almost 0 up to the end of the last group.
 * @returns the factor that normalises the weights to a sum of 1
 */
function weigh<T>(scores: usize, to: usize, step: usize, count: i32, scale: f32, largest: f32): f32 {
  const end = scores + <usize>count * 4
  const groupEnd = scores + <usize>((count + groupOf<T>() - 1) / groupOf<T>()) * groupOf<T>() * 4
  for (let at = end; at < groupEnd; at += 4) store<f32>(at, NO_SCORE)
  let a = v128.load(scores, 0)
  let b = v128.load(scores, 16)
  for (let at = scores + 32; at < groupEnd; at += 32) {
    a = f32x4.pmax(a, v128.load(at, 0))
    b = f32x4.pmax(b, v128.load(at, 16))
  }
  const most = f32x4.splat(maximumOf(f32x4.pmax(a, b)))
  const factor = f32x4.splat(max(MIN_SCALE, scale))
  if (isFloat<T>()) return weighFloats(scores, groupEnd, to, step, most, factor)
  const least = f32x4.splat(MIN_POWER)
  const limit = f32x4.splat(largest)
  let sums = i32x4.splat(0)
  for (let at = scores; at < groupEnd; at += GROUP * 4) {
    let groupSums = i32x4.splat(0)
    for (let score = at; score < at + GROUP * 4; score += 32) {
      const first = powerOfTwo(f32x4.pmax(least, f32x4.mul(f32x4.sub(v128.load(score, 0), most), factor)))
      const second = powerOfTwo(f32x4.pmax(least, f32x4.mul(f32x4.sub(v128.load(score, 16), most), factor)))
      const weights = rounded16(f32x4.mul(first, limit), f32x4.mul(second, limit))
      groupSums = i32x4.add(groupSums, spreadEight(weights, to, step))
      to += 4 * step
    }
    storeSum(groupSums, to)
    to += step
    sums = i32x4.add(sums, groupSums)
  }
  return <f32>1 / <f32>sumOfIntegers(sums)
}

function weighFloats(at: usize, end: usize, to: usize, step: usize, most: v128, factor: v128): f32 {
  const least = f32x4.splat(MIN_POWER)
  let sums = f32x4.splat(0)
  while (at < end) {
    for (const groupEnd = at + <usize>groupOf<f32>() * 4; at < groupEnd; at += 16) {
      const powers = powerOfTwo(f32x4.pmax(least, f32x4.mul(f32x4.sub(v128.load(at), most), factor)))
      sums = f32x4.add(sums, powers)
      spreadInSteps(powers, to, step)
      to += 4 * step
    }
    to += step
  }
  return <f32>1 / sumOf(sums)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function sumOfIntegers(lanes: v128): i32 {
  const pairs = i32x4.add(lanes, i32x4.shuffle(lanes, lanes, 2, 3, 0, 1))
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1)
}

function align<T>(head: i32, vector: i32, weights: usize, step: usize, factor: f32): void {
  const offset = load<i32>(<usize>argument(ATTEND_FRAMES.alignment) + <usize>head * 4)
  if (offset < 0) return
  const entry = <usize>argument(ATTEND_FRAMES.table) + <usize>vector * ENTRY
  const kept = <usize>load<u32>(entry, ALIGNMENT)
  if (!kept) return
  const to = kept + <usize>offset
  store<f32>(to, factor)
  const frames = argument(ATTEND_FRAMES.frames)
  if (isFloat<T>()) {
    for (let frame = 0; frame < frames; frame++) {
      const at = weights + <usize>(frame + frame / groupOf<f32>()) * step
      store<f32>(to + <usize>frame * 4, load<f32>(at), ALIGNMENT_HEAD_BYTES)
    }
    return
  }
  for (let frame = 0; frame < frames; frame += 2) {
    const pair = weights + <usize>(frame / 2 + frame / GROUP) * step
    store<u32>(to + <usize>frame * 2, load<u32>(pair), ALIGNMENT_HEAD_BYTES)
  }
}

// The decoder's attention, one head to a chunk: to the tokens before, and to the window that is listened to.
// Multiplies no weights. A head is 64 wide in every Whisper.

import { argument } from './arguments'
import { scratchOf } from './control'
import { packPlain, packVector, spreadEight, storeSum } from './token-pack'
import {
  GROUP, LARGEST, PANEL_ROWS, VECTOR_GROUP, VECTOR_SUM, dotPanel, dotPanel4, groupBytes,
} from './token-panels'
import { maximumOf, powerOfTwo, rounded16, sumOf } from './vector'

const HEAD: i32 = 64
const HEAD_GROUPS: i32 = 2
const HEAD_VECTOR: usize = 2 * VECTOR_GROUP
/** log2(e) / √64: exponentials are powers of 2 */
const SCALE: f32 = 0.18033688
/** Weights of i16 values: the norm of 32 of them stays below the limit of token-panels.ts. */
const WEIGHT_LARGEST: f32 = 8180
/** Stands where there is no key. */
const NO_SCORE: f32 = -3e38
/** A query of zeros has next to no scale, with which even that would count as a score of 0. */
const LEAST_SCALE: f32 = 1e-30
/** Smaller weights count as 2⁻⁴⁰, which is nothing beside the greatest of 1. */
const LEAST_POWER: f32 = -40

/** Thread's memory: a query or four, scores in f32, their weights as vectors, and what makes them sum up to 1. */
const SCORES: usize = 4 * HEAD_VECTOR
/** scores of one query: 1500 frames or 448 tokens, up to the next group */
const MAX_KEYS: usize = 1504
const SCORE_BYTES: usize = MAX_KEYS * 4
const WEIGHTS: usize = SCORES + 4 * SCORE_BYTES
const WEIGHT_BYTES: usize = MAX_KEYS / 32 * VECTOR_GROUP
const FACTORS: usize = WEIGHTS + 4 * WEIGHT_BYTES

/**
 * Keeps the keys and values of some tokens, then lets each attend to the tokens of its sequence up to itself.
 * Arguments: queries, keys and values ([vectors][3 · width] f32), to ([vectors][width] f32), sequence table, vectors,
 * width, byte of the layer in a token's record. The table has four words for each vector: two that are not for here,
 * the list of its sequence's records (u32 addresses), and how many of them it attends to.
 * A record holds of each layer the keys and values (i16 each [width]), then their scales (f32 [heads] each).
 */
export function attendTokens(head: i32, thread: i32): void {
  const vectors = argument(3)
  const width = <usize>argument(4)
  const scratch = scratchOf(thread)
  for (let vector = 0; vector < vectors; vector++) keep(head, vector)
  for (let vector = 0; vector < vectors; vector++) {
    const entry = <usize>argument(2) + <usize>vector * 16
    const records = <usize>load<u32>(entry, 8)
    const count = load<i32>(entry, 12)
    const query = <usize>argument(0) + (<usize>vector * 3 * width + <usize>head * HEAD) * 4
    const to = <usize>argument(1) + (<usize>vector * width + <usize>head * HEAD) * 4
    const scale = packPlain(query, scratch, HEAD) * SCALE
    score(head, records, count, scale, scratch)
    const sum = exponentials(scratch + SCORES, count)
    mix(head, records, count, <f32>1 / sum, scratch, to)
  }
}

function keep(head: i32, vector: i32): void {
  const entry = <usize>argument(2) + <usize>vector * 16
  const last = <usize>load<u32>(entry, 8) + <usize>(load<i32>(entry, 12) - 1) * 4
  const width = <usize>argument(4)
  const layer = <usize>load<u32>(last) + <usize>argument(5)
  const scales = layer + width * 4 + <usize>head * 4
  const offset = <usize>head * HEAD
  const key = <usize>argument(0) + (<usize>vector * 3 * width + width + offset) * 4
  store<f32>(scales, packPlain(key, layer + offset * 2, HEAD))
  const value = key + width * 4
  const valueScale = packPlain(value, layer + (width + offset) * 2, HEAD)
  store<f32>(scales + (width / HEAD) * 4, valueScale)
}

function score(head: i32, records: usize, count: i32, scale: f32, scratch: usize): void {
  const width = <usize>argument(4)
  const offset = <usize>argument(5) + <usize>head * HEAD * 2
  const scaleAt = <usize>argument(5) + width * 4 + <usize>head * 4
  for (let index = 0; index < count; index++) {
    const record = <usize>load<u32>(records + <usize>index * 4)
    const key = record + offset
    // each sum is of a group (token-panels.ts): both together might not fit into i32
    let a = i32x4.dot_i16x8_s(v128.load(key, 0), v128.load(scratch, 0))
    let b = i32x4.dot_i16x8_s(v128.load(key, 64), v128.load(scratch, 64))
    a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load(key, 16), v128.load(scratch, 16)))
    b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load(key, 80), v128.load(scratch, 80)))
    a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load(key, 32), v128.load(scratch, 32)))
    b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load(key, 96), v128.load(scratch, 96)))
    a = i32x4.add(a, i32x4.dot_i16x8_s(v128.load(key, 48), v128.load(scratch, 48)))
    b = i32x4.add(b, i32x4.dot_i16x8_s(v128.load(key, 112), v128.load(scratch, 112)))
    const sum = sumOf(f32x4.add(f32x4.convert_i32x4_s(a), f32x4.convert_i32x4_s(b)))
    store<f32>(scratch + SCORES + <usize>index * 4, sum * load<f32>(record + scaleAt) * scale)
  }
}

/** Replaces scores by 2^(score − greatest). @returns their sum */
function exponentials(scores: usize, count: i32): f32 {
  const end = scores + <usize>count * 4
  for (let at = end; at & 15; at += 4) store<f32>(at, NO_SCORE)
  let greatest = v128.load(scores)
  for (let at = scores + 16; at < end; at += 16) greatest = f32x4.pmax(greatest, v128.load(at))
  const most = f32x4.splat(maximumOf(greatest))
  const least = f32x4.splat(LEAST_POWER)
  let sums = f32x4.splat(0)
  for (let at = scores; at < end; at += 16) {
    const exponential = powerOfTwo(f32x4.pmax(least, f32x4.sub(v128.load(at), most)))
    v128.store(at, exponential)
    sums = f32x4.add(sums, exponential)
  }
  return sumOf(sums)
}

/** The weighted mean of the values. */
function mix(head: i32, records: usize, count: i32, inverseSum: f32, scratch: usize, to: usize): void {
  const width = <usize>argument(4)
  const scaleAt = <usize>argument(5) + width * 4 + (width / HEAD + <usize>head) * 4
  for (let part: usize = 0; part < 128; part += 32) {
    const offset = <usize>argument(5) + (width + <usize>head * HEAD) * 2 + part
    let a = f32x4.splat(0)
    let b = f32x4.splat(0)
    let c = f32x4.splat(0)
    let d = f32x4.splat(0)
    for (let index = 0; index < count; index++) {
      const record = <usize>load<u32>(records + <usize>index * 4)
      const weight = load<f32>(scratch + SCORES + <usize>index * 4) * load<f32>(record + scaleAt)
      const factor = f32x4.splat(weight)
      const value = record + offset
      a = f32x4.add(a, f32x4.mul(f32x4.convert_i32x4_s(v128.load_ext<i16>(value, 0)), factor))
      b = f32x4.add(b, f32x4.mul(f32x4.convert_i32x4_s(v128.load_ext<i16>(value, 8)), factor))
      c = f32x4.add(c, f32x4.mul(f32x4.convert_i32x4_s(v128.load_ext<i16>(value, 16)), factor))
      d = f32x4.add(d, f32x4.mul(f32x4.convert_i32x4_s(v128.load_ext<i16>(value, 24)), factor))
    }
    const mean = f32x4.splat(inverseSum)
    v128.store(to, f32x4.mul(a, mean), 0)
    v128.store(to, f32x4.mul(b, mean), 16)
    v128.store(to, f32x4.mul(c, mean), 32)
    v128.store(to, f32x4.mul(d, mean), 48)
    to += 64
  }
}

/**
 * Lets vectors attend to the frames of the window. Arguments: queries ([vectors][width] f32), to (the same), vectors,
 * width, keys, values (packed), bytes of a head's keys, of its values, frames, sequence table, table of alignment
 * (i32 for each head: byte in a token's record where its weights are kept, or −1), whether keys and values are i16.
 * Kept are the factor (f32, in the first 16 bytes) and the integers that it makes the weights of (i16 [frames]).
 */
export function attendFrames(head: i32, thread: i32): void {
  if (argument(11)) attendFramesOf<i16>(head, thread)
  else attendFramesOf<i8>(head, thread)
}

function attendFramesOf<T>(head: i32, thread: i32): void {
  const vectors = argument(2)
  let vector = 0
  for (; vector + 4 <= vectors; vector += 4) attendBlock<T>(head, vector, 4, scratchOf(thread))
  for (; vector < vectors; vector++) attendBlock<T>(head, vector, 1, scratchOf(thread))
}

/** Four vectors, or one. */
function attendBlock<T>(head: i32, first: i32, vectors: i32, scratch: usize): void {
  const width = <usize>argument(3)
  const frames = argument(8)
  const keys = <usize>argument(4) + <usize>head * <usize>argument(6)
  const values = <usize>argument(5) + <usize>head * <usize>argument(7)
  const stride = width * 4
  const offset = (<usize>first * width + <usize>head * HEAD) * 4
  const factors = scratch + FACTORS
  for (let i = 0; i < vectors; i++) {
    const query = <usize>argument(0) + offset + <usize>i * stride
    store<f32>(factors + <usize>i * 4, packVector(query, scratch + <usize>i * HEAD_VECTOR, HEAD) * SCALE)
  }
  let scores = scratch + SCORES
  const panels = (frames + PANEL_ROWS - 1) / PANEL_ROWS
  for (let panel = 0; panel < panels; panel++) {
    const at = keys + <usize>panel * HEAD_GROUPS * groupBytes<T>()
    if (vectors == 4) dotPanel4<T>(at, scratch, HEAD_VECTOR, HEAD_GROUPS, scores, SCORE_BYTES)
    else dotPanel<T>(at, scratch, HEAD_GROUPS, scores)
    scores += <usize>PANEL_ROWS * 4
  }
  const largest = sizeof<T>() == 1 ? LARGEST : WEIGHT_LARGEST
  for (let i = 0; i < vectors; i++) {
    const weights = scratch + WEIGHTS + <usize>i * WEIGHT_BYTES
    const at = scratch + SCORES + <usize>i * SCORE_BYTES
    const factor = weigh(at, weights, frames, load<f32>(factors + <usize>i * 4), largest)
    store<f32>(factors + <usize>i * 4, factor)
    align(head, first + i, weights, factor)
  }
  const groups = (frames + GROUP - 1) / GROUP
  for (let panel = 0; panel < HEAD / PANEL_ROWS; panel++) {
    const at = values + <usize>panel * <usize>groups * groupBytes<T>()
    const to = <usize>argument(1) + offset + <usize>panel * PANEL_ROWS * 4
    if (vectors == 4) dotPanel4<T>(at, scratch + WEIGHTS, WEIGHT_BYTES, groups, to, stride)
    else dotPanel<T>(at, scratch + WEIGHTS, groups, to)
  }
  for (let i = 0; i < vectors; i++) {
    const factor = v128.load32_splat(factors + <usize>i * 4)
    const to = <usize>argument(1) + offset + <usize>i * stride
    for (let at: usize = 0; at < <usize>HEAD * 4; at += 16) {
      v128.store(to + at, f32x4.mul(v128.load(to + at), factor))
    }
  }
}

/**
 * Softmax of scores · scale as a vector with integers up to `largest`, zero up to the end of the last group. Their sum
 * is far below 2³¹.
 * @returns what makes of the integers weights whose sum is 1
 */
function weigh(scores: usize, to: usize, count: i32, scale: f32, largest: f32): f32 {
  const end = scores + <usize>count * 4
  const groupEnd = scores + <usize>((count + GROUP - 1) / GROUP) * GROUP * 4
  for (let at = end; at < groupEnd; at += 4) store<f32>(at, NO_SCORE)
  let a = v128.load(scores, 0)
  let b = v128.load(scores, 16)
  for (let at = scores + 32; at < groupEnd; at += 32) {
    a = f32x4.pmax(a, v128.load(at, 0))
    b = f32x4.pmax(b, v128.load(at, 16))
  }
  const most = f32x4.splat(maximumOf(f32x4.pmax(a, b)))
  const factor = f32x4.splat(max(LEAST_SCALE, scale))
  const least = f32x4.splat(LEAST_POWER)
  const limit = f32x4.splat(largest)
  let sums = i32x4.splat(0)
  for (let at = scores; at < groupEnd; at += GROUP * 4) {
    let groupSums = i32x4.splat(0)
    for (let score = at; score < at + GROUP * 4; score += 32) {
      const first = powerOfTwo(f32x4.pmax(least, f32x4.mul(f32x4.sub(v128.load(score, 0), most), factor)))
      const second = powerOfTwo(f32x4.pmax(least, f32x4.mul(f32x4.sub(v128.load(score, 16), most), factor)))
      const weights = rounded16(f32x4.mul(first, limit), f32x4.mul(second, limit))
      groupSums = i32x4.add(groupSums, spreadEight(weights, to))
      to += 64
    }
    storeSum(groupSums, to)
    to += VECTOR_GROUP - VECTOR_SUM
    sums = i32x4.add(sums, groupSums)
  }
  return <f32>1 / <f32>sumOfIntegers(sums)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function sumOfIntegers(lanes: v128): i32 {
  const pairs = i32x4.add(lanes, i32x4.shuffle(lanes, lanes, 2, 3, 0, 1))
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1)
}

function align(head: i32, vector: i32, weights: usize, factor: f32): void {
  const offset = load<i32>(<usize>argument(10) + <usize>head * 4)
  if (offset < 0) return
  const entry = <usize>argument(9) + <usize>vector * 16
  const records = <usize>load<u32>(entry, 8)
  const record = <usize>load<u32>(records + <usize>(load<i32>(entry, 12) - 1) * 4)
  const to = record + <usize>offset
  store<f32>(to, factor)
  const frames = argument(8)
  for (let frame = 0; frame < frames; frame += 2) {
    const pair = weights + <usize>(frame / GROUP) * VECTOR_GROUP + <usize>(frame % GROUP) * 8
    store<u32>(to + <usize>frame * 2, load<u32>(pair), 16)
  }
}

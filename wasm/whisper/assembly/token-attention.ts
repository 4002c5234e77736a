// The decoder's self-attention to the previous tokens, one head per chunk.

import { HEAD, SCORE_FACTOR } from '../interface'
import { ATTEND_TOKENS } from '../kernel-arguments'
import { argument } from './arguments'
import { scratchOf } from './control'
import { ENTRY, RECORD_COUNT, RECORDS } from './table'
import { packPlain } from './token-vectors'
import { maximumOf, powerOfTwo, sumOf } from './vector'

export const SCALE: f32 = <f32>SCORE_FACTOR
/** The score of a missing key. */
export const NO_SCORE: f32 = -3e38
/** Smaller weights count as 2⁻⁴⁰, which is negligible beside the largest weight of 1. */
export const MIN_POWER: f32 = -40

/** A thread's memory: a query, then scores in f32. */
const SCORES: usize = <usize>HEAD * 4

/**
 * Stores the keys and values of the tokens, then computes each token's attention to its sequence up to itself.
 * For each layer a record holds keys and values (i16 or f32 [width] each), then their scales (f32 [heads] each).
 */
export function attendTokens(head: i32, thread: i32): void {
  if (argument(ATTEND_TOKENS.inFloats)) attendTokensOf<f32>(head, thread)
  else attendTokensOf<i16>(head, thread)
}

function attendTokensOf<T>(head: i32, thread: i32): void {
  const vectors = argument(ATTEND_TOKENS.count)
  const width = <usize>argument(ATTEND_TOKENS.width)
  const scratch = scratchOf(thread)
  for (let vector = 0; vector < vectors; vector++) keep<T>(head, vector)
  for (let vector = 0; vector < vectors; vector++) {
    const entry = <usize>argument(ATTEND_TOKENS.table) + <usize>vector * ENTRY
    const records = <usize>load<u32>(entry, RECORDS)
    const count = load<i32>(entry, RECORD_COUNT)
    const query =
      <usize>argument(ATTEND_TOKENS.projected) + (<usize>vector * 3 * width + <usize>head * HEAD) * 4
    const to = <usize>argument(ATTEND_TOKENS.to) + (<usize>vector * width + <usize>head * HEAD) * 4
    const scale = packPlain<T>(query, scratch, HEAD) * SCALE
    score<T>(head, records, count, scale, scratch)
    const sum = exponentials(scratch + SCORES, count)
    mix<T>(head, records, count, <f32>1 / sum, scratch, to)
  }
}

function keep<T>(head: i32, vector: i32): void {
  const entry = <usize>argument(ATTEND_TOKENS.table) + <usize>vector * ENTRY
  const last = <usize>load<u32>(entry, RECORDS) + <usize>(load<i32>(entry, RECORD_COUNT) - 1) * 4
  const width = <usize>argument(ATTEND_TOKENS.width)
  const layer = <usize>load<u32>(last) + <usize>argument(ATTEND_TOKENS.layerInRecord)
  const scales = layer + width * 2 * sizeof<T>() + <usize>head * 4
  const offset = <usize>head * HEAD
  const key = <usize>argument(ATTEND_TOKENS.projected) + (<usize>vector * 3 * width + width + offset) * 4
  store<f32>(scales, packPlain<T>(key, layer + offset * sizeof<T>(), HEAD))
  const value = key + width * 4
  const valueScale = packPlain<T>(value, layer + (width + offset) * sizeof<T>(), HEAD)
  store<f32>(scales + (width / HEAD) * 4, valueScale)
}

function score<T>(head: i32, records: usize, count: i32, scale: f32, scratch: usize): void {
  const width = <usize>argument(ATTEND_TOKENS.width)
  const offset = <usize>argument(ATTEND_TOKENS.layerInRecord) + <usize>head * HEAD * sizeof<T>()
  const scaleAt = <usize>argument(ATTEND_TOKENS.layerInRecord) + width * 2 * sizeof<T>() + <usize>head * 4
  for (let index = 0; index < count; index++) {
    const record = <usize>load<u32>(records + <usize>index * 4)
    const key = record + offset
    if (isFloat<T>()) {
      store<f32>(scratch + SCORES + <usize>index * 4, dotFloats(key, scratch) * scale)
      continue
    }
    // one sum per group (token-panels.ts): the total might overflow i32
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

/** The dot product of two heads. */
function dotFloats(one: usize, other: usize): f32 {
  let a = f32x4.splat(0)
  let b = f32x4.splat(0)
  for (let at: usize = 0; at < <usize>HEAD * 4; at += 32) {
    a = f32x4.add(a, f32x4.mul(v128.load(one + at, 0), v128.load(other + at, 0)))
    b = f32x4.add(b, f32x4.mul(v128.load(one + at, 16), v128.load(other + at, 16)))
  }
  return sumOf(f32x4.add(a, b))
}

/** Replaces scores by 2^(score − maximum). @returns their sum */
function exponentials(scores: usize, count: i32): f32 {
  const end = scores + <usize>count * 4
  for (let at = end; at & 15; at += 4) store<f32>(at, NO_SCORE)
  let greatest = v128.load(scores)
  for (let at = scores + 16; at < end; at += 16) greatest = f32x4.pmax(greatest, v128.load(at))
  const most = f32x4.splat(maximumOf(greatest))
  const least = f32x4.splat(MIN_POWER)
  let sums = f32x4.splat(0)
  for (let at = scores; at < end; at += 16) {
    const exponential = powerOfTwo(f32x4.pmax(least, f32x4.sub(v128.load(at), most)))
    v128.store(at, exponential)
    sums = f32x4.add(sums, exponential)
  }
  return sumOf(sums)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function four<T>(at: usize): v128 {
  return isFloat<T>() ? v128.load(at) : f32x4.convert_i32x4_s(v128.load_ext<i16>(at))
}

/** The weighted mean of the values. */
function mix<T>(head: i32, records: usize, count: i32, inverseSum: f32, scratch: usize, to: usize): void {
  const width = <usize>argument(ATTEND_TOKENS.width)
  const scaleAt =
    <usize>argument(ATTEND_TOKENS.layerInRecord) +
    width * 2 * sizeof<T>() +
    (width / HEAD + <usize>head) * 4
  for (let part: usize = 0; part < <usize>HEAD; part += 16) {
    const offset =
      <usize>argument(ATTEND_TOKENS.layerInRecord) + (width + <usize>head * HEAD + part) * sizeof<T>()
    let a = f32x4.splat(0)
    let b = f32x4.splat(0)
    let c = f32x4.splat(0)
    let d = f32x4.splat(0)
    for (let index = 0; index < count; index++) {
      const record = <usize>load<u32>(records + <usize>index * 4)
      const weight = load<f32>(scratch + SCORES + <usize>index * 4) * load<f32>(record + scaleAt)
      const factor = f32x4.splat(weight)
      const value = record + offset
      a = f32x4.add(a, f32x4.mul(four<T>(value), factor))
      b = f32x4.add(b, f32x4.mul(four<T>(value + 4 * sizeof<T>()), factor))
      c = f32x4.add(c, f32x4.mul(four<T>(value + 8 * sizeof<T>()), factor))
      d = f32x4.add(d, f32x4.mul(four<T>(value + 12 * sizeof<T>()), factor))
    }
    const mean = f32x4.splat(inverseSum)
    v128.store(to, f32x4.mul(a, mean), 0)
    v128.store(to, f32x4.mul(b, mean), 16)
    v128.store(to, f32x4.mul(c, mean), 32)
    v128.store(to, f32x4.mul(d, mean), 48)
    to += 64
  }
}

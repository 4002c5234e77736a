// Packed matrices and their product with one vector, or with several side by side.
//
// A panel is 8 rows of a matrix, in groups of 32 inputs. A group starts with a head, which holds the scales of its rows. Then
// follow, for each pair of inputs, the pairs of the 8 rows, i8 or i16. A vector is i16 and repeats each pair four times, as
// i32x4.dot_i16x8_s multiplies it with four rows; after 16 pairs follows their sum (f32, four times). Each lane is a row, so
// nothing is added across lanes, and a panel is read as one stream. Vectors that are multiplied at once are interleaved by 16
// bytes. Matrices of f32 and their vectors have single inputs instead of pairs, groups of 16, and no head.
//
// The value of an i8 weight is weight · scale + offset, both f16 in one word, so that ggml's types with blocks of 32 weights
// are stored without loss. The value of an i16 weight is weight · scale (f32).

import { FLOAT_GROUP, GROUP, GROUP_HEAD_BYTES, PANEL_ROWS, VECTOR_GROUP_BYTES } from '../interface'
import { addProducts } from './tile'

export const GROUP_HEAD: usize = GROUP_HEAD_BYTES
/** Bytes of a group of a vector: its pairs, and their sum. */
export const VECTOR_GROUP: usize = VECTOR_GROUP_BYTES
export const VECTOR_SUM: usize = 256

/**
 * The i32 sum of a group cannot overflow, by Cauchy-Schwarz, if the norms of 32 integers of a vector and of 32 i16 weights
 * are at most this before rounding, which adds at most √32 / 2: 46303² is below 2³¹. With i8 weights any i16 vector
 * suffices: 32 · 128 · 32768 is below 2³¹.
 */
export const NORM_LIMIT: f32 = 46300
export const LARGEST: f32 = 32767

/** The bits of an f16, shifted to those of an f32, give a number that is 2¹¹² times too small. */
const HALF_UNIT: f32 = 5192296858534827628530496329220096.0
const HALF_INVERSE: f32 = 1.925929944387236e-34

// @ts-ignore: a decorator of AssemblyScript
@inline
export function groupOf<T>(): i32 {
  return isFloat<T>() ? FLOAT_GROUP : GROUP
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function headBytes<T>(): usize {
  return isFloat<T>() ? 0 : GROUP_HEAD
}

// @ts-ignore: a decorator of AssemblyScript
@inline
export function groupBytes<T>(): usize {
  return headBytes<T>() + <usize>(groupOf<T>() * PANEL_ROWS) * sizeof<T>()
}

/**
 * Sums of 8 rows for one vector, f32[8] at `to`, without the vector's own scale. Integers use two running sums, because
 * their order does not matter; floats use one.
 */
export function dotPanel<T>(panel: usize, vector: usize, groups: i32, to: usize): void {
  v128.store(to, f32x4.splat(0), 0)
  v128.store(to, f32x4.splat(0), 16)
  for (let group = 0; group < groups; group++) {
    let at = panel + headBytes<T>()
    const end = vector + VECTOR_SUM
    let low0 = i32x4.splat(0)
    let high0 = i32x4.splat(0)
    let low1 = i32x4.splat(0)
    let high1 = i32x4.splat(0)
    do {
      let inputs = v128.load(vector, 0)
      let rows = sizeof<T>() == 1 ? v128.load_ext<i8>(at, 0) : v128.load(at, 0)
      low0 = addProducts<T>(low0, rows, inputs)
      rows = sizeof<T>() == 1 ? v128.load_ext<i8>(at, 8) : v128.load(at, 16)
      high0 = addProducts<T>(high0, rows, inputs)
      inputs = v128.load(vector, 16)
      rows = sizeof<T>() == 1 ? v128.load_ext<i8>(at, 16) : v128.load(at, 32)
      if (isFloat<T>()) low0 = addProducts<T>(low0, rows, inputs)
      else low1 = addProducts<T>(low1, rows, inputs)
      rows = sizeof<T>() == 1 ? v128.load_ext<i8>(at, 24) : v128.load(at, 48)
      if (isFloat<T>()) high0 = addProducts<T>(high0, rows, inputs)
      else high1 = addProducts<T>(high1, rows, inputs)
      inputs = v128.load(vector, 32)
      rows = sizeof<T>() == 1 ? v128.load_ext<i8>(at, 32) : v128.load(at, 64)
      low0 = addProducts<T>(low0, rows, inputs)
      rows = sizeof<T>() == 1 ? v128.load_ext<i8>(at, 40) : v128.load(at, 80)
      high0 = addProducts<T>(high0, rows, inputs)
      inputs = v128.load(vector, 48)
      rows = sizeof<T>() == 1 ? v128.load_ext<i8>(at, 48) : v128.load(at, 96)
      if (isFloat<T>()) low0 = addProducts<T>(low0, rows, inputs)
      else low1 = addProducts<T>(low1, rows, inputs)
      rows = sizeof<T>() == 1 ? v128.load_ext<i8>(at, 56) : v128.load(at, 112)
      if (isFloat<T>()) high0 = addProducts<T>(high0, rows, inputs)
      else high1 = addProducts<T>(high1, rows, inputs)
      at += sizeof<T>() == 1 ? 64 : 128
      vector += 64
    } while (vector < end)
    const lowHead = v128.load(panel, 0)
    const highHead = v128.load(panel, 16)
    if (isInteger<T>()) {
      low0 = i32x4.add(low0, low1)
      high0 = i32x4.add(high0, high1)
    }
    addScaled<T>(low0, high0, lowHead, highHead, vector, to)
    panel += groupBytes<T>()
    vector += VECTOR_GROUP - VECTOR_SUM
  }
  finishSums<T>(to)
}

/**
 * Sums of 8 rows for interleaved vectors (token-vectors.ts): f32[8] each, `toStride` bytes apart. Loads and widens every
 * weight once for all vectors. The sums equal those of dotPanel to the bit.
 */
export function dotPanelBeside<T>(
  count: i32,
  panel: usize,
  vectors: usize,
  groups: i32,
  to: usize,
  toStride: usize,
): void {
  if (count == 1) dotPanel<T>(panel, vectors, groups, to)
  else if (count == 2) dotPanelTimes<T>(2, panel, vectors, groups, to, toStride)
  else if (count == 3) dotPanelTimes<T>(3, panel, vectors, groups, to, toStride)
  else if (count == 4) dotPanelTimes<T>(4, panel, vectors, groups, to, toStride)
  else if (count == 5) dotPanelTimes<T>(5, panel, vectors, groups, to, toStride)
  else dotPanelTimes<T>(6, panel, vectors, groups, to, toStride)
}

/** `count` is a constant at each call, so that the code for more vectors is not compiled. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function dotPanelTimes<T>(
  count: i32,
  panel: usize,
  vectors: usize,
  groups: i32,
  to: usize,
  toStride: usize,
): void {
  const step = <usize>count * 16
  for (let row: usize = 0; row < <usize>count; row++) {
    v128.store(to + row * toStride, f32x4.splat(0), 0)
    v128.store(to + row * toStride, f32x4.splat(0), 16)
  }
  for (let group = 0; group < groups; group++) {
    let at = panel + headBytes<T>()
    const end = vectors + (VECTOR_SUM / 16) * step
    let low0 = i32x4.splat(0)
    let high0 = i32x4.splat(0)
    let low1 = i32x4.splat(0)
    let high1 = i32x4.splat(0)
    let low2 = i32x4.splat(0)
    let high2 = i32x4.splat(0)
    let low3 = i32x4.splat(0)
    let high3 = i32x4.splat(0)
    let low4 = i32x4.splat(0)
    let high4 = i32x4.splat(0)
    let low5 = i32x4.splat(0)
    let high5 = i32x4.splat(0)
    do {
      let low = sizeof<T>() == 1 ? v128.load_ext<i8>(at, 0) : v128.load(at, 0)
      let high = sizeof<T>() == 1 ? v128.load_ext<i8>(at, 8) : v128.load(at, 16)
      let inputs = v128.load(vectors, 0)
      low0 = addProducts<T>(low0, low, inputs)
      high0 = addProducts<T>(high0, high, inputs)
      if (count > 1) {
        inputs = v128.load(vectors, 16)
        low1 = addProducts<T>(low1, low, inputs)
        high1 = addProducts<T>(high1, high, inputs)
      }
      if (count > 2) {
        inputs = v128.load(vectors, 32)
        low2 = addProducts<T>(low2, low, inputs)
        high2 = addProducts<T>(high2, high, inputs)
      }
      if (count > 3) {
        inputs = v128.load(vectors, 48)
        low3 = addProducts<T>(low3, low, inputs)
        high3 = addProducts<T>(high3, high, inputs)
      }
      if (count > 4) {
        inputs = v128.load(vectors, 64)
        low4 = addProducts<T>(low4, low, inputs)
        high4 = addProducts<T>(high4, high, inputs)
      }
      if (count > 5) {
        inputs = v128.load(vectors, 80)
        low5 = addProducts<T>(low5, low, inputs)
        high5 = addProducts<T>(high5, high, inputs)
      }
      vectors += step
      low = sizeof<T>() == 1 ? v128.load_ext<i8>(at, 16) : v128.load(at, 32)
      high = sizeof<T>() == 1 ? v128.load_ext<i8>(at, 24) : v128.load(at, 48)
      inputs = v128.load(vectors, 0)
      low0 = addProducts<T>(low0, low, inputs)
      high0 = addProducts<T>(high0, high, inputs)
      if (count > 1) {
        inputs = v128.load(vectors, 16)
        low1 = addProducts<T>(low1, low, inputs)
        high1 = addProducts<T>(high1, high, inputs)
      }
      if (count > 2) {
        inputs = v128.load(vectors, 32)
        low2 = addProducts<T>(low2, low, inputs)
        high2 = addProducts<T>(high2, high, inputs)
      }
      if (count > 3) {
        inputs = v128.load(vectors, 48)
        low3 = addProducts<T>(low3, low, inputs)
        high3 = addProducts<T>(high3, high, inputs)
      }
      if (count > 4) {
        inputs = v128.load(vectors, 64)
        low4 = addProducts<T>(low4, low, inputs)
        high4 = addProducts<T>(high4, high, inputs)
      }
      if (count > 5) {
        inputs = v128.load(vectors, 80)
        low5 = addProducts<T>(low5, low, inputs)
        high5 = addProducts<T>(high5, high, inputs)
      }
      vectors += step
      at += sizeof<T>() == 1 ? 32 : 64
    } while (vectors < end)
    const lowHead = v128.load(panel, 0)
    const highHead = v128.load(panel, 16)
    addScaled<T>(low0, high0, lowHead, highHead, vectors, to)
    if (count > 1) addScaled<T>(low1, high1, lowHead, highHead, vectors + 16, to + toStride)
    if (count > 2) addScaled<T>(low2, high2, lowHead, highHead, vectors + 32, to + 2 * toStride)
    if (count > 3) addScaled<T>(low3, high3, lowHead, highHead, vectors + 48, to + 3 * toStride)
    if (count > 4) addScaled<T>(low4, high4, lowHead, highHead, vectors + 64, to + 4 * toStride)
    if (count > 5) addScaled<T>(low5, high5, lowHead, highHead, vectors + 80, to + 5 * toStride)
    panel += groupBytes<T>()
    vectors += step
  }
  for (let row: usize = 0; row < <usize>count; row++) finishSums<T>(to + row * toStride)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function addScaled<T>(low: v128, high: v128, lowHead: v128, highHead: v128, sum: usize, to: usize): void {
  if (isFloat<T>()) {
    v128.store(to, f32x4.add(v128.load(to, 0), low), 0)
    v128.store(to, f32x4.add(v128.load(to, 16), high), 16)
    return
  }
  let lowSums = f32x4.add(v128.load(to, 0), f32x4.mul(f32x4.convert_i32x4_s(low), scalesOf<T>(lowHead)))
  let highSums = f32x4.add(v128.load(to, 16), f32x4.mul(f32x4.convert_i32x4_s(high), scalesOf<T>(highHead)))
  if (sizeof<T>() == 1) {
    const inputs = v128.load(sum)
    lowSums = f32x4.add(lowSums, f32x4.mul(inputs, offsetsOf(lowHead)))
    highSums = f32x4.add(highSums, f32x4.mul(inputs, offsetsOf(highHead)))
  }
  v128.store(to, lowSums, 0)
  v128.store(to, highSums, 16)
}

/** Scales of i8 weights are multiplied by HALF_UNIT only at the end. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function scalesOf<T>(head: v128): v128 {
  if (sizeof<T>() == 1) return v128.and(i32x4.shl(head, 13), i32x4.splat(0x0fffe000))
  return head
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function offsetsOf(head: v128): v128 {
  return v128.and(i32x4.shr_s(head, 3), i32x4.splat(0x8fffe000))
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function finishSums<T>(to: usize): void {
  if (sizeof<T>() != 1) return
  v128.store(to, f32x4.mul(v128.load(to, 0), f32x4.splat(HALF_UNIT)), 0)
  v128.store(to, f32x4.mul(v128.load(to, 16), f32x4.splat(HALF_UNIT)), 16)
}

/** The nearest f16; numbers above the range become the largest f16. */
export function halfOf(x: f32): u32 {
  const bits = reinterpret<u32>(abs(x) * HALF_INVERSE)
  const rounded = (bits + 0xfff + ((bits >>> 13) & 1)) >>> 13
  return min(rounded, 0x7bff) | ((reinterpret<u32>(x) >>> 16) & 0x8000)
}

export function fromHalf(half: u32): f32 {
  const size = reinterpret<f32>((half & 0x7fff) << 13) * HALF_UNIT
  return half & 0x8000 ? -size : size
}

// Packs f32 vectors for token-panels.ts, and in order for the keys and values of attention.

import { GROUP, PACKED_VECTORS_IN_CHUNK } from '../interface'
import { PACK_VECTORS } from '../kernel-arguments'
import { argument } from './arguments'
import { scratchOf } from './control'
import { normalize } from './norm'
import { spreadInSteps } from './tile'
import { spreadVector } from './token-floats'
import { LARGEST, NORM_LIMIT, VECTOR_GROUP, groupOf } from './token-panels'
import { maximumOf, rounded16, SMALLEST, sumOf } from './vector'

/** Vectors per chunk. */
const VECTORS: i32 = PACKED_VECTORS_IN_CHUNK

/** The most vectors multiplied at once, limited by the registers for their sums. */
export const MAX_SIDE_BY_SIDE: i32 = 6

/**
 * Vectors are interleaved by 16 bytes, so that one address reaches all of a batch. The batches are as few and as equal in
 * size as possible.
 * @returns the size of the batch that starts at vector `first`, of `count` in total
 */
export function sideBySide(first: i32, count: i32): i32 {
  const times = (count + MAX_SIDE_BY_SIDE - 1) / MAX_SIDE_BY_SIDE
  const least = count / times
  return first < (count % times) * (least + 1) ? least + 1 : least
}

/** The first vector of a vector's batch. */
function firstBeside(vector: i32, count: i32): i32 {
  const times = (count + MAX_SIDE_BY_SIDE - 1) / MAX_SIDE_BY_SIDE
  const least = count / times
  const inLarger = (count % times) * (least + 1)
  if (vector < inLarger) return vector - (vector % (least + 1))
  return vector - ((vector - inLarger) % least)
}

/** Packs vectors, each with a scale. A chunk is 4 vectors. */
export function packVectors(chunk: i32, thread: i32): void {
  const width = argument(PACK_VECTORS.width)
  const isFloat = argument(PACK_VECTORS.inFloats)
  const bytes = <usize>(width / (isFloat ? groupOf<f32>() : GROUP)) * VECTOR_GROUP
  const last = min(argument(PACK_VECTORS.count), (chunk + 1) * VECTORS)
  for (let vector = chunk * VECTORS; vector < last; vector++) {
    let from = <usize>argument(PACK_VECTORS.from) + <usize>vector * width * 4
    if (argument(PACK_VECTORS.normWeight)) {
      normalize(
        from,
        scratchOf(thread),
        argument(PACK_VECTORS.normWeight),
        argument(PACK_VECTORS.normBias),
        width,
      )
      from = scratchOf(thread)
    }
    const beside = firstBeside(vector, argument(PACK_VECTORS.count))
    const step = <usize>sideBySide(beside, argument(PACK_VECTORS.count)) * 16
    const to = <usize>argument(PACK_VECTORS.to) + <usize>beside * bytes + <usize>(vector - beside) * 16
    let scale: f32 = 1
    if (isFloat) spreadVector(from, to, width, step)
    else scale = packVector(from, to, width, step)
    store<f32>(<usize>argument(PACK_VECTORS.scales) + <usize>vector * 4, scale)
  }
}

/**
 * Packs a vector for the product with panels.
 * @param step distance between its runs of 16 bytes: 16, or more if it is interleaved with others
 * @returns the scale of the integers
 */
export function packVector(from: usize, to: usize, width: i32, step: usize): f32 {
  const factor = factorOf(from, width)
  const factors = f32x4.splat(factor)
  for (let group = 0; group < width; group += GROUP) {
    let sums = i32x4.splat(0)
    for (let i = 0; i < GROUP; i += 8) {
      const whole = rounded16(f32x4.mul(v128.load(from, 0), factors), f32x4.mul(v128.load(from, 16), factors))
      sums = i32x4.add(sums, spreadEight(whole, to, step))
      from += 32
      to += 4 * step
    }
    storeSum(sums, to)
    to += step
  }
  return <f32>1 / factor
}

/** Stores 8 integers of a vector. @returns their sums in four lanes */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function spreadEight(whole: v128, to: usize, step: usize): v128 {
  spreadInSteps(whole, to, step)
  return i32x4.dot_i16x8_s(whole, i16x8.splat(1))
}

/** Stores the sum of a group, which is exact in f32: 32 · 32768 is 2²⁰. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function storeSum(sums: v128, to: usize): void {
  const pairs = i32x4.add(sums, i32x4.shuffle(sums, sums, 2, 3, 0, 1))
  v128.store(to, f32x4.convert_i32x4_s(i32x4.add(pairs, i32x4.shuffle(pairs, pairs, 1, 0, 3, 2))))
}

/** Packs numbers in order, as i16 or unchanged as f32. @returns their scale */
export function packPlain<T>(from: usize, to: usize, width: i32): f32 {
  if (isFloat<T>()) {
    memory.copy(to, from, <usize>width * 4)
    return 1
  }
  const factor = factorOf(from, width)
  const factors = f32x4.splat(factor)
  for (let at = 0; at < width; at += 8) {
    v128.store(to, rounded16(f32x4.mul(v128.load(from, 0), factors), f32x4.mul(v128.load(from, 16), factors)))
    from += 32
    to += 16
  }
  return <f32>1 / factor
}

/** The largest factor that keeps every integer within i16 and every group within the norm. */
export function factorOf(from: usize, width: i32): f32 {
  let largest = f32x4.splat(SMALLEST)
  let most: f32 = SMALLEST * SMALLEST
  for (let group = 0; group < width; group += GROUP) {
    let squares = f32x4.splat(0)
    for (let i = 0; i < GROUP; i += 8) {
      const low = v128.load(from, 0)
      const high = v128.load(from, 16)
      largest = f32x4.pmax(largest, f32x4.pmax(f32x4.abs(low), f32x4.abs(high)))
      squares = f32x4.add(squares, f32x4.add(f32x4.mul(low, low), f32x4.mul(high, high)))
      from += 32
    }
    most = max(most, sumOf(squares))
  }
  return min(LARGEST / maximumOf(largest), NORM_LIMIT / Mathf.sqrt(most))
}

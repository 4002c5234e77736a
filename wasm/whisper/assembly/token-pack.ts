// Packs f32 into what panels.ts multiplies: matrices as panels, vectors as i16 with one scale.
// Multiplies nothing.

import { argument } from './arguments'
import { scratchOf } from './control'
import { normalize } from './norm'
import { GROUP, LARGEST, NORM_LIMIT, PANEL_ROWS, SCALES, groupBytes } from './token-panels'
import { maximumOf, rounded16, sumOf } from './vector'

/** The greatest i8 weight. */
const SHORT_LARGEST: f32 = 127
/** Smaller numbers are zero. The squares of this are still normal numbers. */
const SMALLEST: f32 = 1e-15

/** Panels of a chunk. */
const PANELS: i32 = 8
/** Vectors of a chunk. */
const VECTORS: i32 = 4

/**
 * A matrix whose rows lie row after row. Arguments: from, to, rows, bytes from row to row, groups of inputs, bytes from
 * panel to panel, bytes from group to group, whether as i16. Rows missing in the last panel become zero.
 */
export function packMatrix(chunk: i32): void {
  if (argument(7)) packRows<i16>(chunk)
  else packRows<i8>(chunk)
}

function packRows<T>(chunk: i32): void {
  const rows = argument(2)
  const groups = argument(4)
  const last = min(rows, (chunk + 1) * PANELS * PANEL_ROWS)
  for (let row = chunk * PANELS * PANEL_ROWS; row < last; row++) {
    const panel = <usize>argument(1) + <usize>(row / PANEL_ROWS) * <usize>argument(5)
    const from = <usize>argument(0) + <usize>row * <usize>argument(3)
    for (let group = 0; group < groups; group++) {
      packGroup<T>(from + <usize>group * GROUP * 4, panel + <usize>group * <usize>argument(6), row % PANEL_ROWS)
    }
  }
  if (last < rows) return
  for (let row = rows; row % PANEL_ROWS; row++) {
    const panel = <usize>argument(1) + <usize>(row / PANEL_ROWS) * <usize>argument(5)
    for (let group = 0; group < groups; group++) clear<T>(panel + <usize>group * <usize>argument(6), row % PANEL_ROWS)
  }
}

/** 64 numbers of one row. */
function packGroup<T>(from: usize, to: usize, lane: i32): void {
  const factor = sizeof<T>() == 1 ? SHORT_LARGEST / largestOf(from, GROUP) : factorOf(from, GROUP)
  const factors = f32x4.splat(factor)
  store<f32>(to + <usize>lane * 4, <f32>1 / factor)
  to += SCALES + <usize>lane * 2 * sizeof<T>()
  for (let input = 0; input < GROUP; input += 8) {
    const whole = rounded16(f32x4.mul(v128.load(from, 0), factors), f32x4.mul(v128.load(from, 16), factors))
    if (sizeof<T>() == 1) {
      const bytes = i8x16.narrow_i16x8_s(whole, whole)
      v128.store_lane<u16>(to, bytes, 0, 0)
      v128.store_lane<u16>(to, bytes, 1, 16)
      v128.store_lane<u16>(to, bytes, 2, 32)
      v128.store_lane<u16>(to, bytes, 3, 48)
    } else {
      v128.store_lane<u32>(to, whole, 0, 0)
      v128.store_lane<u32>(to, whole, 1, 32)
      v128.store_lane<u32>(to, whole, 2, 64)
      v128.store_lane<u32>(to, whole, 3, 96)
    }
    from += 32
    to += 64 * sizeof<T>()
  }
}

function clear<T>(to: usize, lane: i32): void {
  store<f32>(to + <usize>lane * 4, 0)
  to += SCALES + <usize>lane * 2 * sizeof<T>()
  for (let pair = 0; pair < GROUP / 2; pair++) {
    if (sizeof<T>() == 1) store<u16>(to, 0)
    else store<u32>(to, 0)
    to += 16 * sizeof<T>()
  }
}

/**
 * A matrix whose columns lie one after another, which is the transpose of what packMatrix takes. Arguments: from, to,
 * rows (a multiple of 8), bytes from column to column, columns, whether as i16. A chunk is one panel. Columns missing
 * in the last group become zero.
 */
export function packTransposed(chunk: i32): void {
  if (argument(5)) packColumns<i16>(chunk)
  else packColumns<i8>(chunk)
}

function packColumns<T>(panel: i32): void {
  const columns = argument(4)
  const stride = <usize>argument(3)
  const groups = (columns + GROUP - 1) / GROUP
  let from = <usize>argument(0) + <usize>panel * PANEL_ROWS * 4
  let to = <usize>argument(1) + <usize>panel * <usize>groups * groupBytes<T>()
  for (let group = 0; group < groups; group++) {
    packColumnGroup<T>(from, to, stride, min(GROUP, columns - group * GROUP))
    from += <usize>GROUP * stride
    to += groupBytes<T>()
  }
}

/** At most 64 columns of 8 rows. */
function packColumnGroup<T>(from: usize, to: usize, stride: usize, columns: i32): void {
  const low = columnFactors<T>(from, stride, columns)
  const high = columnFactors<T>(from + 16, stride, columns)
  v128.store(to, f32x4.div(f32x4.splat(1), low), 0)
  v128.store(to, f32x4.div(f32x4.splat(1), high), 16)
  to += SCALES
  for (let column = 0; column < GROUP; column += 2) {
    const first = from + <usize>column * stride
    const a = column < columns ? eightOf(first, low, high) : i32x4.splat(0)
    const b = column + 1 < columns ? eightOf(first + stride, low, high) : i32x4.splat(0)
    const pairsLow = i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
    const pairsHigh = i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
    if (sizeof<T>() == 1) {
      v128.store(to, i8x16.narrow_i16x8_s(pairsLow, pairsHigh))
    } else {
      v128.store(to, pairsLow, 0)
      v128.store(to, pairsHigh, 16)
    }
    to += 16 * sizeof<T>()
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function eightOf(from: usize, low: v128, high: v128): v128 {
  return rounded16(f32x4.mul(v128.load(from, 0), low), f32x4.mul(v128.load(from, 16), high))
}

/** What four rows are multiplied with, whose columns lie `stride` bytes apart. */
function columnFactors<T>(from: usize, stride: usize, columns: i32): v128 {
  let largest = f32x4.splat(SMALLEST)
  let squares = f32x4.splat(SMALLEST * SMALLEST)
  for (let column = 0; column < columns; column++) {
    const values = v128.load(from)
    largest = f32x4.pmax(largest, f32x4.abs(values))
    squares = f32x4.add(squares, f32x4.mul(values, values))
    from += stride
  }
  if (sizeof<T>() == 1) return f32x4.div(f32x4.splat(SHORT_LARGEST), largest)
  return f32x4.pmin(
    f32x4.div(f32x4.splat(LARGEST), largest),
    f32x4.div(f32x4.splat(NORM_LIMIT), f32x4.sqrt(squares)),
  )
}

/**
 * Vectors as i16, each with a scale, normed before if there is a norm. Arguments: from (f32), to (i16), scales (f32),
 * weight and bias of the norm (0: none), vectors, width. A chunk is 4 vectors.
 */
export function packVectors(chunk: i32, thread: i32): void {
  const width = argument(6)
  const last = min(argument(5), (chunk + 1) * VECTORS)
  for (let vector = chunk * VECTORS; vector < last; vector++) {
    let from = <usize>argument(0) + <usize>vector * width * 4
    if (argument(3)) {
      normalize(from, scratchOf(thread), argument(3), argument(4), width)
      from = scratchOf(thread)
    }
    const scale = packVector(from, <usize>argument(1) + <usize>vector * width * 2, width)
    store<f32>(<usize>argument(2) + <usize>vector * 4, scale)
  }
}

/** A multiple of 64 numbers. @returns what the integers are to be multiplied with */
export function packVector(from: usize, to: usize, width: i32): f32 {
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
function factorOf(from: usize, width: i32): f32 {
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

/** The largest absolute value, never 0. */
function largestOf(from: usize, width: i32): f32 {
  let largest = f32x4.splat(SMALLEST)
  for (let i = 0; i < width; i += 4) {
    largest = f32x4.pmax(largest, f32x4.abs(v128.load(from)))
    from += 16
  }
  return maximumOf(largest)
}

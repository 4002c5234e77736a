// Packs f32 matrices into the panels of token-panels.ts.

import { FLOAT_GRID, GROUP, LONG_GRID, PACKED_PANELS_IN_CHUNK, PANEL_ROWS } from '../interface'
import { PACK_MATRIX, PACK_TRANSPOSED } from '../kernel-arguments'
import { argument } from './arguments'
import { copyColumns, copyRows } from './token-floats'
import { GROUP_HEAD, LARGEST, NORM_LIMIT, fromHalf, groupBytes, halfOf } from './token-panels'
import { factorOf } from './token-vectors'
import { maximumOf, rounded16, SMALLEST } from './vector'

/** Panels per chunk. */
const PANELS: i32 = PACKED_PANELS_IN_CHUNK

/** Pads the last panel with zero rows. */
export function packMatrix(chunk: i32): void {
  const first = chunk * PANELS * PANEL_ROWS
  const last =
    min(argument(PACK_MATRIX.rows) + PANEL_ROWS - 1, first + PANELS * PANEL_ROWS) & ~(PANEL_ROWS - 1)
  const grid = argument(PACK_MATRIX.grid)
  if (grid == FLOAT_GRID) copyRows(first, last)
  else if (grid == LONG_GRID) packRows<i16>(first, last)
  else packRows<i8>(first, last)
}

function packRows<T>(first: i32, last: i32): void {
  const rows = argument(PACK_MATRIX.rows)
  for (let row = first; row < last; row++) {
    let from = <usize>argument(PACK_MATRIX.from) + <usize>row * <usize>argument(PACK_MATRIX.rowBytes)
    let part =
      <usize>argument(PACK_MATRIX.to) + <usize>(row / PANEL_ROWS) * <usize>argument(PACK_MATRIX.panelBytes)
    for (let group = 0; group < argument(PACK_MATRIX.groups); group += argument(PACK_MATRIX.groupsInPart)) {
      let to = part
      for (let i = 0; i < argument(PACK_MATRIX.groupsInPart); i++) {
        if (row < rows) packGroup<T>(from, to, row % PANEL_ROWS, argument(PACK_MATRIX.grid))
        else clearGroup<T>(to, row % PANEL_ROWS)
        from += <usize>GROUP * 4
        to += groupBytes<T>()
      }
      part += <usize>argument(PACK_MATRIX.partBytes)
    }
  }
}

/** Packs 32 numbers of one row. */
function packGroup<T>(from: usize, to: usize, lane: i32, grid: i32): void {
  let factor: f32
  let shift: f32 = 0
  if (sizeof<T>() == 1) {
    const head = headOfRow(from, grid)
    store<u32>(to + <usize>lane * 4, head)
    factor = factorIn(head)
    shift = shiftIn(head)
  } else {
    factor = factorOf(from, GROUP)
    store<f32>(to + <usize>lane * 4, <f32>1 / factor)
  }
  const factors = f32x4.splat(factor)
  const shifts = f32x4.splat(shift)
  to += GROUP_HEAD + <usize>lane * 2 * sizeof<T>()
  for (let input = 0; input < GROUP; input += 8) {
    const first = f32x4.mul(f32x4.sub(v128.load(from, 0), shifts), factors)
    const whole = rounded16(first, f32x4.mul(f32x4.sub(v128.load(from, 16), shifts), factors))
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

function headOfRow(from: usize, grid: i32): u32 {
  let least = v128.load(from)
  let largest = least
  for (let at = from + 16; at < from + <usize>GROUP * 4; at += 16) {
    const values = v128.load(at)
    least = f32x4.pmin(least, values)
    largest = f32x4.pmax(largest, values)
  }
  return headOf(-maximumOf(f32x4.neg(least)), maximumOf(largest), grid)
}

/** The word with scale and offset of i8 weights from `least` to `largest`. */
function headOf(least: f32, largest: f32, grid: i32): u32 {
  if (grid > 0) return halfOf(max(largest, -least) / <f32>grid)
  const scale = halfOf((largest - least) / <f32>-grid)
  // integers of finer grids start at −128, of coarser ones at 0, which makes the offset the f16 of the file
  const offset = grid < -127 ? least + fromHalf(scale) * 128 : least
  return scale | (halfOf(offset) << 16)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function factorIn(head: u32): f32 {
  const scale = fromHalf(head & 0xffff)
  return scale > 0 ? <f32>1 / scale : 0
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function shiftIn(head: u32): f32 {
  return fromHalf(head >>> 16)
}

function clearGroup<T>(to: usize, lane: i32): void {
  store<u32>(to + <usize>lane * 4, 0)
  to += GROUP_HEAD + <usize>lane * 2 * sizeof<T>()
  for (let pair = 0; pair < GROUP / 2; pair++) {
    if (sizeof<T>() == 1) store<u16>(to, 0)
    else store<u32>(to, 0)
    to += 16 * sizeof<T>()
  }
}

/** A chunk is one panel. Pads the last group with zero columns. */
export function packTransposed(chunk: i32): void {
  const grid = argument(PACK_TRANSPOSED.grid)
  if (grid == FLOAT_GRID) copyColumns(chunk)
  else if (grid == LONG_GRID) packColumns<i16>(chunk)
  else packColumns<i8>(chunk)
}

function packColumns<T>(panel: i32): void {
  const columns = argument(PACK_TRANSPOSED.columns)
  const stride = <usize>argument(PACK_TRANSPOSED.columnBytes)
  let from = <usize>argument(PACK_TRANSPOSED.from) + <usize>panel * PANEL_ROWS * 4
  let to = <usize>argument(PACK_TRANSPOSED.to) + <usize>panel * <usize>argument(PACK_TRANSPOSED.panelBytes)
  for (let column = 0; column < columns; column += GROUP) {
    packColumnGroup<T>(from, to, stride, min(GROUP, columns - column))
    from += <usize>GROUP * stride
    to += groupBytes<T>()
  }
}

/** Packs at most 32 columns of 8 rows. */
function packColumnGroup<T>(from: usize, to: usize, stride: usize, columns: i32): void {
  packColumnHeads<T>(from, to, stride, columns)
  packColumnHeads<T>(from + 16, to + 16, stride, columns)
  const low = columnFactors<T>(to)
  const high = columnFactors<T>(to + 16)
  const lowShift = columnShifts<T>(to)
  const highShift = columnShifts<T>(to + 16)
  to += GROUP_HEAD
  for (let column = 0; column < GROUP; column += 2) {
    const first = from + <usize>column * stride
    let a = i32x4.splat(0)
    let b = i32x4.splat(0)
    if (column < columns) a = eightOf(first, low, high, lowShift, highShift)
    if (column + 1 < columns) b = eightOf(first + stride, low, high, lowShift, highShift)
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
function eightOf(from: usize, low: v128, high: v128, lowShift: v128, highShift: v128): v128 {
  return rounded16(
    f32x4.mul(f32x4.sub(v128.load(from, 0), lowShift), low),
    f32x4.mul(f32x4.sub(v128.load(from, 16), highShift), high),
  )
}

/** Packs the heads of four rows whose columns are `stride` bytes apart. */
function packColumnHeads<T>(from: usize, to: usize, stride: usize, columns: i32): void {
  let least = v128.load(from)
  let largest = least
  let squares = f32x4.splat(SMALLEST * SMALLEST)
  for (let column = 0; column < columns; column++) {
    const values = v128.load(from)
    least = f32x4.pmin(least, values)
    largest = f32x4.pmax(largest, values)
    squares = f32x4.add(squares, f32x4.mul(values, values))
    from += stride
  }
  if (sizeof<T>() == 1) {
    const grid = argument(PACK_TRANSPOSED.grid)
    store<u32>(to, headOf(f32x4.extract_lane(least, 0), f32x4.extract_lane(largest, 0), grid), 0)
    store<u32>(to, headOf(f32x4.extract_lane(least, 1), f32x4.extract_lane(largest, 1), grid), 4)
    store<u32>(to, headOf(f32x4.extract_lane(least, 2), f32x4.extract_lane(largest, 2), grid), 8)
    store<u32>(to, headOf(f32x4.extract_lane(least, 3), f32x4.extract_lane(largest, 3), grid), 12)
  } else {
    const size = f32x4.pmax(f32x4.splat(SMALLEST), f32x4.pmax(f32x4.neg(least), largest))
    const scale = f32x4.pmax(
      f32x4.div(size, f32x4.splat(LARGEST)),
      f32x4.div(f32x4.sqrt(squares), f32x4.splat(NORM_LIMIT)),
    )
    v128.store(to, scale)
  }
}

function columnFactors<T>(heads: usize): v128 {
  if (sizeof<T>() != 1) return f32x4.div(f32x4.splat(1), v128.load(heads))
  let factors = f32x4.splat(factorIn(load<u32>(heads)))
  factors = f32x4.replace_lane(factors, 1, factorIn(load<u32>(heads, 4)))
  factors = f32x4.replace_lane(factors, 2, factorIn(load<u32>(heads, 8)))
  return f32x4.replace_lane(factors, 3, factorIn(load<u32>(heads, 12)))
}

function columnShifts<T>(heads: usize): v128 {
  if (sizeof<T>() != 1) return f32x4.splat(0)
  let shifts = f32x4.splat(shiftIn(load<u32>(heads)))
  shifts = f32x4.replace_lane(shifts, 1, shiftIn(load<u32>(heads, 4)))
  shifts = f32x4.replace_lane(shifts, 2, shiftIn(load<u32>(heads, 8)))
  return f32x4.replace_lane(shifts, 3, shiftIn(load<u32>(heads, 12)))
}

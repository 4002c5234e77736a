// The innermost product: 6 rows times 8 outputs, of i16 in pairs summed in i32, or of f32.
//
// A cell is a pair of i16 or one f32. Operands are in panels: 6 rows [cells][6], 8 outputs [cells][8]. Before its products, a
// block of rows is spread: every cell four times, [cells][6][4], in a thread's L1 cache. A cell of inputs then takes 8 plain
// loads and 12 products, whose sums stay in registers. Without spreading, the rate is a third lower, because Bun compiles a
// splatting load to two slow instructions (unless its offset is zero).

import { OUTPUT_PANEL, ROW_PANEL, TILE } from '../interface'
import { TILE_IN_USE } from './control'
import { MAX_IN_BLOCK } from './quantize'
import { tileApart } from './tile-apart'

/** Rows of a tile, and of a panel of rows. */
export const TILE_ROWS: i32 = ROW_PANEL
/** Outputs of a tile, and of a panel of outputs. */
export const TILE_OUTPUTS: i32 = OUTPUT_PANEL
/** Bytes of a tile of f32: [6][8]. */
export const TILE_BYTES: usize = 192
/** Bytes of a row of a tile. */
export const TILE_STEP: usize = 32
/** Bytes of a cell of inputs in a panel of rows, in spread rows, and in a panel of outputs. */
export const ROWS_CELL: usize = 24
export const SPREAD_CELL: usize = 96
export const OUTPUTS_CELL: usize = 32
/** Cells of the largest block, and its bytes when spread. */
export const MAX_CELLS: i32 = MAX_IN_BLOCK >> 1
export const SPREAD_BYTES: usize = <usize>MAX_CELLS * SPREAD_CELL

/** The number of cells of `inputs` i16 or f32. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function cellsOf<T>(inputs: i32): i32 {
  return isFloat<T>() ? inputs : inputs >> 1
}

/** Spreads the cells of a panel of rows; `cells` is a multiple of 2. */
export function spread(from: usize, cells: i32, to: usize): void {
  const end = from + <usize>cells * ROWS_CELL
  while (from < end) {
    spreadFour(v128.load(from), to)
    spreadFour(v128.load(from, 16), to + 64)
    spreadFour(v128.load(from, 32), to + 128)
    from += 48
    to += 192
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
export function spreadFour(cells: v128, to: usize): void {
  spreadInSteps(cells, to, 16)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
export function spreadInSteps(cells: v128, to: usize, step: usize): void {
  v128.store(to, i32x4.shuffle(cells, cells, 0, 0, 0, 0))
  v128.store(to + step, i32x4.shuffle(cells, cells, 1, 1, 1, 1))
  v128.store(to + 2 * step, i32x4.shuffle(cells, cells, 2, 2, 2, 2))
  v128.store(to + 3 * step, i32x4.shuffle(cells, cells, 3, 3, 3, 3))
}

/** Adds the product of a cell to each of four sums. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function addProducts<T>(sums: v128, a: v128, b: v128): v128 {
  if (isFloat<T>()) return f32x4.add(sums, f32x4.mul(a, b))
  return i32x4.add(sums, i32x4.dot_i16x8_s(a, b))
}

/** Whether a tile's sums are stored or added. */
class Stored {}
class Added {}

/**
 * Products of spread rows with a panel of outputs as f32: 6 rows of 8, `step` bytes apart.
 * `cells` is a multiple of 2, at most a block. The i32 sums cannot overflow: see MAX_IN_BLOCK.
 */
export function tile<T>(rows: usize, outputs: usize, cells: i32, to: usize, step: usize): void {
  if (isFloat<T>() || load<u32>(TILE_IN_USE) == TILE.together) multiplied<T, Stored>(rows, outputs, cells, to, step)
  else tileApart(rows, outputs, cells, to, step, false)
}

/** Like `tile`, but adds to the existing values. */
export function addTile<T>(rows: usize, outputs: usize, cells: i32, to: usize, step: usize): void {
  if (isFloat<T>() || load<u32>(TILE_IN_USE) == TILE.together) multiplied<T, Added>(rows, outputs, cells, to, step)
  else tileApart(rows, outputs, cells, to, step, true)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function multiplied<T, F>(rows: usize, outputs: usize, cells: i32, to: usize, step: usize): void {
  let c00 = i32x4.splat(0)
  let c01 = i32x4.splat(0)
  let c10 = i32x4.splat(0)
  let c11 = i32x4.splat(0)
  let c20 = i32x4.splat(0)
  let c21 = i32x4.splat(0)
  let c30 = i32x4.splat(0)
  let c31 = i32x4.splat(0)
  let c40 = i32x4.splat(0)
  let c41 = i32x4.splat(0)
  let c50 = i32x4.splat(0)
  let c51 = i32x4.splat(0)
  const end = outputs + <usize>cells * OUTPUTS_CELL
  do {
    let b0 = v128.load(outputs, 0)
    let b1 = v128.load(outputs, 16)
    let a = v128.load(rows, 0)
    c00 = addProducts<T>(c00, a, b0)
    c01 = addProducts<T>(c01, a, b1)
    a = v128.load(rows, 16)
    c10 = addProducts<T>(c10, a, b0)
    c11 = addProducts<T>(c11, a, b1)
    a = v128.load(rows, 32)
    c20 = addProducts<T>(c20, a, b0)
    c21 = addProducts<T>(c21, a, b1)
    a = v128.load(rows, 48)
    c30 = addProducts<T>(c30, a, b0)
    c31 = addProducts<T>(c31, a, b1)
    a = v128.load(rows, 64)
    c40 = addProducts<T>(c40, a, b0)
    c41 = addProducts<T>(c41, a, b1)
    a = v128.load(rows, 80)
    c50 = addProducts<T>(c50, a, b0)
    c51 = addProducts<T>(c51, a, b1)
    // Never true. Without a branch here, the optimiser merges the two halves, which then need more registers than
    // there are.
    if (!end) break
    b0 = v128.load(outputs, 32)
    b1 = v128.load(outputs, 48)
    a = v128.load(rows, 96)
    c00 = addProducts<T>(c00, a, b0)
    c01 = addProducts<T>(c01, a, b1)
    a = v128.load(rows, 112)
    c10 = addProducts<T>(c10, a, b0)
    c11 = addProducts<T>(c11, a, b1)
    a = v128.load(rows, 128)
    c20 = addProducts<T>(c20, a, b0)
    c21 = addProducts<T>(c21, a, b1)
    a = v128.load(rows, 144)
    c30 = addProducts<T>(c30, a, b0)
    c31 = addProducts<T>(c31, a, b1)
    a = v128.load(rows, 160)
    c40 = addProducts<T>(c40, a, b0)
    c41 = addProducts<T>(c41, a, b1)
    a = v128.load(rows, 176)
    c50 = addProducts<T>(c50, a, b0)
    c51 = addProducts<T>(c51, a, b1)
    rows += 2 * SPREAD_CELL
    outputs += 2 * OUTPUTS_CELL
  } while (outputs < end)
  put<T, F>(to, c00, c01)
  put<T, F>(to + step, c10, c11)
  put<T, F>(to + 2 * step, c20, c21)
  put<T, F>(to + 3 * step, c30, c31)
  put<T, F>(to + 4 * step, c40, c41)
  put<T, F>(to + 5 * step, c50, c51)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function put<T, F>(to: usize, left: v128, right: v128): void {
  const first = isFloat<T>() ? left : f32x4.convert_i32x4_s(left)
  const second = isFloat<T>() ? right : f32x4.convert_i32x4_s(right)
  if (idof<F>() == idof<Added>()) {
    v128.store(to, f32x4.add(v128.load(to), first))
    v128.store(to, f32x4.add(v128.load(to, 16), second), 16)
  } else {
    v128.store(to, first)
    v128.store(to, second, 16)
  }
}

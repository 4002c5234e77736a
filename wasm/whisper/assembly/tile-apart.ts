// The tile of i16 for processors that add a product of 16 bits to a sum in one instruction, such as arm64's smlal. The
// products of the first and of the second inputs of pairs have sums of their own, which are added at the end: twice as many
// registers as in tile.ts, and on arm64 half as many instructions for a product. The results are equal to the bit, since
// integer sums do not depend on their order.

import { OUTPUT_PANEL, ROW_PANEL } from '../interface'

/** Bytes of a cell, as in tile.ts. */
const SPREAD_CELL: usize = ROW_PANEL * 16
const OUTPUTS_CELL: usize = OUTPUT_PANEL * 4

// @ts-ignore: a decorator of AssemblyScript
@inline
function addLow(sums: v128, a: v128, b: v128): v128 {
  return i32x4.add(sums, i32x4.extmul_low_i16x8_s(a, b))
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function addHigh(sums: v128, a: v128, b: v128): v128 {
  return i32x4.add(sums, i32x4.extmul_high_i16x8_s(a, b))
}

/** Like tile<i16>, or addTile<i16> if `adds`. In names: row, and pair of outputs. */
export function tileApart(rows: usize, outputs: usize, cells: i32, to: usize, step: usize, adds: bool): void {
  let c00 = i32x4.splat(0)
  let c01 = i32x4.splat(0)
  let c02 = i32x4.splat(0)
  let c03 = i32x4.splat(0)
  let c10 = i32x4.splat(0)
  let c11 = i32x4.splat(0)
  let c12 = i32x4.splat(0)
  let c13 = i32x4.splat(0)
  let c20 = i32x4.splat(0)
  let c21 = i32x4.splat(0)
  let c22 = i32x4.splat(0)
  let c23 = i32x4.splat(0)
  let c30 = i32x4.splat(0)
  let c31 = i32x4.splat(0)
  let c32 = i32x4.splat(0)
  let c33 = i32x4.splat(0)
  let c40 = i32x4.splat(0)
  let c41 = i32x4.splat(0)
  let c42 = i32x4.splat(0)
  let c43 = i32x4.splat(0)
  let c50 = i32x4.splat(0)
  let c51 = i32x4.splat(0)
  let c52 = i32x4.splat(0)
  let c53 = i32x4.splat(0)
  const end = outputs + <usize>cells * OUTPUTS_CELL
  do {
    const b0 = v128.load(outputs, 0)
    const b1 = v128.load(outputs, 16)
    let a = v128.load(rows, 0)
    c00 = addLow(c00, a, b0)
    c01 = addHigh(c01, a, b0)
    c02 = addLow(c02, a, b1)
    c03 = addHigh(c03, a, b1)
    a = v128.load(rows, 16)
    c10 = addLow(c10, a, b0)
    c11 = addHigh(c11, a, b0)
    c12 = addLow(c12, a, b1)
    c13 = addHigh(c13, a, b1)
    a = v128.load(rows, 32)
    c20 = addLow(c20, a, b0)
    c21 = addHigh(c21, a, b0)
    c22 = addLow(c22, a, b1)
    c23 = addHigh(c23, a, b1)
    a = v128.load(rows, 48)
    c30 = addLow(c30, a, b0)
    c31 = addHigh(c31, a, b0)
    c32 = addLow(c32, a, b1)
    c33 = addHigh(c33, a, b1)
    a = v128.load(rows, 64)
    c40 = addLow(c40, a, b0)
    c41 = addHigh(c41, a, b0)
    c42 = addLow(c42, a, b1)
    c43 = addHigh(c43, a, b1)
    a = v128.load(rows, 80)
    c50 = addLow(c50, a, b0)
    c51 = addHigh(c51, a, b0)
    c52 = addLow(c52, a, b1)
    c53 = addHigh(c53, a, b1)
    rows += SPREAD_CELL
    outputs += OUTPUTS_CELL
  } while (outputs < end)
  put(to, c00, c01, adds)
  put(to + 16, c02, c03, adds)
  put(to + step, c10, c11, adds)
  put(to + step + 16, c12, c13, adds)
  put(to + 2 * step, c20, c21, adds)
  put(to + 2 * step + 16, c22, c23, adds)
  put(to + 3 * step, c30, c31, adds)
  put(to + 3 * step + 16, c32, c33, adds)
  put(to + 4 * step, c40, c41, adds)
  put(to + 4 * step + 16, c42, c43, adds)
  put(to + 5 * step, c50, c51, adds)
  put(to + 5 * step + 16, c52, c53, adds)
}

/** Adds the two sums of each output. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function put(to: usize, left: v128, right: v128, adds: bool): void {
  const first = i32x4.shuffle(left, right, 0, 2, 4, 6)
  const second = i32x4.shuffle(left, right, 1, 3, 5, 7)
  const sums = f32x4.convert_i32x4_s(i32x4.add(first, second))
  v128.store(to, adds ? f32x4.add(v128.load(to), sums) : sums)
}

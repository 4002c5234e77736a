// The innermost product: 6 rows times 8 outputs, i16 in pairs, summed in i32.
// Knows neither scales nor what the numbers stand for.
//
// Operands lie in panels: 6 rows [inputs / 2][6][2], 8 outputs [inputs / 2][8][2]. Before its products a
// block of rows is spread: every pair four times, [inputs / 2][6][4][2], in a thread's first cache. Then a
// pair of inputs is 8 plain loads and 12 products whose sums stay in registers. Bun makes two slow
// instructions of a load that splats (unless its offset is zero), which without spreading cost a third of the
// rate.

import { MOST_IN_BLOCK } from './quantize'

/** Rows of a tile, and of a panel of rows. */
export const TILE_ROWS: i32 = 6
/** Outputs of a tile, and of a panel of outputs. */
export const TILE_OUTPUTS: i32 = 8
/** Bytes of a tile of f32: [6][8]. */
export const TILE_BYTES: usize = 192
/** Bytes of its row. */
export const TILE_STEP: usize = 32
/** Bytes of a pair of inputs in a panel of rows, in spread rows, and in a panel of outputs. */
export const ROWS_PAIR: usize = 24
export const SPREAD_PAIR: usize = 96
export const OUTPUTS_PAIR: usize = 32
/** Bytes of the largest spread block. */
export const SPREAD_BYTES: usize = (<usize>MOST_IN_BLOCK >> 1) * SPREAD_PAIR

/** `pairs` of inputs of a panel of rows, a multiple of 2. */
export function spread(from: usize, pairs: i32, to: usize): void {
  const end = from + <usize>pairs * ROWS_PAIR
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
export function spreadFour(pairs: v128, to: usize): void {
  v128.store(to, i32x4.shuffle(pairs, pairs, 0, 0, 0, 0))
  v128.store(to, i32x4.shuffle(pairs, pairs, 1, 1, 1, 1), 16)
  v128.store(to, i32x4.shuffle(pairs, pairs, 2, 2, 2, 2), 32)
  v128.store(to, i32x4.shuffle(pairs, pairs, 3, 3, 3, 3), 48)
}

/**
 * Products of spread rows with a panel of outputs as f32: 6 rows of 8, `step` bytes apart.
 * `pairs` is a multiple of 2, of at most a block. The i32 cannot overflow: see MOST_IN_BLOCK.
 */
export function tile(rows: usize, outputs: usize, pairs: i32, to: usize, step: usize): void {
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
  const end = outputs + <usize>pairs * OUTPUTS_PAIR
  do {
    let b0 = v128.load(outputs, 0)
    let b1 = v128.load(outputs, 16)
    let a = v128.load(rows, 0)
    c00 = i32x4.add(c00, i32x4.dot_i16x8_s(a, b0))
    c01 = i32x4.add(c01, i32x4.dot_i16x8_s(a, b1))
    a = v128.load(rows, 16)
    c10 = i32x4.add(c10, i32x4.dot_i16x8_s(a, b0))
    c11 = i32x4.add(c11, i32x4.dot_i16x8_s(a, b1))
    a = v128.load(rows, 32)
    c20 = i32x4.add(c20, i32x4.dot_i16x8_s(a, b0))
    c21 = i32x4.add(c21, i32x4.dot_i16x8_s(a, b1))
    a = v128.load(rows, 48)
    c30 = i32x4.add(c30, i32x4.dot_i16x8_s(a, b0))
    c31 = i32x4.add(c31, i32x4.dot_i16x8_s(a, b1))
    a = v128.load(rows, 64)
    c40 = i32x4.add(c40, i32x4.dot_i16x8_s(a, b0))
    c41 = i32x4.add(c41, i32x4.dot_i16x8_s(a, b1))
    a = v128.load(rows, 80)
    c50 = i32x4.add(c50, i32x4.dot_i16x8_s(a, b0))
    c51 = i32x4.add(c51, i32x4.dot_i16x8_s(a, b1))
    // Never true: without a branch here the optimiser joins the halves, and their registers no longer
    // suffice.
    if (!end) break
    b0 = v128.load(outputs, 32)
    b1 = v128.load(outputs, 48)
    a = v128.load(rows, 96)
    c00 = i32x4.add(c00, i32x4.dot_i16x8_s(a, b0))
    c01 = i32x4.add(c01, i32x4.dot_i16x8_s(a, b1))
    a = v128.load(rows, 112)
    c10 = i32x4.add(c10, i32x4.dot_i16x8_s(a, b0))
    c11 = i32x4.add(c11, i32x4.dot_i16x8_s(a, b1))
    a = v128.load(rows, 128)
    c20 = i32x4.add(c20, i32x4.dot_i16x8_s(a, b0))
    c21 = i32x4.add(c21, i32x4.dot_i16x8_s(a, b1))
    a = v128.load(rows, 144)
    c30 = i32x4.add(c30, i32x4.dot_i16x8_s(a, b0))
    c31 = i32x4.add(c31, i32x4.dot_i16x8_s(a, b1))
    a = v128.load(rows, 160)
    c40 = i32x4.add(c40, i32x4.dot_i16x8_s(a, b0))
    c41 = i32x4.add(c41, i32x4.dot_i16x8_s(a, b1))
    a = v128.load(rows, 176)
    c50 = i32x4.add(c50, i32x4.dot_i16x8_s(a, b0))
    c51 = i32x4.add(c51, i32x4.dot_i16x8_s(a, b1))
    rows += 2 * SPREAD_PAIR
    outputs += 2 * OUTPUTS_PAIR
  } while (outputs < end)
  put(to, c00, c01)
  put(to + step, c10, c11)
  put(to + 2 * step, c20, c21)
  put(to + 3 * step, c30, c31)
  put(to + 4 * step, c40, c41)
  put(to + 5 * step, c50, c51)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function put(to: usize, left: v128, right: v128): void {
  v128.store(to, f32x4.convert_i32x4_s(left))
  v128.store(to, f32x4.convert_i32x4_s(right), 16)
}

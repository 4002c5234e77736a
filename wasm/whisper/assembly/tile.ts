// The innermost product: 6 rows times 8 outputs, i16 in pairs, summed in i32.
// Knows neither scales nor what the numbers stand for.
//
// Operands lie in panels: 6 rows [inputs / 2][6][2], 8 outputs [inputs / 2][8][2]. Per pair of inputs 2 loads and 6
// broadcasts feed 12 products, whose sums stay in registers.

/** Rows of a tile, and of a panel of rows. */
export const TILE_ROWS: i32 = 6
/** Outputs of a tile, and of a panel of outputs. */
export const TILE_OUTPUTS: i32 = 8
/** Bytes of a tile of i32 or f32: [6][8]. */
export const TILE_BYTES: usize = 192

/**
 * Inputs whose products are summed in i32 before they are added to the f32 sums.
 *
 * Such a sum cannot overflow: packing (quantize.ts) scales every row so that the Euclidean norm of each block of its
 * integers is at most 46,340, and by Cauchy and Schwarz |Σ a·b| ≤ |a|·|b| ≤ 46,340² < 2³¹. On the way there the sums
 * may wrap, which does no harm to their end.
 */
export const BLOCK: i32 = 512

/** `pairs` of inputs, an even number; writes [6][8] i32. */
export function tile(a: usize, b: usize, pairs: i32, to: usize): void {
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
  const end = b + (<usize>pairs << 5)
  while (b < end) {
    let b0 = v128.load(b, 0)
    let b1 = v128.load(b, 16)
    let x = v128.load32_splat(a, 0)
    c00 = i32x4.add(c00, i32x4.dot_i16x8_s(x, b0))
    c01 = i32x4.add(c01, i32x4.dot_i16x8_s(x, b1))
    x = v128.load32_splat(a, 4)
    c10 = i32x4.add(c10, i32x4.dot_i16x8_s(x, b0))
    c11 = i32x4.add(c11, i32x4.dot_i16x8_s(x, b1))
    x = v128.load32_splat(a, 8)
    c20 = i32x4.add(c20, i32x4.dot_i16x8_s(x, b0))
    c21 = i32x4.add(c21, i32x4.dot_i16x8_s(x, b1))
    x = v128.load32_splat(a, 12)
    c30 = i32x4.add(c30, i32x4.dot_i16x8_s(x, b0))
    c31 = i32x4.add(c31, i32x4.dot_i16x8_s(x, b1))
    x = v128.load32_splat(a, 16)
    c40 = i32x4.add(c40, i32x4.dot_i16x8_s(x, b0))
    c41 = i32x4.add(c41, i32x4.dot_i16x8_s(x, b1))
    x = v128.load32_splat(a, 20)
    c50 = i32x4.add(c50, i32x4.dot_i16x8_s(x, b0))
    c51 = i32x4.add(c51, i32x4.dot_i16x8_s(x, b1))
    b0 = v128.load(b, 32)
    b1 = v128.load(b, 48)
    x = v128.load32_splat(a, 24)
    c00 = i32x4.add(c00, i32x4.dot_i16x8_s(x, b0))
    c01 = i32x4.add(c01, i32x4.dot_i16x8_s(x, b1))
    x = v128.load32_splat(a, 28)
    c10 = i32x4.add(c10, i32x4.dot_i16x8_s(x, b0))
    c11 = i32x4.add(c11, i32x4.dot_i16x8_s(x, b1))
    x = v128.load32_splat(a, 32)
    c20 = i32x4.add(c20, i32x4.dot_i16x8_s(x, b0))
    c21 = i32x4.add(c21, i32x4.dot_i16x8_s(x, b1))
    x = v128.load32_splat(a, 36)
    c30 = i32x4.add(c30, i32x4.dot_i16x8_s(x, b0))
    c31 = i32x4.add(c31, i32x4.dot_i16x8_s(x, b1))
    x = v128.load32_splat(a, 40)
    c40 = i32x4.add(c40, i32x4.dot_i16x8_s(x, b0))
    c41 = i32x4.add(c41, i32x4.dot_i16x8_s(x, b1))
    x = v128.load32_splat(a, 44)
    c50 = i32x4.add(c50, i32x4.dot_i16x8_s(x, b0))
    c51 = i32x4.add(c51, i32x4.dot_i16x8_s(x, b1))
    a += 48
    b += 64
  }
  v128.store(to, c00, 0)
  v128.store(to, c01, 16)
  v128.store(to, c10, 32)
  v128.store(to, c11, 48)
  v128.store(to, c20, 64)
  v128.store(to, c21, 80)
  v128.store(to, c30, 96)
  v128.store(to, c31, 112)
  v128.store(to, c40, 128)
  v128.store(to, c41, 144)
  v128.store(to, c50, 160)
  v128.store(to, c51, 176)
}

/** The tile of all inputs as f32, block by block; `inputs` and `block` are multiples of 8. */
export function tileInBlocks(a: usize, b: usize, inputs: i32, to: usize): void {
  tile(a, b, min(inputs, BLOCK) >> 1, to)
  for (let at: usize = 0; at < TILE_BYTES; at += 16) {
    v128.store(to + at, f32x4.convert_i32x4_s(v128.load(to + at)))
  }
  for (let from = BLOCK; from < inputs; from += BLOCK) {
    const offset = <usize>from
    tile(a + offset * 12, b + offset * 16, min(inputs - from, BLOCK) >> 1, to + TILE_BYTES)
    for (let at: usize = 0; at < TILE_BYTES; at += 16) {
      const sums = f32x4.convert_i32x4_s(v128.load(to + TILE_BYTES + at))
      v128.store(to + at, f32x4.add(v128.load(to + at), sums))
    }
  }
}

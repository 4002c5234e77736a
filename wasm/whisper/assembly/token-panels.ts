// Packed matrices and their product with one vector or four.
// Knows neither layers nor heads; packing is token-pack.ts.
//
// A panel is 8 rows of a matrix, 64 inputs after 64 inputs (a group). Of each group first the 8 scales of its rows
// (f32), then for each pair of inputs the pairs of the 8 rows, i8 or i16: what i32x4.dot_i16x8_s multiplies with one
// pair of a vector that stands in all lanes. A lane is a row, so nothing is ever added across lanes, and the panel is
// read as one stream.

/** inputs that share a scale in each row; also the width of a head */
export const GROUP: i32 = 64
export const PANEL_ROWS: i32 = 8
/** bytes of the scales of a group */
export const SCALES: usize = 32

/**
 * Sums of a group are i32. By Cauchy and Schwarz none overflows where the norm of 64 integers of a vector and that of
 * 64 i16 weights are at most this before they are rounded, which adds √64 / 2 at most: 46304² is below 2³¹. With i8
 * weights it is enough that the vector is i16: 64 · 128 · 32768 is below 2³¹.
 */
export const NORM_LIMIT: f32 = 46300
export const LARGEST: f32 = 32767

// @ts-ignore: a decorator of AssemblyScript
@inline
export function groupBytes<T>(): usize {
  return SCALES + <usize>(GROUP * PANEL_ROWS) * sizeof<T>()
}

/** Sums of 8 rows for one vector, f32[8] at `to`: without the vector's own scale. */
export function dotPanel<T>(panel: usize, vector: usize, groups: i32, to: usize): void {
  let low = f32x4.splat(0)
  let high = f32x4.splat(0)
  for (let group = 0; group < groups; group++) {
    const scalesLow = v128.load(panel, 0)
    const scalesHigh = v128.load(panel, 16)
    let at = panel + SCALES
    let low0 = i32x4.splat(0)
    let high0 = i32x4.splat(0)
    let low1 = i32x4.splat(0)
    let high1 = i32x4.splat(0)
    for (let pair = 0; pair < GROUP / 2; pair += 4) {
      let inputs = v128.load32_splat(vector, 0)
      low0 = i32x4.add(low0, i32x4.dot_i16x8_s(wide<T>(at), inputs))
      high0 = i32x4.add(high0, i32x4.dot_i16x8_s(wide<T>(at + 8 * sizeof<T>()), inputs))
      inputs = v128.load32_splat(vector, 4)
      low1 = i32x4.add(low1, i32x4.dot_i16x8_s(wide<T>(at + 16 * sizeof<T>()), inputs))
      high1 = i32x4.add(high1, i32x4.dot_i16x8_s(wide<T>(at + 24 * sizeof<T>()), inputs))
      inputs = v128.load32_splat(vector, 8)
      low0 = i32x4.add(low0, i32x4.dot_i16x8_s(wide<T>(at + 32 * sizeof<T>()), inputs))
      high0 = i32x4.add(high0, i32x4.dot_i16x8_s(wide<T>(at + 40 * sizeof<T>()), inputs))
      inputs = v128.load32_splat(vector, 12)
      low1 = i32x4.add(low1, i32x4.dot_i16x8_s(wide<T>(at + 48 * sizeof<T>()), inputs))
      high1 = i32x4.add(high1, i32x4.dot_i16x8_s(wide<T>(at + 56 * sizeof<T>()), inputs))
      at += 64 * sizeof<T>()
      vector += 16
    }
    low = f32x4.add(low, f32x4.mul(f32x4.convert_i32x4_s(i32x4.add(low0, low1)), scalesLow))
    high = f32x4.add(high, f32x4.mul(f32x4.convert_i32x4_s(i32x4.add(high0, high1)), scalesHigh))
    panel += groupBytes<T>()
  }
  v128.store(to, low, 0)
  v128.store(to, high, 16)
}

/**
 * Sums of 8 rows for four vectors that lie `stride` bytes apart; f32[8] of each, `toStride` bytes apart. Every weight
 * is loaded and widened once for all four. The sums are those of dotPanel to the bit.
 */
export function dotPanel4<T>(panel: usize, v0: usize, stride: usize, groups: i32, to: usize, toStride: usize): void {
  let v1 = v0 + stride
  let v2 = v1 + stride
  let v3 = v2 + stride
  for (let row: usize = 0; row < 4; row++) {
    v128.store(to + row * toStride, f32x4.splat(0), 0)
    v128.store(to + row * toStride, f32x4.splat(0), 16)
  }
  for (let group = 0; group < groups; group++) {
    let at = panel + SCALES
    let low0 = i32x4.splat(0)
    let high0 = i32x4.splat(0)
    let low1 = i32x4.splat(0)
    let high1 = i32x4.splat(0)
    let low2 = i32x4.splat(0)
    let high2 = i32x4.splat(0)
    let low3 = i32x4.splat(0)
    let high3 = i32x4.splat(0)
    for (let pair = 0; pair < GROUP / 2; pair += 2) {
      let low = wide<T>(at)
      let high = wide<T>(at + 8 * sizeof<T>())
      let inputs = v128.load32_splat(v0, 0)
      low0 = i32x4.add(low0, i32x4.dot_i16x8_s(low, inputs))
      high0 = i32x4.add(high0, i32x4.dot_i16x8_s(high, inputs))
      inputs = v128.load32_splat(v1, 0)
      low1 = i32x4.add(low1, i32x4.dot_i16x8_s(low, inputs))
      high1 = i32x4.add(high1, i32x4.dot_i16x8_s(high, inputs))
      inputs = v128.load32_splat(v2, 0)
      low2 = i32x4.add(low2, i32x4.dot_i16x8_s(low, inputs))
      high2 = i32x4.add(high2, i32x4.dot_i16x8_s(high, inputs))
      inputs = v128.load32_splat(v3, 0)
      low3 = i32x4.add(low3, i32x4.dot_i16x8_s(low, inputs))
      high3 = i32x4.add(high3, i32x4.dot_i16x8_s(high, inputs))
      low = wide<T>(at + 16 * sizeof<T>())
      high = wide<T>(at + 24 * sizeof<T>())
      inputs = v128.load32_splat(v0, 4)
      low0 = i32x4.add(low0, i32x4.dot_i16x8_s(low, inputs))
      high0 = i32x4.add(high0, i32x4.dot_i16x8_s(high, inputs))
      inputs = v128.load32_splat(v1, 4)
      low1 = i32x4.add(low1, i32x4.dot_i16x8_s(low, inputs))
      high1 = i32x4.add(high1, i32x4.dot_i16x8_s(high, inputs))
      inputs = v128.load32_splat(v2, 4)
      low2 = i32x4.add(low2, i32x4.dot_i16x8_s(low, inputs))
      high2 = i32x4.add(high2, i32x4.dot_i16x8_s(high, inputs))
      inputs = v128.load32_splat(v3, 4)
      low3 = i32x4.add(low3, i32x4.dot_i16x8_s(low, inputs))
      high3 = i32x4.add(high3, i32x4.dot_i16x8_s(high, inputs))
      at += 32 * sizeof<T>()
      v0 += 8
      v1 += 8
      v2 += 8
      v3 += 8
    }
    addScaled(panel, low0, high0, to)
    addScaled(panel, low1, high1, to + toStride)
    addScaled(panel, low2, high2, to + 2 * toStride)
    addScaled(panel, low3, high3, to + 3 * toStride)
    panel += groupBytes<T>()
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function addScaled(scales: usize, low: v128, high: v128, to: usize): void {
  const scaledLow = f32x4.mul(f32x4.convert_i32x4_s(low), v128.load(scales, 0))
  const scaledHigh = f32x4.mul(f32x4.convert_i32x4_s(high), v128.load(scales, 16))
  v128.store(to, f32x4.add(v128.load(to, 0), scaledLow), 0)
  v128.store(to, f32x4.add(v128.load(to, 16), scaledHigh), 16)
}

/** Eight weights as i16. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function wide<T>(at: usize): v128 {
  return sizeof<T>() == 1 ? v128.load_ext<i8>(at) : v128.load(at)
}

/** One row of a packed matrix as f32. */
export function unpackRow<T>(packed: usize, row: i32, groups: i32, to: usize): void {
  let panel = packed + <usize>(row / PANEL_ROWS) * <usize>groups * groupBytes<T>()
  const lane = <usize>(row % PANEL_ROWS)
  for (let group = 0; group < groups; group++) {
    const scale = load<f32>(panel + lane * 4)
    let at = panel + SCALES + lane * 2 * sizeof<T>()
    for (let pair = 0; pair < GROUP / 2; pair++) {
      store<f32>(to, <f32>load<T>(at) * scale)
      store<f32>(to, <f32>load<T>(at + sizeof<T>()) * scale, 4)
      at += 16 * sizeof<T>()
      to += 8
    }
    panel += groupBytes<T>()
  }
}

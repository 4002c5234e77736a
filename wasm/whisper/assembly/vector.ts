// Functions of four f32 at once: powers of 2, GELU, sums and maxima over the lanes, rounding.

/** Its square is still a normal number. */
export const SMALLEST: f32 = 1e-15

/** Adding it to an f32 between -2²² and 2²² leaves the nearest integer in the low bits. */
const ROUNDER: f32 = 12582912.0
const ROUNDER_BITS: i32 = 0x4b400000

// Polynomial for 2^f on [-0.5, 0.5] with a relative error of at most 2.6e-6 (from the Remez exchange algorithm)
const E0: f32 = 0.99999926
const E1: f32 = 0.69312182
const E2: f32 = 0.24024745
const E3: f32 = 0.05591786
const E4: f32 = 0.009570102

/** -2·√(2/π)·log2(e), and the same times 0.044715 */
const GELU_LINEAR: f32 = -2.3022081985
const GELU_CUBIC: f32 = -0.1029432396

// @ts-ignore: a decorator of AssemblyScript
@inline
export function sumOf(lanes: v128): f32 {
  const pairs = f32x4.add(lanes, i32x4.shuffle(lanes, lanes, 2, 3, 0, 1))
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
export function maximumOf(lanes: v128): f32 {
  const pairs = f32x4.pmax(lanes, i32x4.shuffle(lanes, lanes, 2, 3, 0, 1))
  const first = f32x4.extract_lane(pairs, 0)
  const second = f32x4.extract_lane(pairs, 1)
  return first < second ? second : first
}

/** 2 to the power of each lane, from -126 to 127. Not Horner's scheme, whose steps depend on each other. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function powerOfTwo(power: v128): v128 {
  const rounded = f32x4.add(power, f32x4.splat(ROUNDER))
  const f = f32x4.sub(power, f32x4.sub(rounded, f32x4.splat(ROUNDER)))
  const square = f32x4.mul(f, f)
  const high = f32x4.add(f32x4.splat(E2), f32x4.mul(f, f32x4.splat(E3)))
  const low = f32x4.add(f32x4.splat(E0), f32x4.mul(f, f32x4.splat(E1)))
  const more = f32x4.mul(square, f32x4.add(high, f32x4.mul(square, f32x4.splat(E4))))
  // shifts the integer part to the exponent
  return i32x4.add(f32x4.add(low, more), i32x4.shl(rounded, 23))
}

/** x · (1 + tanh(√(2/π) · (x + 0.044715 x³))) / 2, as in ggml. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function gelu(x: v128): v128 {
  const cubic = f32x4.mul(f32x4.mul(x, x), f32x4.splat(GELU_CUBIC))
  const unlimited = f32x4.mul(x, f32x4.add(cubic, f32x4.splat(GELU_LINEAR)))
  const power = f32x4.pmin(f32x4.splat(127), f32x4.pmax(f32x4.splat(-126), unlimited))
  return f32x4.div(x, f32x4.add(f32x4.splat(1), powerOfTwo(power)))
}

/** Replaces tiny numbers, such as GELU's, by zero: products with them would be subnormal, which is slow. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function withoutSmallest(x: v128): v128 {
  return v128.and(x, f32x4.ge(f32x4.abs(x), f32x4.splat(SMALLEST)))
}

/** The nearest integers in the low 16 bits of each lane; the high bits are garbage. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function roundedLow(x: v128): v128 {
  return f32x4.add(x, f32x4.splat(ROUNDER))
}

/** Eight nearest integers as i16. NaN and numbers out of range become an arbitrary i16. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function rounded16(low: v128, high: v128): v128 {
  const bits = i32x4.splat(ROUNDER_BITS)
  return i16x8.narrow_i32x4_s(i32x4.sub(roundedLow(low), bits), i32x4.sub(roundedLow(high), bits))
}

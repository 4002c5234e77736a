// Converts weights of ggml's types to f32. Callers have checked the tensor's type and size.

import { DEQUANTIZED_IN_CHUNK } from '../interface'
import { DEQUANTIZE } from '../kernel-arguments'
import { argument } from './arguments'
import { RESULT } from './control'

/** A multiple of every type's block. */
const CHUNK: i32 = DEQUANTIZED_IN_CHUNK
const LARGEST: f32 = 3.4e38
/** The largest f16. Infinity converts to a larger number. */
const LARGEST_HALF: f32 = 65504

/** A chunk is 8192 numbers. Sets the result to 1 if a number is not finite. */
export function dequantize(chunk: i32): void {
  const type = argument(DEQUANTIZE.type)
  const first = chunk * CHUNK
  const count = min(CHUNK, argument(DEQUANTIZE.count) - first)
  const to = <usize>argument(DEQUANTIZE.to) + <usize>first * 4
  const from = <usize>argument(DEQUANTIZE.from)
  if (type == 0) memory.copy(to, from + <usize>first * 4, <usize>count * 4)
  else if (type == 1) halves(from + <usize>first * 2, to, count)
  else if (type <= 8) blocksOf32(type, from, to, first, count)
  else blocksOf256(type, from, to, first, count)
  if (!isFinite(to, count, type == 1 ? LARGEST_HALF : LARGEST)) atomic.store<i32>(RESULT, 1)
}

/** `count` is a multiple of 4 for matrices; the remainder of other tensors is checked one by one. */
function isFinite(at: usize, count: i32, largest: f32): bool {
  const end = at + ((<usize>count) << 2)
  const vectorsEnd = at + ((<usize>(count & ~3)) << 2)
  let finite = i32x4.splat(-1)
  for (; at < vectorsEnd; at += 16) {
    finite = v128.and(finite, f32x4.le(f32x4.abs(v128.load(at)), f32x4.splat(largest)))
  }
  let rest = true
  for (; at < end; at += 4) rest = rest && Mathf.abs(load<f32>(at)) <= largest
  return rest && i32x4.all_true(finite)
}

/** Correct for subnormal numbers, too; infinities become large numbers. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function half(at: usize): f32 {
  const bits = <u32>load<u16>(at)
  const magnitude = reinterpret<f32>((bits & 0x7fff) << 13) * reinterpret<f32>(0x77800000)
  return bits & 0x8000 ? -magnitude : magnitude
}

function halves(from: usize, to: usize, count: i32): void {
  const vectors = <usize>count & ~3
  for (let i: usize = 0; i < vectors; i += 4) {
    const bits = v128.load16x4_u(from + (i << 1))
    const magnitude = i32x4.shl(v128.and(bits, i32x4.splat(0x7fff)), 13)
    const sign = i32x4.shl(v128.and(bits, i32x4.splat(0x8000)), 16)
    const value = f32x4.mul(magnitude, f32x4.splat(reinterpret<f32>(0x77800000)))
    v128.store(to + (i << 2), v128.or(value, sign))
  }
  for (let i = vectors; i < <usize>count; i++) store<f32>(to + (i << 2), half(from + (i << 1)))
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function put(to: usize, index: i32, value: f32): void {
  store<f32>(to + ((<usize>index) << 2), value)
}

function blocksOf32(type: i32, from: usize, to: usize, first: i32, count: i32): void {
  const bytes: usize = type == 2 ? 18 : type == 3 ? 20 : type == 6 ? 22 : type == 7 ? 24 : 34
  let block = from + (<usize>first / 32) * bytes
  for (let done = 0; done < count; done += 32) {
    if (type == 8) eightBits(block, to)
    else if (type < 4) fourBits(block, to, type == 3)
    else fiveBits(block, to, type == 7)
    block += bytes
    to += 128
  }
}

/** 16 unsigned bytes as f32, times scale, plus least. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function put16(to: usize, bytes: v128, scale: v128, least: v128): void {
  const low = i16x8.extend_low_i8x16_u(bytes)
  const high = i16x8.extend_high_i8x16_u(bytes)
  put4(to, i32x4.extend_low_i16x8_u(low), scale, least)
  put4(to + 16, i32x4.extend_high_i16x8_u(low), scale, least)
  put4(to + 32, i32x4.extend_low_i16x8_u(high), scale, least)
  put4(to + 48, i32x4.extend_high_i16x8_u(high), scale, least)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function put4(to: usize, integers: v128, scale: v128, least: v128): void {
  v128.store(to, f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(integers), scale), least))
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function eightBits(block: usize, to: usize): void {
  const scale = half(block)
  // adding 128 makes the values unsigned
  const offset = i8x16.splat(-128)
  const least = f32x4.splat(-128 * scale)
  put16(to, v128.xor(v128.load(block + 2), offset), f32x4.splat(scale), least)
  put16(to + 64, v128.xor(v128.load(block + 18), offset), f32x4.splat(scale), least)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function fourBits(block: usize, to: usize, hasLeast: bool): void {
  const scale = half(block)
  const least = f32x4.splat(hasLeast ? half(block + 2) : -8 * scale)
  const pairs = v128.load(block + (hasLeast ? 4 : 2))
  put16(to, v128.and(pairs, i8x16.splat(15)), f32x4.splat(scale), least)
  put16(to + 64, i8x16.shr_u(pairs, 4), f32x4.splat(scale), least)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function fiveBits(block: usize, to: usize, hasLeast: bool): void {
  const scale = half(block)
  const least = f32x4.splat(hasLeast ? half(block + 2) : -16 * scale)
  const fifths = block + (hasLeast ? 4 : 2)
  const pairs = v128.load(fifths + 4)
  const low = v128.and(pairs, i8x16.splat(15))
  const high = i8x16.shr_u(pairs, 4)
  put16(to, v128.or(low, sixteens(load<u16>(fifths))), f32x4.splat(scale), least)
  put16(to + 64, v128.or(high, sixteens(load<u16>(fifths + 2))), f32x4.splat(scale), least)
}

/** Expands 16 bits to bytes of 16 or 0. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function sixteens(bits: u32): v128 {
  const spread = i8x16.swizzle(i32x4.splat(bits), i8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1))
  const bit = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128)
  return v128.and(i8x16.eq(v128.and(spread, bit), bit), i8x16.splat(16))
}

function blocksOf256(type: i32, from: usize, to: usize, first: i32, count: i32): void {
  const bytes: usize = type == 10 ? 84 : type == 11 ? 110 : type == 12 ? 144 : type == 13 ? 176 : 210
  let block = from + (<usize>first / 256) * bytes
  for (let done = 0; done < count; done += 256) {
    if (type == 10) twoBitsK(block, to)
    else if (type == 11) threeBitsK(block, to)
    else if (type == 14) sixBitsK(block, to)
    else fourOrFiveBitsK(block, to, type == 13)
    block += bytes
    to += 1024
  }
}

/** scales[16], values[64], scale, least: 16 groups of 16, each with a scale and a least value of 4 bits. */
function twoBitsK(block: usize, to: usize): void {
  const scale = half(block + 80)
  const least = half(block + 82)
  for (let group = 0; group < 16; group++) {
    const packed = <i32>load<u8>(block + <usize>group)
    const values = block + 16 + (<usize>group >> 3) * 32 + (<usize>group & 1) * 16
    const shift = ((group >> 1) & 3) * 2
    for (let i = 0; i < 16; i++) {
      const value = (<i32>load<u8>(values + <usize>i) >> shift) & 3
      put(to, group * 16 + i, scale * <f32>(packed & 15) * <f32>value - least * <f32>(packed >> 4))
    }
  }
}

/** third bits[32], values[64], scales[12] of 6 bits, scale. */
function threeBitsK(block: usize, to: usize): void {
  const scale = half(block + 108)
  const scales = block + 96
  for (let group = 0; group < 16; group++) {
    const byte = <i32>load<u8>(scales + (<usize>group & 7))
    const low = group < 8 ? byte & 15 : byte >> 4
    const high = (<i32>load<u8>(scales + (<usize>group & 3), 8) >> ((group >> 2) * 2)) & 3
    const groupScale = scale * <f32>((low | (high << 4)) - 32)
    const half128 = group >> 3
    const values = block + 32 + <usize>half128 * 32 + (<usize>group & 1) * 16
    const shift = ((group >> 1) & 3) * 2
    const bit = half128 * 4 + ((group >> 1) & 3)
    for (let i = 0; i < 16; i++) {
      const value = (<i32>load<u8>(values + <usize>i) >> shift) & 3
      const third = (<i32>load<u8>(block + (<usize>group & 1) * 16 + <usize>i) >> bit) & 1
      put(to, group * 16 + i, groupScale * <f32>(value - (third ? 0 : 4)))
    }
  }
}

/** scale, least, scales and leasts[12] of 6 bits, for five bits the fifths[32], values[128]: 8 groups of 32. */
function fourOrFiveBitsK(block: usize, to: usize, five: bool): void {
  const scale = half(block)
  const least = half(block + 2)
  const packed = block + 4
  const fifths = block + 16
  const values = block + (five ? 48 : 16)
  for (let group = 0; group < 8; group++) {
    const at = packed + <usize>group
    let groupScale: i32 = 0
    let groupLeast: i32 = 0
    if (group < 4) {
      groupScale = <i32>load<u8>(at) & 63
      groupLeast = <i32>load<u8>(at, 4) & 63
    } else {
      const lows = <i32>load<u8>(at, 4)
      groupScale = (lows & 15) | ((<i32>load<u8>(at - 4) >> 6) << 4)
      groupLeast = (lows >> 4) | ((<i32>load<u8>(at) >> 6) << 4)
    }
    const bytes = values + <usize>(group >> 1) * 32
    for (let i = 0; i < 32; i++) {
      const pair = <i32>load<u8>(bytes + <usize>i)
      let value = group & 1 ? pair >> 4 : pair & 15
      if (five) value |= ((<i32>load<u8>(fifths + <usize>i) >> group) & 1) << 4
      put(to, group * 32 + i, scale * <f32>groupScale * <f32>value - least * <f32>groupLeast)
    }
  }
}

/** low bits[128], high bits[64], scales i8[16], scale: 16 groups of 16. */
function sixBitsK(block: usize, to: usize): void {
  const scale = half(block + 208)
  for (let index = 0; index < 256; index++) {
    const half128 = index >> 7
    const quarter = (index >> 5) & 3
    const i = index & 31
    const pair = <i32>load<u8>(block + <usize>(half128 * 64 + (quarter & 1) * 32 + i))
    const low = quarter < 2 ? pair & 15 : pair >> 4
    const high = (<i32>load<u8>(block + 128 + <usize>(half128 * 32 + i)) >> (quarter * 2)) & 3
    const groupScale = <f32>load<i8>(block + 192 + <usize>(index >> 4))
    put(to, index, scale * groupScale * <f32>((low | (high << 4)) - 32))
  }
}

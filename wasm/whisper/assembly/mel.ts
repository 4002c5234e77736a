// Log-mel of samples: the power of each band of frequencies in each frame of 25 ms.

import { HOP_SAMPLES, MEL_FRAME_SAMPLES, MEL_LANES } from '../interface'
import { MEL_FRAMES_IN_CHUNK, MEL_NUMBERS_IN_CHUNK } from '../interface'
import { LOG_MEL, NORMALIZE_MEL } from '../kernel-arguments'
import { argument, argumentF } from './arguments'
import { scratchOf } from './control'
import { replaceByPowers } from './fourier'

const FRAME: usize = MEL_FRAME_SAMPLES
const HOP: usize = HOP_SAMPLES
/** Frames per chunk; the transform takes four at once, one per lane. */
const CHUNK: i32 = MEL_FRAMES_IN_CHUNK
const LANES: i32 = MEL_LANES
/** One vector of four frames per sample. */
const ROOM: usize = FRAME * 16

/** Far above any audio, yet small enough to sum its power in f32. */
const LOUDEST: f32 = 1e15
const MIN_POWER: f32 = 1e-10
const LOG10_OF_2: f32 = 0.30102999566398120
const LOG10_OF_E: f32 = 0.43429448190325183

/** A chunk is 16 frames. */
export function logMel(chunk: i32, thread: i32): void {
  const lanes = scratchOf(thread)
  const last = min(argument(LOG_MEL.frames), (chunk + 1) * CHUNK)
  let greatest = f32x4.splat(-10)
  for (let frame = chunk * CHUNK; frame < last; frame += LANES) {
    gather(<usize>argument(LOG_MEL.samples) + <usize>frame * HOP * 4, argument(LOG_MEL.window), lanes)
    replaceByPowers(lanes, lanes + ROOM, argument(LOG_MEL.twiddles))
    greatest = f32x4.max(greatest, bandsOf(lanes, frame))
  }
  store<f32>(<usize>argument(LOG_MEL.maxima) + ((<usize>chunk) << 2), greatestLane(greatest))
}

/** Applies the window to four frames, one per lane. NaN and values that cannot be audio count as silence. */
function gather(samples: usize, window: usize, to: usize): void {
  for (let at: usize = 0; at < FRAME * 4; at += 16) {
    const weight = v128.load(window + at)
    const a = windowed(samples + at, weight)
    const b = windowed(samples + at + HOP * 4, weight)
    const c = windowed(samples + at + 2 * HOP * 4, weight)
    const d = windowed(samples + at + 3 * HOP * 4, weight)
    storeTransposed(a, b, c, d, to + at * 4, 16)
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function windowed(samples: usize, weight: v128): v128 {
  const sample = v128.load(samples)
  const sound = f32x4.le(f32x4.abs(sample), f32x4.splat(LOUDEST))
  return f32x4.mul(v128.and(sample, sound), weight)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function storeTransposed(a: v128, b: v128, c: v128, d: v128, to: usize, step: usize): void {
  const abLow = v128.shuffle<f32>(a, b, 0, 4, 1, 5)
  const cdLow = v128.shuffle<f32>(c, d, 0, 4, 1, 5)
  const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7)
  const cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7)
  v128.store(to, v128.shuffle<f32>(abLow, cdLow, 0, 1, 4, 5))
  v128.store(to + step, v128.shuffle<f32>(abLow, cdLow, 2, 3, 6, 7))
  v128.store(to + 2 * step, v128.shuffle<f32>(abHigh, cdHigh, 0, 1, 4, 5))
  v128.store(to + 3 * step, v128.shuffle<f32>(abHigh, cdHigh, 2, 3, 6, 7))
}

/** Computes the logarithms of four frames' bands. @returns the maximum of each frame */
function bandsOf(power: usize, frame: i32): v128 {
  const bands = argument(LOG_MEL.bands)
  const row = <usize>bands * 4
  const to = <usize>argument(LOG_MEL.to) + <usize>frame * row
  let filter = <usize>argument(LOG_MEL.filters)
  let greatest = f32x4.splat(-10)
  for (let band: usize = 0; band < row; band += 16) {
    const a = logOfBand(power, filter)
    const b = logOfBand(power, filter + 12)
    const c = logOfBand(power, filter + 24)
    const d = logOfBand(power, filter + 36)
    greatest = f32x4.max(greatest, f32x4.max(f32x4.max(a, b), f32x4.max(c, d)))
    storeTransposed(a, b, c, d, to + band, row)
    filter += 48
  }
  return greatest
}

function logOfBand(power: usize, filter: usize): v128 {
  let at = power + ((<usize>load<i32>(filter)) << 4)
  let weight = <usize>load<i32>(filter, 8)
  let sum = f32x4.splat(0)
  for (const end = at + ((<usize>load<i32>(filter, 4)) << 4); at < end; at += 16) {
    sum = f32x4.add(sum, f32x4.mul(v128.load(at), v128.load32_splat(weight)))
    weight += 4
  }
  return log10(f32x4.max(sum, f32x4.splat(MIN_POWER)))
}

/**
 * For normal numbers above zero. The number is 2^e · m with m from √½ to √2, and ln m = 2 · artanh t with
 * t = (m − 1) / (m + 1), whose series ends at the precision of f32.
 */
function log10(x: v128): v128 {
  // subtracting the bits of √½ leaves the exponent relative to √½
  const bits = i32x4.sub(x, i32x4.splat(0x3f3504f3))
  const exponent = f32x4.convert_i32x4_s(i32x4.shr_s(bits, 23))
  const m = i32x4.add(v128.and(bits, i32x4.splat(0x007fffff)), i32x4.splat(0x3f3504f3))
  const one = f32x4.splat(1)
  const t = f32x4.div(f32x4.sub(m, one), f32x4.add(m, one))
  const square = f32x4.mul(t, t)
  let series = f32x4.splat(<f32>1 / 9)
  series = f32x4.add(f32x4.mul(series, square), f32x4.splat(<f32>1 / 7))
  series = f32x4.add(f32x4.mul(series, square), f32x4.splat(<f32>1 / 5))
  series = f32x4.add(f32x4.mul(series, square), f32x4.splat(<f32>1 / 3))
  series = f32x4.add(f32x4.mul(series, square), one)
  const ofM = f32x4.mul(f32x4.mul(t, series), f32x4.splat(2 * LOG10_OF_E))
  return f32x4.add(f32x4.mul(exponent, f32x4.splat(LOG10_OF_2)), ofM)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function greatestLane(lanes: v128): f32 {
  return max(
    max(f32x4.extract_lane(lanes, 0), f32x4.extract_lane(lanes, 1)),
    max(f32x4.extract_lane(lanes, 2), f32x4.extract_lane(lanes, 3)),
  )
}

/** Numbers per chunk. */
const NORMALIZED: i32 = MEL_NUMBERS_IN_CHUNK

/** A chunk is 16384 numbers. */
export function normalizeMel(chunk: i32): void {
  const least = f32x4.splat(argumentF(NORMALIZE_MEL.least))
  const four = f32x4.splat(4)
  const quarter = f32x4.splat(0.25)
  let at = <usize>argument(NORMALIZE_MEL.at) + ((<usize>(chunk * NORMALIZED)) << 2)
  const end =
    <usize>argument(NORMALIZE_MEL.at) +
    ((<usize>min(argument(NORMALIZE_MEL.count), (chunk + 1) * NORMALIZED)) << 2)
  for (; at < end; at += 16) {
    const value = f32x4.max(v128.load(at), least)
    v128.store(at, f32x4.mul(f32x4.add(value, four), quarter))
  }
}

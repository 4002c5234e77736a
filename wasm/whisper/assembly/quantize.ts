// Packs rows of f32 into panels of i16: each row with its own scale, pairs of inputs side by side. tile.ts defines the panels.

import { HEAD, LARGEST_BLOCK, MAX_KEYS_IN_BLOCK, PANELS_IN_PACK_CHUNK } from '../interface'
import { PACK_ROWS, PACK_VALUES } from '../kernel-arguments'
import { argument } from './arguments'
import { scratchOf } from './control'
import { normalize } from './norm'
import { maximumOf, roundedLow, rounded16, SMALLEST, sumOf } from './vector'

/**
 * A block: the most inputs whose products are summed in i32 before they are added to sums in f32.
 *
 * The i32 sum cannot overflow: rows are scaled so that the Euclidean norm of each block of their integers is
 * at most 46,340, and by Cauchy-Schwarz |Σ a·b| ≤ |a|·|b| ≤ 46,340² < 2³¹. Partial sums may wrap, which does not
 * affect the final sum. In blocks of 384 that leaves a row of equal numbers 11 bits plus sign, other rows up to
 * 15 bits; a block of a quarter of the size leaves one bit more.
 */
export const MAX_IN_BLOCK: i32 = LARGEST_BLOCK
/** The norm before rounding, which adds at most √384 / 2 = 9.8; the rest is a margin for f32 errors. */
export const NORM_LIMIT: f32 = 46300
export const LARGEST: f32 = 32767

/** Panels per chunk. */
const PANELS: i32 = PANELS_IN_PACK_CHUNK

/**
 * Panels are [inputs / 2][rows of a panel][2], the last one padded with zeros; a packed row times its scale is the original
 * row. A chunk is 4 panels of a matrix.
 */
export function packRows(chunk: i32, thread: i32): void {
  const rows = argument(PACK_ROWS.rows)
  const inputs = argument(PACK_ROWS.inputs)
  const height = argument(PACK_ROWS.height)
  const panels = (rows + height - 1) / height
  const chunks = (panels + PANELS - 1) / PANELS
  const matrix = chunk / chunks
  const first = (chunk % chunks) * PANELS
  const last = min(panels, first + PANELS)
  const from = <usize>argument(PACK_ROWS.from) + <usize>matrix * argument(PACK_ROWS.step) * 4
  const norm = argument(PACK_ROWS.normWeight)
  for (let panel = first; panel < last; panel++) {
    const at = matrix * panels + panel
    const to = <usize>argument(PACK_ROWS.to) + (<usize>at) * height * inputs * 2
    const scales = <usize>argument(PACK_ROWS.scales) + (<usize>at) * height * 4
    for (let i = 0; i < height; i++) {
      const row = panel * height + i
      let values = from + (<usize>row) * argument(PACK_ROWS.stride) * 4
      if (norm && row < rows) {
        const normal = scratchOf(thread)
        normalize(values, normal, norm, argument(PACK_ROWS.normBias), inputs)
        values = normal
      }
      let scale: f32 = 0
      if (row < rows) scale = packRow(values, inputs, height, to + (<usize>i << 2))
      else clearRow(inputs, height, to + (<usize>i << 2))
      store<f32>(scales + (<usize>i << 2), scale)
    }
  }
}

function clearRow(inputs: i32, height: i32, to: usize): void {
  for (let pair = 0; pair < inputs >> 1; pair++) {
    store<i32>(to, 0)
    to += <usize>height << 2
  }
}

/** @returns the scale of the integers */
function packRow(from: usize, inputs: i32, height: i32, to: usize): f32 {
  const factor = factorOf(from, inputs)
  const factors = f32x4.splat(factor)
  const step = <usize>height << 2
  const end = from + (<usize>inputs << 2)
  while (from < end) {
    const eight = rounded16(f32x4.mul(v128.load(from), factors), f32x4.mul(v128.load(from, 16), factors))
    v128.store32_lane(to, eight, 0)
    v128.store32_lane(to + step, eight, 1)
    v128.store32_lane(to + step * 2, eight, 2)
    v128.store32_lane(to + step * 3, eight, 3)
    to += step << 2
    from += 32
  }
  return 1 / factor
}

/** The largest factor that keeps every integer within i16 and every block within the norm. */
function factorOf(from: usize, inputs: i32): f32 {
  const block = <usize>argument(PACK_ROWS.block) << 2
  let largest = f32x4.splat(SMALLEST)
  let most: f32 = 0
  const end = from + (<usize>inputs << 2)
  while (from < end) {
    const blockEnd = min(end, from + block)
    let squares = f32x4.splat(0)
    while (from < blockEnd) {
      const low = v128.load(from)
      const high = v128.load(from, 16)
      largest = f32x4.pmax(largest, f32x4.pmax(f32x4.abs(low), f32x4.abs(high)))
      squares = f32x4.add(squares, f32x4.add(f32x4.mul(low, low), f32x4.mul(high, high)))
      from += 32
    }
    most = max(most, sumOf(squares))
  }
  const norm = max(Mathf.sqrt(most), SMALLEST)
  return min(LARGEST / maximumOf(largest), NORM_LIMIT / norm)
}

/** The most keys of a block, whose spread weights take half of the L1 cache. */
export const MAX_KEYS: i32 = MAX_KEYS_IN_BLOCK

/**
 * Packs the values of attention as outputs of a product over the keys. Each head's 64 columns become 8 panels
 * [keys / 2][8][2], keys rounded up to 8 with zeros; a chunk is 8 columns.
 */
export function packValues(chunk: i32): void {
  const keys = argument(PACK_VALUES.keys)
  const stride = (<usize>argument(PACK_VALUES.stride)) << 2
  const filled = (keys + 7) & ~7
  const from = <usize>argument(PACK_VALUES.from) + (<usize>chunk << 5)
  let to = <usize>argument(PACK_VALUES.to) + (<usize>(chunk * filled) << 4)
  const scales = <usize>argument(PACK_VALUES.scales) + (<usize>chunk << 5)
  const left = columnFactors(from, stride, keys)
  const right = columnFactors(from + 16, stride, keys)
  v128.store(scales, f32x4.div(f32x4.splat(1), left))
  v128.store(scales, f32x4.div(f32x4.splat(1), right), 16)
  for (let key = 0; key < filled; key += 2) {
    const row = from + (<usize>key) * stride
    packPair(row, stride, keys - key, left, to)
    packPair(row + 16, stride, keys - key, right, to + 16)
    to += 32
  }
}

/** Packs four columns of two rows; missing rows count as zero. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function packPair(row: usize, stride: usize, left: i32, factors: v128, to: usize): void {
  const zero = f32x4.splat(0)
  const even = left > 0 ? f32x4.mul(v128.load(row), factors) : zero
  const odd = left > 1 ? f32x4.mul(v128.load(row + stride), factors) : zero
  const low = v128.and(roundedLow(even), i32x4.splat(0xffff))
  v128.store(to, v128.or(low, i32x4.shl(roundedLow(odd), 16)))
}

function columnFactors(from: usize, stride: usize, keys: i32): v128 {
  let largest = f32x4.splat(SMALLEST)
  let most = f32x4.splat(0)
  const block = argument(PACK_VALUES.block)
  for (let first = 0; first < keys; first += block) {
    const last = min(keys, first + block)
    let squares = f32x4.splat(0)
    for (let key = first; key < last; key++) {
      const values = v128.load(from)
      largest = f32x4.pmax(largest, f32x4.abs(values))
      squares = f32x4.add(squares, f32x4.mul(values, values))
      from += stride
    }
    most = f32x4.pmax(most, squares)
  }
  const norms = f32x4.pmax(f32x4.splat(SMALLEST), f32x4.sqrt(most))
  return f32x4.pmin(
    f32x4.div(f32x4.splat(LARGEST), largest),
    f32x4.div(f32x4.splat(NORM_LIMIT), norms),
  )
}

// Self-attention of one head for a few rows of queries at a time, whose weights stay in the L1 cache.
//
// For each block of keys: scores, their running maximum, weights relative to it, weighted values. A larger maximum scales down
// the earlier sums.

import { HEAD, PANELS_IN_ATTENTION_CHUNK } from '../interface'
import { ATTENTION } from '../kernel-arguments'
import { argument } from './arguments'
import { scratchOf } from './control'
import { LARGEST, MAX_KEYS, NORM_LIMIT } from './quantize'
import { cellsOf, ROWS_CELL, SPREAD_CELL, spread } from './tile'
import { TILE_BYTES, TILE_OUTPUTS, TILE_ROWS, TILE_STEP, tile } from './tile'
import { maximumOf, powerOfTwo, rounded16, sumOf } from './vector'

const HEAD_PANELS: i32 = 8
/** Panels of queries per chunk. */
const PANELS: i32 = PANELS_IN_ATTENTION_CHUNK
const ROWS: i32 = 24

/** The score of a missing key. */
const NO_SCORE: f32 = -3e38
/** A row of zeros has the scale 0, which would turn even NO_SCORE into a score of 0. */
const MIN_SCALE: f32 = 1e-30
/** Smaller weights count as 2⁻⁴⁰: they round to 0 anyway, and squares of much smaller ones would be slow subnormals. */
const MIN_POWER: f32 = -40

/** Bytes from one row of a block's scores to the next. */
const SCORES_STEP: usize = <usize>MAX_KEYS << 2
/** Also enough for f32, whose blocks have half as many keys. */
const MAX_WEIGHT_CELLS: usize = <usize>MAX_KEYS >> 1
const MAX_QUERIES_BYTES: usize = <usize>HEAD * SPREAD_CELL
const SUMS_BYTES: usize = <usize>HEAD_PANELS * TILE_BYTES

// A thread's memory. For a panel and a block: a tile, spread weights, scores. For the chunk: spread queries, sums, and per row
// the largest score and the sum of weights. Then per row the factors that scale down the earlier sums and the tile.
const WEIGHTS_AT: usize = TILE_BYTES
const SCORES_AT: usize = WEIGHTS_AT + MAX_WEIGHT_CELLS * SPREAD_CELL
const QUERIES_AT: usize = SCORES_AT + <usize>TILE_ROWS * SCORES_STEP
const SUMS_AT: usize = QUERIES_AT + <usize>PANELS * MAX_QUERIES_BYTES
const LARGEST_AT: usize = SUMS_AT + <usize>PANELS * SUMS_BYTES
const TOTALS_AT: usize = LARGEST_AT + (<usize>ROWS << 2)
const EARLIER_AT: usize = TOTALS_AT + (<usize>ROWS << 2)
const LATER_AT: usize = EARLIER_AT + (<usize>TILE_ROWS << 2)

/** A chunk is 4 panels of a head's queries. */
export function attention(chunk: i32, thread: i32): void {
  if (argument(ATTENTION.block)) attentionOf<i16>(chunk, thread)
  else attentionOf<f32>(chunk, thread)
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function keysOfBlock<T>(): i32 {
  return isFloat<T>() ? MAX_KEYS >> 1 : argument(ATTENTION.block)
}

function attentionOf<T>(chunk: i32, thread: i32): void {
  const frames = argument(ATTENTION.frames)
  const panels = (frames + TILE_ROWS - 1) / TILE_ROWS
  const chunks = (panels + PANELS - 1) / PANELS
  const head = chunk / chunks
  const first = (chunk % chunks) * PANELS
  const count = min(PANELS, panels - first)
  const scratch = scratchOf(thread)
  const query = head * panels + first
  const scales = <usize>argument(ATTENTION.queryScales) + (<usize>(query * TILE_ROWS) << 2)
  const cells = cellsOf<T>(HEAD)
  spread(
    <usize>argument(ATTENTION.queries) + (<usize>(query * cells)) * ROWS_CELL,
    count * cells,
    scratch + QUERIES_AT,
  )
  memory.fill(scratch + SUMS_AT, 0, <usize>PANELS * SUMS_BYTES)
  for (let row = 0; row < ROWS; row++) {
    store<f32>(scratch + LARGEST_AT + (<usize>row << 2), NO_SCORE)
    store<f32>(scratch + TOTALS_AT + (<usize>row << 2), 0)
  }
  for (let key = 0; key < frames; key += keysOfBlock<T>()) {
    for (let panel = 0; panel < count; panel++) attend<T>(head, panel, key, scales, scratch)
  }
  write(head, first * TILE_ROWS, min(count * TILE_ROWS, frames - first * TILE_ROWS), scratch)
}

/** One panel of queries and one block of keys. */
function attend<T>(head: i32, panel: i32, key: i32, scales: usize, scratch: usize): void {
  const keys = (argument(ATTENTION.frames) + 7) & ~7
  const count = min(keysOfBlock<T>(), keys - key)
  const cells = cellsOf<T>(HEAD)
  const panelKeys = <usize>argument(ATTENTION.keys) + (<usize>(head * keys + key)) * cells * 4
  const queries = scratch + QUERIES_AT + <usize>(panel * cells) * SPREAD_CELL
  for (let at = 0; at < count; at += TILE_OUTPUTS) {
    const to = scratch + SCORES_AT + (<usize>at << 2)
    tile<T>(queries, panelKeys + (<usize>at) * cells * 4, cells, to, SCORES_STEP)
  }
  const keyScales = <usize>argument(ATTENTION.keyScales) + (<usize>(head * keys + key) << 2)
  for (let i = 0; i < TILE_ROWS; i++) {
    const row = panel * TILE_ROWS + i
    const most = scaleScores(i, keyScales, argument(ATTENTION.frames) - key, count, scratch)
    weighRow<T>(i, row, most, max(MIN_SCALE, load<f32>(scales + (<usize>row << 2))), count, scratch)
  }
  const values = <usize>argument(ATTENTION.values) + (<usize>head) * keys * HEAD * sizeof<T>()
  for (let column = 0; column < HEAD_PANELS; column++) {
    const from = values + (<usize>(column * keys + key)) * TILE_OUTPUTS * sizeof<T>()
    tile<T>(scratch + WEIGHTS_AT, from, cellsOf<T>(count), scratch, TILE_STEP)
    const sums = scratch + SUMS_AT + <usize>panel * SUMS_BYTES + <usize>column * TILE_BYTES
    for (let i: usize = 0; i < <usize>TILE_ROWS; i++) {
      const earlier = v128.load32_splat(scratch + EARLIER_AT + (i << 2))
      const later = v128.load32_splat(scratch + LATER_AT + (i << 2))
      addScaled(sums + (i << 5), earlier, scratch + (i << 5), later)
      addScaled(sums + (i << 5) + 16, earlier, scratch + (i << 5) + 16, later)
    }
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function addScaled(sums: usize, earlier: v128, from: usize, later: v128): void {
  v128.store(sums, f32x4.add(f32x4.mul(v128.load(sums), earlier), f32x4.mul(v128.load(from), later)))
}

/** Multiplies a row of scores by the scales of their keys; only the first `valid` have a key. @returns the largest */
function scaleScores(i: i32, scales: usize, valid: i32, count: i32, scratch: usize): f32 {
  const scores = scratch + SCORES_AT + <usize>i * SCORES_STEP
  const whole = (<usize>min(valid, count) & ~3) << 2
  let largest = f32x4.splat(NO_SCORE)
  for (let at: usize = 0; at < whole; at += 16) {
    const scaled = f32x4.mul(v128.load(scores + at), v128.load(scales + at))
    v128.store(scores + at, scaled)
    largest = f32x4.pmax(largest, scaled)
  }
  let most = maximumOf(largest)
  for (let at = whole; at < <usize>count << 2; at += 4) {
    const isKey = <i32>(at >> 2) < valid
    const scaled = isKey ? load<f32>(scores + at) * load<f32>(scales + at) : NO_SCORE
    store<f32>(scores + at, scaled)
    if (most < scaled) most = scaled
  }
  return most
}

/** Turns a row's scores into weights relative to the largest score so far, spread like the rows of a product. */
function weighRow<T>(i: i32, row: i32, most: f32, scale: f32, count: i32, scratch: usize): void {
  const largestAt = scratch + LARGEST_AT + (<usize>row << 2)
  const before = load<f32>(largestAt)
  const largest = before < most ? most : before
  store<f32>(largestAt, largest)
  const ofBefore = weightsOf(f32x4.splat(before), f32x4.splat(largest), f32x4.splat(scale))
  const earlier = f32x4.extract_lane(ofBefore, 0)
  const scores = scratch + SCORES_AT + <usize>i * SCORES_STEP
  const total = replaceByWeights(scores, scores + (<usize>count << 2), largest, scale, scratch)
  const totalAt = scratch + TOTALS_AT + (<usize>row << 2)
  store<f32>(totalAt, load<f32>(totalAt) * earlier + total)
  // An integer, so that weights of 1 are exact: if all weights are 1, rounding errors would not cancel out.
  let factor: f32 = 1
  if (!isFloat<T>()) factor = Mathf.floor(min(LARGEST, NORM_LIMIT / Mathf.sqrt(sumOf(v128.load(scratch)))))
  store<f32>(scratch + EARLIER_AT + (<usize>i << 2), earlier)
  store<f32>(scratch + LATER_AT + (<usize>i << 2), 1 / factor)
  spreadWeights<T>(scores, scores + (<usize>count << 2), factor, scratch + WEIGHTS_AT + (<usize>i << 4))
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function weightsOf(scores: v128, largest: v128, scales: v128): v128 {
  return powerOfTwo(f32x4.pmax(f32x4.splat(MIN_POWER), f32x4.mul(f32x4.sub(scores, largest), scales)))
}

/** Writes the sums of the squared weights to `squaresTo`. @returns the sum of the weights */
function replaceByWeights(at: usize, end: usize, largest: f32, scale: f32, squaresTo: usize): f32 {
  const most = f32x4.splat(largest)
  const scales = f32x4.splat(scale)
  let sums = f32x4.splat(0)
  let squares = f32x4.splat(0)
  do {
    const left = weightsOf(v128.load(at), most, scales)
    const right = weightsOf(v128.load(at, 16), most, scales)
    sums = f32x4.add(sums, f32x4.add(left, right))
    squares = f32x4.add(squares, f32x4.add(f32x4.mul(left, left), f32x4.mul(right, right)))
    v128.store(at, left)
    v128.store(at, right, 16)
    at += 32
  } while (at < end)
  v128.store(squaresTo, squares)
  return sumOf(sums)
}

/** Writes a row of f32 weights in the layout of spread(…). */
function spreadWeights<T>(from: usize, end: usize, factor: f32, to: usize): void {
  const factors = f32x4.splat(factor)
  do {
    const first = v128.load(from)
    const cells = isFloat<T>()
      ? first
      : rounded16(f32x4.mul(first, factors), f32x4.mul(v128.load(from, 16), factors))
    v128.store(to, i32x4.shuffle(cells, cells, 0, 0, 0, 0))
    v128.store(to, i32x4.shuffle(cells, cells, 1, 1, 1, 1), 96)
    v128.store(to, i32x4.shuffle(cells, cells, 2, 2, 2, 2), 192)
    v128.store(to, i32x4.shuffle(cells, cells, 3, 3, 3, 3), 288)
    from += isFloat<T>() ? 16 : 32
    to += 384
  } while (from < end)
}

function write(head: i32, firstRow: i32, rows: i32, scratch: usize): void {
  const scales = <usize>argument(ATTENTION.valueScales) + (<usize>(head * HEAD) << 2)
  const width = argument(ATTENTION.heads) * HEAD
  for (let row = 0; row < rows; row++) {
    const factor = f32x4.splat(1 / load<f32>(scratch + TOTALS_AT + (<usize>row << 2)))
    const from = scratch + SUMS_AT + (<usize>(row / TILE_ROWS)) * SUMS_BYTES + (<usize>(row % TILE_ROWS) << 5)
    const to = <usize>argument(ATTENTION.to) + (<usize>((firstRow + row) * width + head * HEAD) << 2)
    for (let column: usize = 0; column < <usize>HEAD_PANELS; column++) {
      const sums = from + column * TILE_BYTES
      const offset = column << 5
      v128.store(to + offset, f32x4.mul(f32x4.mul(v128.load(sums), factor), v128.load(scales + offset)))
      const right = f32x4.mul(f32x4.mul(v128.load(sums, 16), factor), v128.load(scales + offset, 16))
      v128.store(to + offset, right, 16)
    }
  }
}

// Self-attention of one head for a few rows of queries at a time, whose weights never leave the cache.
// Queries, keys and values come packed from quantize.ts.

import { argument } from './arguments'
import { scratchOf } from './control'
import { KEY_BLOCK, LARGEST, NORM_LIMIT } from './quantize'
import { SPREAD_PAIR, spread, TILE_BYTES, TILE_OUTPUTS, TILE_ROWS, tile } from './tile'
import { maximumOf, powerOfTwo, rounded16, sumOf } from './vector'

const HEAD: i32 = 64
const HEAD_PANELS: i32 = 8
/** Panels of queries in a chunk. */
const PANELS: i32 = 4
const ROWS: i32 = 24

/** Stands where there is no key. */
const NO_SCORE: f32 = -3e38
/** A row of zeros has the scale 0, with which even that would count as a score of 0. */
const LEAST_SCALE: f32 = 1e-30
/** Smaller weights count as 2⁻⁴⁰: rounded they are 0 anyway, and squares of much smaller ones are denormal, thus slow. */
const LEAST_POWER: f32 = -40

// what a thread keeps of a chunk, in this order: tile, spread queries or weights, largest scores of the rows, factors
// of their weights, factors of their results, sums, scores
const SPREAD_AT: usize = TILE_BYTES
const LARGEST_AT: usize = SPREAD_AT + (<usize>KEY_BLOCK >> 1) * SPREAD_PAIR
const FACTORS_AT: usize = LARGEST_AT + ROWS * 16
const RESULTS_AT: usize = FACTORS_AT + ROWS * 4
const SUMS_AT: usize = RESULTS_AT + ROWS * 4
const SCORES_AT: usize = SUMS_AT + ROWS * HEAD * 4

/**
 * Arguments: queries (panels of 6, [head]), their scales, keys (panels of 8, [head]), their scales, values (packValues),
 * their scales, result (f32 [frames][heads · 64]), frames, heads. Scores are powers of 2: queries come multiplied by
 * log2(e) / √64. A chunk is 4 panels of a head's queries.
 */
export function attention(chunk: i32, thread: i32): void {
  const frames = argument(7)
  const panels = (frames + TILE_ROWS - 1) / TILE_ROWS
  const blocks = (panels + PANELS - 1) / PANELS
  const head = chunk / blocks
  const first = (chunk % blocks) * PANELS
  const count = min(PANELS, panels - first)
  const keys = (frames + 7) & ~7
  const scratch = scratchOf(thread)
  const query = head * panels + first
  const scales = <usize>argument(1) + (<usize>(query * TILE_ROWS) << 2)
  spread(<usize>argument(0) + (<usize>query) * HEAD * 12, count * (HEAD >> 1), scratch + SPREAD_AT)
  scoreAll(head, count, keys, scratch)
  for (let row = 0; row < count * TILE_ROWS; row++) {
    softmax(row, max(LEAST_SCALE, load<f32>(scales + (<usize>row << 2))), keys, scratch)
  }
  weigh(head, count, keys, scratch)
  write(head, first * TILE_ROWS, min(count * TILE_ROWS, frames - first * TILE_ROWS), scratch)
}

/** Scores without the scale of the query: f32 [rows][keys], and each row's largest. */
function scoreAll(head: i32, count: i32, keys: i32, scratch: usize): void {
  const frames = argument(7)
  const from = <usize>argument(2) + (<usize>head) * keys * HEAD * 2
  const scales = <usize>argument(3) + (<usize>(head * keys) << 2)
  for (let row = 0; row < ROWS; row++) v128.store(scratch + LARGEST_AT + (<usize>row << 4), f32x4.splat(NO_SCORE))
  for (let key = 0; key < keys; key += TILE_OUTPUTS) {
    const low = v128.load(scales + (<usize>key << 2))
    const high = v128.load(scales + (<usize>key << 2), 16)
    for (let panel = 0; panel < count; panel++) {
      const queries = scratch + SPREAD_AT + (<usize>panel) * (HEAD >> 1) * SPREAD_PAIR
      tile(queries, from + (<usize>key) * HEAD * 2, HEAD >> 1, scratch, false)
      const row = panel * TILE_ROWS
      const to = scratch + SCORES_AT + (<usize>(row * keys + key) << 2)
      keep(scratch, low, high, frames - key, to, <usize>keys << 2, scratch + LARGEST_AT + (<usize>row << 4))
    }
  }
}

/** Takes over a tile of scores, of which only the first `valid` columns are any. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function keep(from: usize, low: v128, high: v128, valid: i32, to: usize, step: usize, largest: usize): void {
  for (let row = 0; row < TILE_ROWS; row++) {
    let left = f32x4.mul(v128.load(from), low)
    let right = f32x4.mul(v128.load(from, 16), high)
    if (valid < TILE_OUTPUTS) {
      left = v128.bitselect(left, f32x4.splat(NO_SCORE), columnsBelow(valid))
      right = v128.bitselect(right, f32x4.splat(NO_SCORE), columnsBelow(valid - 4))
    }
    v128.store(to, left)
    v128.store(to, right, 16)
    v128.store(largest, f32x4.pmax(v128.load(largest), f32x4.pmax(left, right)))
    from += 32
    to += step
    largest += 16
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function columnsBelow(count: i32): v128 {
  return i32x4.lt_s(i32x4(0, 1, 2, 3), i32x4.splat(count))
}

/** Scores of a row to weights, the largest of which is 1; keeps what rounds them and what makes them sum up to 1. */
function softmax(row: i32, scale: f32, keys: i32, scratch: usize): void {
  const scores = scratch + SCORES_AT + (<usize>(row * keys) << 2)
  const largest = f32x4.splat(maximumOf(v128.load(scratch + LARGEST_AT + (<usize>row << 4))))
  const scales = f32x4.splat(scale)
  let total: f32 = 0
  let most: f32 = 0
  for (let first = 0; first < keys; first += KEY_BLOCK) {
    const end = scores + (<usize>min(keys, first + KEY_BLOCK) << 2)
    let sums = f32x4.splat(0)
    let squares = f32x4.splat(0)
    for (let at = scores + (<usize>first << 2); at < end; at += 16) {
      const score = f32x4.mul(f32x4.sub(v128.load(at), largest), scales)
      const power = powerOfTwo(f32x4.pmax(f32x4.splat(LEAST_POWER), score))
      sums = f32x4.add(sums, power)
      squares = f32x4.add(squares, f32x4.mul(power, power))
      v128.store(at, power)
    }
    total += sumOf(sums)
    most = max(most, sumOf(squares))
  }
  const factor = min(LARGEST, NORM_LIMIT / Mathf.sqrt(most))
  store<f32>(scratch + FACTORS_AT + (<usize>row << 2), factor)
  store<f32>(scratch + RESULTS_AT + (<usize>row << 2), 1 / (factor * total))
}

/** Weights times values: sums f32 [panel of rows][panel of columns][6][8], block of keys after block of keys. */
function weigh(head: i32, count: i32, keys: i32, scratch: usize): void {
  const values = <usize>argument(4) + (<usize>head) * keys * HEAD * 2
  for (let first = 0; first < keys; first += KEY_BLOCK) {
    const pairs = min(KEY_BLOCK, keys - first) >> 1
    for (let panel = 0; panel < count; panel++) {
      for (let i = 0; i < TILE_ROWS; i++) spreadWeights(panel * TILE_ROWS + i, first, pairs, keys, scratch)
      for (let column = 0; column < HEAD_PANELS; column++) {
        const sums = scratch + SUMS_AT + (<usize>(panel * HEAD_PANELS + column)) * TILE_BYTES
        tile(scratch + SPREAD_AT, values + (<usize>(column * keys + first) << 4), pairs, sums, first > 0)
      }
    }
  }
}

/** A row of weights from f32 to where spread(…) would have put them. */
function spreadWeights(row: i32, first: i32, pairs: i32, keys: i32, scratch: usize): void {
  const factors = v128.load32_splat(scratch + FACTORS_AT + (<usize>row << 2))
  let from = scratch + SCORES_AT + (<usize>(row * keys + first) << 2)
  const end = from + (<usize>pairs << 3)
  let to = scratch + SPREAD_AT + (<usize>(row % TILE_ROWS) << 4)
  while (from < end) {
    const eight = rounded16(f32x4.mul(v128.load(from), factors), f32x4.mul(v128.load(from, 16), factors))
    v128.store(to, i32x4.shuffle(eight, eight, 0, 0, 0, 0))
    v128.store(to, i32x4.shuffle(eight, eight, 1, 1, 1, 1), 96)
    v128.store(to, i32x4.shuffle(eight, eight, 2, 2, 2, 2), 192)
    v128.store(to, i32x4.shuffle(eight, eight, 3, 3, 3, 3), 288)
    from += 32
    to += 384
  }
}

function write(head: i32, firstRow: i32, rows: i32, scratch: usize): void {
  const scales = <usize>argument(5) + (<usize>(head * HEAD) << 2)
  const width = argument(8) * HEAD
  for (let row = 0; row < rows; row++) {
    const factor = v128.load32_splat(scratch + RESULTS_AT + (<usize>row << 2))
    const tiles = scratch + SUMS_AT + (<usize>(row / TILE_ROWS)) * HEAD_PANELS * TILE_BYTES
    const from = tiles + (<usize>(row % TILE_ROWS) << 5)
    const to = <usize>argument(6) + (<usize>((firstRow + row) * width + head * HEAD) << 2)
    for (let column: usize = 0; column < <usize>HEAD_PANELS; column++) {
      const sums = from + column * TILE_BYTES
      const offset = column << 5
      v128.store(to + offset, f32x4.mul(f32x4.mul(v128.load(sums), factor), v128.load(scales + offset)))
      const right = f32x4.mul(f32x4.mul(v128.load(sums, 16), factor), v128.load(scales + offset, 16))
      v128.store(to + offset, right, 16)
    }
  }
}

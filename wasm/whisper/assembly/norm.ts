// Layer norm of rows of f32.

import { NORM_ROWS_IN_CHUNK } from '../interface'
import { LAYER_NORM } from '../kernel-arguments'
import { argument } from './arguments'

const EPSILON: f32 = 1e-5

/** Rows per chunk: few enough to distribute, enough to outweigh the cost of taking a chunk. */
const ROWS: i32 = NORM_ROWS_IN_CHUNK

/** A chunk is 8 rows. */
export function layerNorm(chunk: i32): void {
  const width = argument(LAYER_NORM.width)
  const last = min(argument(LAYER_NORM.rows), (chunk + 1) * ROWS)
  for (let row = chunk * ROWS; row < last; row++) {
    const offset = <usize>row * width * 4
    normalize(
      <usize>argument(LAYER_NORM.from) + offset,
      <usize>argument(LAYER_NORM.to) + offset,
      argument(LAYER_NORM.weight),
      argument(LAYER_NORM.bias),
      width,
    )
  }
}

/** One row; `width` is a multiple of 4. Mean and variance in f32, as in whisper.cpp. */
export function normalize(from: usize, to: usize, weight: usize, bias: usize, width: i32): void {
  const end = <usize>width * 4
  let sums = f32x4.splat(0)
  for (let at: usize = 0; at < end; at += 16) sums = f32x4.add(sums, v128.load(from + at))
  const mean = f32x4.splat(sumOf(sums) / <f32>width)
  let squares = f32x4.splat(0)
  for (let at: usize = 0; at < end; at += 16) {
    const difference = f32x4.sub(v128.load(from + at), mean)
    squares = f32x4.add(squares, f32x4.mul(difference, difference))
  }
  const scale = f32x4.splat(<f32>1 / Mathf.sqrt(sumOf(squares) / <f32>width + EPSILON))
  for (let at: usize = 0; at < end; at += 16) {
    const normal = f32x4.mul(f32x4.sub(v128.load(from + at), mean), scale)
    v128.store(to + at, f32x4.add(f32x4.mul(normal, v128.load(weight + at)), v128.load(bias + at)))
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function sumOf(lanes: v128): f32 {
  return (
    f32x4.extract_lane(lanes, 0) + f32x4.extract_lane(lanes, 1) + f32x4.extract_lane(lanes, 2) + f32x4.extract_lane(lanes, 3)
  )
}

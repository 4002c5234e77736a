// Products of packed rows with packed weights, and what follows them: bias, GELU, addition.
// Packing is quantize.ts, the tile itself tile.ts.

import { argument } from './arguments'
import { scratchOf } from './control'
import { cellsOf, MOST_CELLS, OUTPUTS_CELL, ROWS_CELL, SPREAD_BYTES, spread } from './tile'
import { TILE_BYTES, TILE_OUTPUTS, TILE_ROWS, TILE_STEP, tile } from './tile'
import { gelu } from './vector'

/**
 * Arguments: rows (panels of 6), their scales, weights (panels of 8 outputs), their scales, bias, addend (f32
 * as the result, 0: none), result (f32 [rows][outputs]), rows, inputs, outputs, whether GELU comes before the
 * addition, panels of rows in a chunk, panels of outputs in a chunk, inputs of a block (as both were packed
 * with; 0: both are f32). Inputs and outputs are multiples of 8. Chunks that follow one another use the same weights.
 */
export function product(chunk: i32, thread: i32): void {
  if (argument(13)) productOf<i16>(chunk, thread, cellsOf<i16>(argument(13)))
  else productOf<f32>(chunk, thread, MOST_CELLS)
}

function productOf<T>(chunk: i32, thread: i32, block: i32): void {
  const rows = argument(7)
  const inputs = cellsOf<T>(argument(8))
  const panels = (rows + TILE_ROWS - 1) / TILE_ROWS
  const blocks = (panels + argument(11) - 1) / argument(11)
  const firstRow = (chunk % blocks) * argument(11)
  const lastRow = min(panels, firstRow + argument(11))
  const firstOutput = (chunk / blocks) * argument(12)
  const lastOutput = min(argument(9) / TILE_OUTPUTS, firstOutput + argument(12))
  const spreadRows = scratchOf(thread)
  const sums = spreadRows + SPREAD_BYTES + TILE_BYTES
  for (let row = firstRow; row < lastRow; row++) {
    const from = <usize>argument(0) + (<usize>row) * inputs * ROWS_CELL
    for (let input = 0; input < inputs; input += block) {
      const cells = min(block, inputs - input)
      spread(from + (<usize>input) * ROWS_CELL, cells, spreadRows)
      for (let output = firstOutput; output < lastOutput; output++) {
        const weights = <usize>argument(2) + (<usize>(output * inputs + input)) * OUTPUTS_CELL
        const to = sums + (<usize>(output - firstOutput)) * TILE_BYTES
        if (input == 0) tile<T>(spreadRows, weights, cells, to, TILE_STEP)
        else addTile<T>(spreadRows, weights, cells, to, spreadRows + SPREAD_BYTES)
      }
    }
    for (let i = 0; i < min(TILE_ROWS, rows - row * TILE_ROWS); i++) {
      finish(sums + (<usize>i) * TILE_STEP, row * TILE_ROWS + i, firstOutput, lastOutput)
    }
  }
}

/** `more` is room for a tile. */
function addTile<T>(rows: usize, weights: usize, cells: i32, to: usize, more: usize): void {
  tile<T>(rows, weights, cells, more, TILE_STEP)
  for (let at: usize = 0; at < TILE_BYTES; at += 16) {
    v128.store(to + at, f32x4.add(v128.load(to + at), v128.load(more + at)))
  }
}

/** A row of some panels' sums to results. */
function finish(sums: usize, row: i32, firstOutput: i32, lastOutput: i32): void {
  const column = <usize>(firstOutput * TILE_OUTPUTS) << 2
  const offset = (<usize>(row * argument(9)) << 2) + column
  const scale = v128.load32_splat(<usize>argument(1) + (<usize>row << 2))
  const withGelu = argument(10)
  let scales = <usize>argument(3) + column
  let biases = <usize>argument(4) + column
  let addend = argument(5) ? <usize>argument(5) + offset : 0
  let to = <usize>argument(6) + offset
  const end = to + (<usize>((lastOutput - firstOutput) * TILE_OUTPUTS) << 2)
  do {
    let left = f32x4.add(f32x4.mul(f32x4.mul(v128.load(sums), scale), v128.load(scales)), v128.load(biases))
    let right = f32x4.mul(f32x4.mul(v128.load(sums, 16), scale), v128.load(scales, 16))
    right = f32x4.add(right, v128.load(biases, 16))
    if (withGelu) {
      left = gelu(left)
      right = gelu(right)
    }
    if (addend) {
      left = f32x4.add(left, v128.load(addend))
      right = f32x4.add(right, v128.load(addend, 16))
      addend += TILE_STEP
    }
    v128.store(to, left)
    v128.store(to, right, 16)
    sums += TILE_BYTES
    scales += TILE_STEP
    biases += TILE_STEP
    to += TILE_STEP
  } while (to < end)
}

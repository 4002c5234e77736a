// Products of packed rows with packed weights, and what follows them: bias, GELU, addition.
// Packing is quantize.ts, the tile itself tile.ts.

import { argument } from './arguments'
import { scratchOf } from './control'
import { BLOCK } from './quantize'
import { SPREAD_BYTES, spread, TILE_BYTES, TILE_OUTPUTS, TILE_ROWS, TILE_STEP, tile } from './tile'
import { gelu } from './vector'

/**
 * Arguments: rows (panels of 6), their scales, weights (panels of 8 outputs), their scales, bias, addend (f32 as the
 * result, 0: none), result (f32 [rows][outputs]), rows, inputs, outputs, whether GELU comes before the addition, panels
 * of rows in a chunk, panels of outputs in a chunk. Inputs and outputs are multiples of 8. Chunks that follow one
 * another use the same weights.
 */
export function product(chunk: i32, thread: i32): void {
  const rows = argument(7)
  const inputs = argument(8)
  const panels = (rows + TILE_ROWS - 1) / TILE_ROWS
  const blocks = (panels + argument(11) - 1) / argument(11)
  const firstRow = (chunk % blocks) * argument(11)
  const lastRow = min(panels, firstRow + argument(11))
  const firstOutput = (chunk / blocks) * argument(12)
  const lastOutput = min(argument(9) / TILE_OUTPUTS, firstOutput + argument(12))
  const spreadRows = scratchOf(thread)
  const sums = spreadRows + SPREAD_BYTES + TILE_BYTES
  for (let row = firstRow; row < lastRow; row++) {
    const from = <usize>argument(0) + (<usize>row) * inputs * 12
    for (let input = 0; input < inputs; input += BLOCK) {
      const pairs = min(BLOCK, inputs - input) >> 1
      spread(from + (<usize>input) * 12, pairs, spreadRows)
      for (let output = firstOutput; output < lastOutput; output++) {
        const weights = <usize>argument(2) + (<usize>(output * inputs + input) << 4)
        const to = sums + (<usize>(output - firstOutput)) * TILE_BYTES
        if (input == 0) tile(spreadRows, weights, pairs, to, TILE_STEP)
        else addTile(spreadRows, weights, pairs, to, spreadRows + SPREAD_BYTES)
      }
    }
    for (let output = firstOutput; output < lastOutput; output++) {
      finish(sums + (<usize>(output - firstOutput)) * TILE_BYTES, row * TILE_ROWS, output)
    }
  }
}

/** `more` is room for a tile. */
function addTile(rows: usize, weights: usize, pairs: i32, to: usize, more: usize): void {
  tile(rows, weights, pairs, more, TILE_STEP)
  for (let at: usize = 0; at < TILE_BYTES; at += 16) {
    v128.store(to + at, f32x4.add(v128.load(to + at), v128.load(more + at)))
  }
}

function finish(sums: usize, firstRow: i32, panel: i32): void {
  const outputs = argument(9)
  const column = <usize>(panel * TILE_OUTPUTS) << 2
  const low = v128.load(<usize>argument(3) + column)
  const high = v128.load(<usize>argument(3) + column, 16)
  const lowBias = v128.load(<usize>argument(4) + column)
  const highBias = v128.load(<usize>argument(4) + column, 16)
  const rows = min(TILE_ROWS, argument(7) - firstRow)
  const scales = <usize>argument(1) + (<usize>firstRow << 2)
  const addend = argument(5)
  for (let i = 0; i < rows; i++) {
    const scale = v128.load32_splat(scales + (<usize>i << 2))
    const offset = (<usize>((firstRow + i) * outputs) << 2) + column
    let left = f32x4.add(f32x4.mul(f32x4.mul(v128.load(sums), scale), low), lowBias)
    let right = f32x4.add(f32x4.mul(f32x4.mul(v128.load(sums, 16), scale), high), highBias)
    if (argument(10)) {
      left = gelu(left)
      right = gelu(right)
    }
    if (addend) {
      left = f32x4.add(left, v128.load(<usize>addend + offset))
      right = f32x4.add(right, v128.load(<usize>addend + offset, 16))
    }
    v128.store(<usize>argument(6) + offset, left)
    v128.store(<usize>argument(6) + offset, right, 16)
    sums += 32
  }
}

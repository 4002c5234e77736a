// Products of packed rows with packed weights, followed by bias, GELU and addition.

import { PRODUCT } from '../kernel-arguments'
import { argument } from './arguments'
import { scratchOf } from './control'
import { cellsOf, MAX_CELLS, OUTPUTS_CELL, ROWS_CELL, SPREAD_BYTES, spread } from './tile'
import { addTile, TILE_BYTES, TILE_OUTPUTS, TILE_ROWS, TILE_STEP, tile } from './tile'
import { gelu } from './vector'

/** Consecutive chunks use the same weights. */
export function product(chunk: i32, thread: i32): void {
  if (argument(PRODUCT.block)) productOf<i16>(chunk, thread, cellsOf<i16>(argument(PRODUCT.block)))
  else productOf<f32>(chunk, thread, MAX_CELLS)
}

function productOf<T>(chunk: i32, thread: i32, block: i32): void {
  const rows = argument(PRODUCT.rowCount)
  const inputs = cellsOf<T>(argument(PRODUCT.inputs))
  const panels = (rows + TILE_ROWS - 1) / TILE_ROWS
  const blocks = (panels + argument(PRODUCT.rowPanelsInChunk) - 1) / argument(PRODUCT.rowPanelsInChunk)
  const firstRow = (chunk % blocks) * argument(PRODUCT.rowPanelsInChunk)
  const lastRow = min(panels, firstRow + argument(PRODUCT.rowPanelsInChunk))
  const firstOutput = (chunk / blocks) * argument(PRODUCT.outputPanelsInChunk)
  const lastOutput = min(
    argument(PRODUCT.outputs) / TILE_OUTPUTS,
    firstOutput + argument(PRODUCT.outputPanelsInChunk),
  )
  const spreadRows = scratchOf(thread)
  const allSums = spreadRows + SPREAD_BYTES
  const sumsOfRow = <usize>argument(PRODUCT.outputPanelsInChunk) * TILE_BYTES
  // Blocks in the outer loop, rows in the inner: the chunk's weights of a block stay in the L2 cache for all its rows.
  for (let input = 0; input < inputs; input += block) {
    const cells = min(block, inputs - input)
    const isLast = input + cells == inputs
    for (let row = firstRow; row < lastRow; row++) {
      const from = <usize>argument(PRODUCT.rows) + ((<usize>row) * inputs + input) * ROWS_CELL
      spread(from, cells, spreadRows)
      // Sums are stored only if another block follows.
      const sums = inputs > block ? allSums + (<usize>(row - firstRow)) * sumsOfRow : allSums
      for (let output = firstOutput; output < lastOutput; output++) {
        const weights = <usize>argument(PRODUCT.weights) + (<usize>(output * inputs + input)) * OUTPUTS_CELL
        const to = sums + (<usize>(output - firstOutput)) * TILE_BYTES
        if (input == 0) tile<T>(spreadRows, weights, cells, to, TILE_STEP)
        else addTile<T>(spreadRows, weights, cells, to, TILE_STEP)
      }
      if (!isLast) continue
      for (let i = 0; i < min(TILE_ROWS, rows - row * TILE_ROWS); i++) {
        finish(sums + (<usize>i) * TILE_STEP, row * TILE_ROWS + i, firstOutput, lastOutput)
      }
    }
  }
}

/** Turns a row of sums into results. */
function finish(sums: usize, row: i32, firstOutput: i32, lastOutput: i32): void {
  const column = <usize>(firstOutput * TILE_OUTPUTS) << 2
  const offset = (<usize>(row * argument(PRODUCT.outputs)) << 2) + column
  const scale = v128.load32_splat(<usize>argument(PRODUCT.rowScales) + (<usize>row << 2))
  const withGelu = argument(PRODUCT.gelu)
  let scales = <usize>argument(PRODUCT.weightScales) + column
  let biases = <usize>argument(PRODUCT.bias) + column
  let addend = argument(PRODUCT.addend) ? <usize>argument(PRODUCT.addend) + offset : 0
  let to = <usize>argument(PRODUCT.to) + offset
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

// Packs matrices and vectors of f32 for token-panels.ts, which changes their order only.

import { PANEL_ROWS } from '../interface'
import { PACK_MATRIX, PACK_TRANSPOSED } from '../kernel-arguments'
import { argument } from './arguments'
import { spreadInSteps } from './tile'
import { groupOf } from './token-panels'
import { withoutSmallest } from './vector'

/** Bytes from one input of a panel to the next. */
const STEP: usize = <usize>PANEL_ROWS * 4

/** Packs a range of rows. */
export function copyRows(first: i32, last: i32): void {
  const rows = argument(PACK_MATRIX.rows)
  for (let row = first; row < last; row++) {
    let from = <usize>argument(PACK_MATRIX.from) + <usize>row * <usize>argument(PACK_MATRIX.rowBytes)
    let part =
      <usize>argument(PACK_MATRIX.to) + <usize>(row / PANEL_ROWS) * <usize>argument(PACK_MATRIX.panelBytes)
    part += <usize>(row % PANEL_ROWS) * 4
    for (let group = 0; group < argument(PACK_MATRIX.groups); group += argument(PACK_MATRIX.groupsInPart)) {
      const bytes = <usize>(argument(PACK_MATRIX.groupsInPart) * groupOf<f32>()) * 4
      copyLane(from, row < rows ? bytes : 0, part, bytes)
      from += bytes
      part += <usize>argument(PACK_MATRIX.partBytes)
    }
  }
}

/** Copies `bytes` bytes of a row to its lane of a panel, then zeros up to `filled`. */
function copyLane(from: usize, bytes: usize, to: usize, filled: usize): void {
  for (let at: usize = 0; at < filled; at += 16) {
    const four = at < bytes ? v128.load(from + at) : f32x4.splat(0)
    v128.store32_lane(to, four, 0)
    v128.store32_lane(to + STEP, four, 1)
    v128.store32_lane(to + 2 * STEP, four, 2)
    v128.store32_lane(to + 3 * STEP, four, 3)
    to += 4 * STEP
  }
}

/** Packs a panel of a matrix in column-major order. */
export function copyColumns(panel: i32): void {
  const columns = argument(PACK_TRANSPOSED.columns)
  const filled = (columns + groupOf<f32>() - 1) & ~(groupOf<f32>() - 1)
  let from = <usize>argument(PACK_TRANSPOSED.from) + <usize>panel * STEP
  let to = <usize>argument(PACK_TRANSPOSED.to) + <usize>panel * <usize>argument(PACK_TRANSPOSED.panelBytes)
  for (let column = 0; column < columns; column++) {
    v128.store(to, v128.load(from))
    v128.store(to, v128.load(from, 16), 16)
    from += <usize>argument(PACK_TRANSPOSED.columnBytes)
    to += STEP
  }
  memory.fill(to, 0, <usize>(filled - columns) * STEP)
}

/** Packs a vector. Writes no sum per group, because f32 weights have no offset. */
export function spreadVector(from: usize, to: usize, width: i32, step: usize): void {
  for (let group = 0; group < width; group += groupOf<f32>()) {
    for (let i = 0; i < groupOf<f32>(); i += 4) {
      spreadInSteps(withoutSmallest(v128.load(from)), to, step)
      from += 16
      to += 4 * step
    }
    to += step
  }
}

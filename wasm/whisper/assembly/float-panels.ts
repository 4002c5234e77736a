// Rows of f32 to panels of f32: in another order, but as they are.
// Knows not what is multiplied with them; the shape of the panels is tile.ts, panels of i16 are quantize.ts.

import { PANELS_IN_PACK_CHUNK } from '../interface'
import { argument } from './arguments'
import { scratchOf } from './control'
import { normalize } from './norm'
import { withoutSmallest } from './vector'

/** Panels of a chunk. */
const PANELS: i32 = PANELS_IN_PACK_CHUNK

/**
 * Arguments and chunks are those of packRows, without the inputs of a block. Panels are [inputs][rows of a panel]; the
 * scales are 1.
 */
export function copyRows(chunk: i32, thread: i32): void {
  const rows = argument(2)
  const inputs = argument(3)
  const height = argument(4)
  const panels = (rows + height - 1) / height
  const chunks = (panels + PANELS - 1) / PANELS
  const matrix = chunk / chunks
  const first = (chunk % chunks) * PANELS
  const last = min(panels, first + PANELS)
  const from = <usize>argument(0) + <usize>matrix * argument(10) * 4
  for (let panel = first; panel < last; panel++) {
    const at = <usize>((matrix * panels + panel) * height) * 4
    const to = <usize>argument(5) + at * inputs
    const scales = <usize>argument(6) + at
    for (let i = 0; i < height; i++) {
      const row = panel * height + i
      const values = from + (<usize>row) * argument(1) * 4
      copyRow(row < rows ? normal(values, thread) : 0, inputs, height, to + (<usize>i << 2))
      store<f32>(scales + (<usize>i << 2), 1)
    }
  }
}

/** @returns where the row stands after a layer norm, if there is one */
function normal(row: usize, thread: i32): usize {
  const norm = argument(7)
  if (!norm) return row
  normalize(row, scratchOf(thread), norm, argument(8), argument(3))
  return scratchOf(thread)
}

/** @param from 0: zeros */
function copyRow(from: usize, inputs: i32, height: i32, to: usize): void {
  const step = <usize>height << 2
  for (let at: usize = 0; at < <usize>inputs << 2; at += 16) {
    const four = from ? withoutSmallest(v128.load(from + at)) : f32x4.splat(0)
    v128.store32_lane(to, four, 0)
    v128.store32_lane(to + step, four, 1)
    v128.store32_lane(to + step * 2, four, 2)
    v128.store32_lane(to + step * 3, four, 3)
    to += step << 2
  }
}

/** Arguments and chunks are those of packValues, without the keys of a block. Panels are [keys][8], the scales are 1. */
export function copyValues(chunk: i32): void {
  const keys = argument(2)
  const filled = (keys + 7) & ~7
  let from = <usize>argument(0) + (<usize>chunk << 5)
  let to = <usize>argument(3) + (<usize>(chunk * filled) << 5)
  const scales = <usize>argument(4) + (<usize>chunk << 5)
  v128.store(scales, f32x4.splat(1))
  v128.store(scales, f32x4.splat(1), 16)
  for (let key = 0; key < keys; key++) {
    v128.store(to, v128.load(from))
    v128.store(to, v128.load(from, 16), 16)
    from += (<usize>argument(1)) << 2
    to += 32
  }
  memory.fill(to, 0, <usize>(filled - keys) << 5)
}

// Packs rows of f32 into panels of f32, which changes their order only. tile.ts defines the panels.

import { PANELS_IN_PACK_CHUNK } from '../interface'
import { PACK_ROWS, PACK_VALUES } from '../kernel-arguments'
import { argument } from './arguments'
import { scratchOf } from './control'
import { normalize } from './norm'
import { withoutSmallest } from './vector'

/** Panels per chunk. */
const PANELS: i32 = PANELS_IN_PACK_CHUNK

/** Chunks are those of packRows. Panels are [inputs][rows of a panel]. */
export function copyRows(chunk: i32, thread: i32): void {
  const rows = argument(PACK_ROWS.rows)
  const inputs = argument(PACK_ROWS.inputs)
  const height = argument(PACK_ROWS.height)
  const panels = (rows + height - 1) / height
  const chunks = (panels + PANELS - 1) / PANELS
  const matrix = chunk / chunks
  const first = (chunk % chunks) * PANELS
  const last = min(panels, first + PANELS)
  const from = <usize>argument(PACK_ROWS.from) + <usize>matrix * argument(PACK_ROWS.step) * 4
  for (let panel = first; panel < last; panel++) {
    const at = <usize>((matrix * panels + panel) * height) * 4
    const to = <usize>argument(PACK_ROWS.to) + at * inputs
    const scales = <usize>argument(PACK_ROWS.scales) + at
    for (let i = 0; i < height; i++) {
      const row = panel * height + i
      const values = from + (<usize>row) * argument(PACK_ROWS.stride) * 4
      copyRow(row < rows ? normal(values, thread) : 0, inputs, height, to + (<usize>i << 2))
      store<f32>(scales + (<usize>i << 2), 1)
    }
  }
}

/** Applies the layer norm, if there is one. @returns the address of the resulting row */
function normal(row: usize, thread: i32): usize {
  const norm = argument(PACK_ROWS.normWeight)
  if (!norm) return row
  normalize(row, scratchOf(thread), norm, argument(PACK_ROWS.normBias), argument(PACK_ROWS.inputs))
  return scratchOf(thread)
}

/** @param from 0 for zeros */
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

/** Chunks are those of packValues. Panels are [keys][8]. */
export function copyValues(chunk: i32): void {
  const keys = argument(PACK_VALUES.keys)
  const filled = (keys + 7) & ~7
  let from = <usize>argument(PACK_VALUES.from) + (<usize>chunk << 5)
  let to = <usize>argument(PACK_VALUES.to) + (<usize>(chunk * filled) << 5)
  const scales = <usize>argument(PACK_VALUES.scales) + (<usize>chunk << 5)
  v128.store(scales, f32x4.splat(1))
  v128.store(scales, f32x4.splat(1), 16)
  for (let key = 0; key < keys; key++) {
    v128.store(to, v128.load(from))
    v128.store(to, v128.load(from, 16), 16)
    from += (<usize>argument(PACK_VALUES.stride)) << 2
    to += 32
  }
  memory.fill(to, 0, <usize>(filled - keys) << 5)
}

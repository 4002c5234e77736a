// Packs matrices and vectors of f32 as token-panels.ts multiplies them: in another order, but as they are.
// Multiplies nothing; packing to integers is token-pack.ts and token-vectors.ts.

import { argument } from './arguments'
import { spreadFour } from './tile'
import { PANEL_ROWS, VECTOR_GROUP, VECTOR_SUM, groupOf } from './token-panels'
import { withoutSmallest } from './vector'

/** From an input of a panel to the next. */
const STEP: usize = <usize>PANEL_ROWS * 4

/** Some rows of a matrix; arguments are those of packMatrix. */
export function copyRows(first: i32, last: i32): void {
  const rows = argument(2)
  for (let row = first; row < last; row++) {
    let from = <usize>argument(0) + <usize>row * <usize>argument(3)
    let part = <usize>argument(1) + <usize>(row / PANEL_ROWS) * <usize>argument(5) + <usize>(row % PANEL_ROWS) * 4
    for (let group = 0; group < argument(4); group += argument(6)) {
      let to = part
      for (let input = 0; input < argument(6) * groupOf<f32>(); input++) {
        store<f32>(to, row < rows ? load<f32>(from) : 0)
        from += 4
        to += STEP
      }
      part += <usize>argument(7)
    }
  }
}

/** A panel of a matrix whose columns lie one after another; arguments are those of packTransposed. */
export function copyColumns(panel: i32): void {
  const columns = argument(4)
  const filled = (columns + groupOf<f32>() - 1) & ~(groupOf<f32>() - 1)
  let from = <usize>argument(0) + <usize>panel * STEP
  let to = <usize>argument(1) + <usize>panel * <usize>argument(5)
  for (let column = 0; column < columns; column++) {
    v128.store(to, v128.load(from))
    v128.store(to, v128.load(from, 16), 16)
    from += <usize>argument(3)
    to += STEP
  }
  memory.fill(to, 0, <usize>(filled - columns) * STEP)
}

/** A vector; the place of a group's sum stays empty, since weights of f32 have no offset. */
export function spreadVector(from: usize, to: usize, width: i32): void {
  for (let group = 0; group < width; group += groupOf<f32>()) {
    for (let i = 0; i < groupOf<f32>(); i += 4) {
      spreadFour(withoutSmallest(v128.load(from)), to)
      from += 16
      to += 64
    }
    to += VECTOR_GROUP - VECTOR_SUM
  }
}

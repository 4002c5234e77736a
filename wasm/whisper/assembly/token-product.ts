// Products of packed matrices with vectors, followed by bias, GELU or addition.

import { FINISH, PANEL_ROWS } from '../interface'
import { MULTIPLY } from '../kernel-arguments'
import { argument } from './arguments'
import { scratchOf } from './control'
import { VECTOR_GROUP, dotPanelBeside, groupBytes } from './token-panels'
import { sideBySide } from './token-vectors'
import { gelu } from './vector'

/** Bytes of a panel's sums for one vector, f32. */
const SUMS: usize = <usize>PANEL_ROWS * 4

export function multiply(chunk: i32, thread: i32): void {
  const bytes = argument(MULTIPLY.weightBytes)
  if (bytes == 1) multiplyBy<i8>(chunk, thread)
  else if (bytes == 2) multiplyBy<i16>(chunk, thread)
  else multiplyBy<f32>(chunk, thread)
}

function multiplyBy<T>(chunk: i32, thread: i32): void {
  const sums = scratchOf(thread)
  const vectors = argument(MULTIPLY.count)
  const groups = argument(MULTIPLY.groups)
  const first = chunk * argument(MULTIPLY.panelsInChunk)
  const last = min(argument(MULTIPLY.panels), first + argument(MULTIPLY.panelsInChunk))
  const vectorBytes = <usize>groups * VECTOR_GROUP
  const panelBytes = <usize>groups * groupBytes<T>()
  // the interleaved vectors and the panels of a chunk stay in the cache
  for (let vector = 0; vector < vectors; ) {
    const side = sideBySide(vector, vectors)
    const at = <usize>argument(MULTIPLY.vectors) + <usize>vector * vectorBytes
    let panel = <usize>argument(MULTIPLY.matrix) + <usize>first * panelBytes
    for (let index = first; index < last; index++) {
      dotPanelBeside<T>(side, panel, at, groups, sums, SUMS)
      for (let i = 0; i < side; i++) finish(sums + <usize>i * SUMS, vector + i, index)
      panel += panelBytes
    }
    vector += side
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function finish(sums: usize, vector: i32, panel: i32): void {
  const how = argument(MULTIPLY.finish)
  const scale = v128.load32_splat(<usize>argument(MULTIPLY.scales) + <usize>vector * 4)
  const to =
    <usize>argument(MULTIPLY.to) + <usize>vector * <usize>argument(MULTIPLY.resultBytes) + <usize>panel * SUMS
  let low = f32x4.mul(v128.load(sums, 0), scale)
  let high = f32x4.mul(v128.load(sums, 16), scale)
  if (argument(MULTIPLY.bias)) {
    const bias = <usize>argument(MULTIPLY.bias) + <usize>panel * SUMS
    low = f32x4.add(low, v128.load(bias, 0))
    high = f32x4.add(high, v128.load(bias, 16))
  }
  if (how == FINISH.gelu) {
    low = gelu(low)
    high = gelu(high)
  } else if (how == FINISH.add) {
    low = f32x4.add(low, v128.load(to, 0))
    high = f32x4.add(high, v128.load(to, 16))
  }
  v128.store(to, low, 0)
  v128.store(to, high, 16)
}

// Whether the kernels compute rightly on this machine, before speech depends on them.
// Tries the product that takes most of the time; every kernel is tested in test/wasm.

import {
  BLOCK,
  multiply,
  OUTPUT_PANEL,
  packRows,
  panelBytes,
  ROW_PANEL,
  scaleBytes,
} from '../../../wasm/whisper/encoder-kernels.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'

export class KernelsBroken extends Error {}

const ROWS = 100
const INPUTS = 64
const OUTPUTS = 64
/** i16 operands err by a thousandth. */
const TOLERANCE = 0.01

/** Numbers in −1…1 that look random and are the same everywhere. */
const numbers = (count: number, seed: number) =>
  Float32Array.from({ length: count }, (_, i) => Math.sin(seed + i * (12.9898 + seed)))

const dot = (a: Float32Array, row: number, b: Float32Array, column: number) => {
  let sum = 0
  for (let k = 0; k < INPUTS; k += 1) sum += a[row * INPUTS + k]! * b[column * INPUTS + k]!
  return sum
}

/** @throws KernelsBroken */
export const testKernels = (kernels: Kernels): void => {
  const before = kernels.mark()
  const place = (values: Float32Array) => {
    const at = kernels.allocate(values.length * 4)
    kernels.floats().set(values, at / 4)
    return at
  }
  const pack = (values: Float32Array, height: typeof ROW_PANEL | typeof OUTPUT_PANEL, rows: number) => {
    const to = {
      at: kernels.allocate(panelBytes(height, rows, INPUTS)),
      scales: kernels.allocate(scaleBytes(height, rows)),
    }
    packRows(kernels, { from: place(values), stride: INPUTS, rows, inputs: INPUTS, height, to })
    return to
  }
  const [a, b] = [numbers(ROWS * INPUTS, 1), numbers(OUTPUTS * INPUTS, 2)]
  const input = pack(a, ROW_PANEL, ROWS)
  const bias = kernels.allocate(OUTPUTS * 4)
  const layer = {
    weights: pack(b, OUTPUT_PANEL, OUTPUTS),
    bias,
    inputs: INPUTS,
    outputs: OUTPUTS,
    block: BLOCK,
  }
  const to = kernels.allocate(ROWS * OUTPUTS * 4)
  multiply(kernels, { rows: ROWS, input, layer, to })
  const result = kernels.floats().subarray(to / 4, to / 4 + ROWS * OUTPUTS)
  for (const [i, value] of result.entries()) {
    const expected = dot(a, Math.floor(i / OUTPUTS), b, i % OUTPUTS)
    // written so that NaN fails too
    if (!(Math.abs(value - expected) <= TOLERANCE * Math.sqrt(INPUTS))) {
      throw new KernelsBroken('the kernels of the engine compute wrongly on this machine')
    }
  }
  kernels.release(before)
}

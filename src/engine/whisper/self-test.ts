// Checks the kernels' results on this machine before speech depends on them. Covers the products that take most of the time.

import {
  BLOCK,
  type Block,
  IN_FLOATS,
  multiplyRows,
  packRows,
  panelBytes,
  scaleBytes,
} from '../../../wasm/whisper/encoder-kernels.ts'
import { OUTPUT_PANEL, ROW_PANEL } from '../../../wasm/whisper/interface.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'

export class KernelsBroken extends Error {}

const ROWS = 100
const INPUTS = 64
const OUTPUTS = 64
/** The relative error is about 1e-3 for i16 operands and 1e-6 for f32. */
const TOLERANCE = { integers: 0.01, floats: 1e-5 }

/** Pseudorandom numbers in −1…1, the same on every machine. */
const numbers = (count: number, seed: number) =>
  Float32Array.from({ length: count }, (_, i) => Math.sin(seed + i * (12.9898 + seed)))

const dot = (a: Float32Array, row: number, b: Float32Array, column: number) => {
  let sum = 0
  for (let k = 0; k < INPUTS; k += 1) sum += a[row * INPUTS + k]! * b[column * INPUTS + k]!
  return sum
}

/** One product, computed as in the encoder. @returns f32 [ROWS][OUTPUTS] */
const productOf = (kernels: Kernels, a: Float32Array, b: Float32Array, block: Block): Float32Array => {
  const place = (values: Float32Array) => {
    const at = kernels.allocate(values.length * 4)
    kernels.floats().set(values, at / 4)
    return at
  }
  const pack = (values: Float32Array, height: typeof ROW_PANEL | typeof OUTPUT_PANEL, rows: number) => {
    const to = {
      at: kernels.allocate(panelBytes(height, rows, INPUTS, block)),
      scales: kernels.allocate(scaleBytes(height, rows)),
    }
    packRows(kernels, { from: place(values), stride: INPUTS, rows, inputs: INPUTS, height, to, block })
    return to
  }
  const input = pack(a, ROW_PANEL, ROWS)
  const weights = pack(b, OUTPUT_PANEL, OUTPUTS)
  const layer = { weights, bias: kernels.allocate(OUTPUTS * 4), inputs: INPUTS, outputs: OUTPUTS, block }
  const to = kernels.allocate(ROWS * OUTPUTS * 4)
  multiplyRows(kernels, { rows: ROWS, input, layer, to })
  return kernels.floats().slice(to / 4, to / 4 + ROWS * OUTPUTS)
}

/**
 * Checks the integer product, and the f32 product for a model that needs it.
 * @param finest the block of the model's finest matrix
 * @throws KernelsBroken
 */
export const testKernels = (kernels: Kernels, finest: Block): void => {
  const [a, b] = [numbers(ROWS * INPUTS, 1), numbers(OUTPUTS * INPUTS, 2)]
  const expected = Float64Array.from({ length: ROWS * OUTPUTS }, (_, i) =>
    dot(a, Math.floor(i / OUTPUTS), b, i % OUTPUTS),
  )
  for (const block of finest === IN_FLOATS ? [BLOCK, IN_FLOATS] : [BLOCK]) {
    const before = kernels.mark()
    const product = productOf(kernels, a, b, block)
    kernels.release(before)
    const most = TOLERANCE[block === IN_FLOATS ? 'floats' : 'integers'] * Math.sqrt(INPUTS)
    // this form of the comparison rejects NaN
    if (product.every((value, i) => Math.abs(value - expected[i]!) <= most)) continue
    throw new KernelsBroken('the engine’s kernels return wrong results')
  }
}

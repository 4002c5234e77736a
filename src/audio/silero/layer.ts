// A linear layer of Silero on our kernels: rows of numbers times weights, in f32.

import {
  IN_FLOATS,
  multiplyRows,
  packRows,
  panelBytes,
  scaleBytes,
} from '../../../wasm/whisper/encoder-kernels.ts'
import { OUTPUT_PANEL, ROW_PANEL } from '../../../wasm/whisper/interface.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'

export type Layer = {
  /** both are multiples of 8; a smaller matrix is padded with zeros */
  inputs: number
  outputs: number
  /** the input of `multiply`: f32 [most rows][inputs], initially zeros */
  rows(): Float32Array
  /** @returns f32 [rows][outputs], which the next call overwrites */
  multiply(rows: number): Float32Array
}

export const upToEight = (count: number) => Math.ceil(count / 8) * 8

export type LayerOptions = {
  /** the weight from an input to an output; not called for padding */
  weight: (output: number, input: number) => number
  bias?: Float32Array
  inputs: number
  outputs: number
  maxRows: number
}

export const createLayer = (kernels: Kernels, options: LayerOptions): Layer => {
  const { weight, bias, maxRows } = options
  const inputs = upToEight(options.inputs)
  const outputs = upToEight(options.outputs)
  const floats = (at: number, count: number) => kernels.floats().subarray(at / 4, at / 4 + count)
  const panels = (height: typeof ROW_PANEL | typeof OUTPUT_PANEL, rows: number) => ({
    at: kernels.allocate(panelBytes(height, rows, inputs, IN_FLOATS)),
    scales: kernels.allocate(scaleBytes(height, rows)),
  })
  const weights = panels(OUTPUT_PANEL, outputs)
  const biasAt = kernels.allocate(outputs * 4)
  if (bias) floats(biasAt, outputs).set(bias)

  const before = kernels.mark()
  const plain = kernels.allocate(outputs * inputs * 4)
  const matrix = floats(plain, outputs * inputs)
  for (let output = 0; output < options.outputs; output += 1)
    for (let input = 0; input < options.inputs; input += 1)
      matrix[output * inputs + input] = weight(output, input)
  const block = IN_FLOATS
  packRows(kernels, {
    from: plain,
    stride: inputs,
    rows: outputs,
    inputs,
    height: OUTPUT_PANEL,
    to: weights,
    block,
  })
  kernels.release(before)

  const from = kernels.allocate(maxRows * inputs * 4)
  const input = panels(ROW_PANEL, maxRows)
  const to = kernels.allocate(maxRows * outputs * 4)
  const layer = { weights, bias: biasAt, inputs, outputs, block }
  return {
    inputs,
    outputs,
    rows: () => floats(from, maxRows * inputs),
    multiply(rows) {
      packRows(kernels, { from, stride: inputs, rows, inputs, height: ROW_PANEL, to: input, block })
      multiplyRows(kernels, { rows, input, layer, to })
      return floats(to, rows * outputs)
    },
  }
}

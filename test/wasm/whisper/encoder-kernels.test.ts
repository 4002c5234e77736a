// Compares the encoder's kernels with plain float64 computations, on several thread counts.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { relativeError } from '../../../src/engine/whisper/reference/arithmetic.ts'
import {
  attend,
  BLOCK,
  type Block,
  ENCODER_SCRATCH_BYTES,
  EXACT_BLOCK,
  IN_FLOATS,
  multiplyRows,
  type Panels,
  packFrameValues,
  packRows,
  panelBytes,
  scaleBytes,
} from '../../../wasm/whisper/encoder-kernels.ts'
import { HEAD, OUTPUT_PANEL, ROW_PANEL, SCORE_FACTOR } from '../../../wasm/whisper/interface.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import { normals, type OnAll, openVariants, put, take } from './variants.ts'

const gelu = (x: number) => (x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))) / 2

let opened: Kernels[]
let onAll: OnAll
let close: () => Promise<void>

beforeAll(async () => {
  ;({ opened, onAll, close } = await openVariants(ENCODER_SCRATCH_BYTES))
})

afterAll(() => close())

const allocatePanels = (
  kernels: Kernels,
  height: number,
  rows: number,
  inputs: number,
  block: Block = BLOCK,
): Panels => ({
  at: kernels.allocate(panelBytes(height, rows, inputs, block)),
  scales: kernels.allocate(scaleBytes(height, rows)),
})

/** The relative errors of a product, and of attention with weights much smaller than the largest. */
const LIMITS: Record<Block, number> = { [BLOCK]: 2.5e-4, [EXACT_BLOCK]: 1e-4, [IN_FLOATS]: 4e-6 }

type Layer = {
  rows: number
  inputs: number
  outputs: number
  stride?: number
  block?: Block
  gelu?: boolean
  add?: boolean
}

const inputOf = ({ rows, inputs, stride = inputs }: Layer) => normals((rows - 1) * stride + inputs, 1)

const runLayer = (kernels: Kernels, shape: Layer, input: Float32Array): Float32Array => {
  const { rows, inputs, outputs, stride = inputs, block = BLOCK } = shape
  const packed = allocatePanels(kernels, ROW_PANEL, rows, inputs, block)
  const weights = allocatePanels(kernels, OUTPUT_PANEL, outputs, inputs, block)
  const matrix = put(kernels, normals(outputs * inputs, 2))
  packRows(kernels, {
    from: matrix,
    stride: inputs,
    rows: outputs,
    inputs,
    height: OUTPUT_PANEL,
    to: weights,
    block,
  })
  const from = put(kernels, input)
  packRows(kernels, { from, stride, rows, inputs, height: ROW_PANEL, to: packed, block })
  const layer = { weights, bias: put(kernels, normals(outputs, 3)), inputs, outputs, block }
  const to = put(kernels, normals(rows * outputs, 4))
  const addend = shape.add ? to : undefined
  multiplyRows(kernels, { rows, input: packed, layer, to, gelu: shape.gelu, addend })
  return take(kernels, to, rows * outputs)
}

const layerInFloat64 = (shape: Layer, input: Float32Array): Float64Array => {
  const { rows, inputs, outputs, stride = inputs } = shape
  const matrix = normals(outputs * inputs, 2)
  const bias = normals(outputs, 3)
  const addend = normals(rows * outputs, 4)
  const result = new Float64Array(rows * outputs)
  for (let row = 0; row < rows; row += 1) {
    for (let output = 0; output < outputs; output += 1) {
      let sum = bias[output]!
      for (let i = 0; i < inputs; i += 1) sum += input[row * stride + i]! * matrix[output * inputs + i]!
      const value = shape.gelu ? gelu(sum) : sum
      result[row * outputs + output] = value + (shape.add ? addend[row * outputs + output]! : 0)
    }
  }
  return result
}

describe('a product of packed rows', () => {
  const shapes: Layer[] = [
    { rows: 1, inputs: 8, outputs: 8 },
    { rows: 5, inputs: 64, outputs: 64, gelu: true },
    { rows: 13, inputs: 240, outputs: 64, stride: 80, gelu: true },
    { rows: 101, inputs: 384, outputs: 192, add: true },
    { rows: 7, inputs: 1536, outputs: 64, add: true },
    { rows: 19, inputs: 240, outputs: 64, block: EXACT_BLOCK },
    { rows: 31, inputs: 384, outputs: 64, block: EXACT_BLOCK },
    { rows: 6, inputs: 1536, outputs: 64, block: EXACT_BLOCK, gelu: true, add: true },
    { rows: 31, inputs: 576, outputs: 72, stride: 384, gelu: true, add: true },
    { rows: 1, inputs: 8, outputs: 8, block: IN_FLOATS },
    { rows: 13, inputs: 240, outputs: 64, stride: 80, block: IN_FLOATS, gelu: true },
    { rows: 101, inputs: 384, outputs: 192, block: IN_FLOATS, add: true },
    { rows: 7, inputs: 1536, outputs: 72, block: IN_FLOATS, gelu: true, add: true },
  ]
  for (const shape of shapes) {
    test(`${JSON.stringify(shape)} agrees with float64 and gives the same bits on every thread count`, () => {
      const input = inputOf(shape)
      const actual = onAll((kernels) => runLayer(kernels, shape, input))
      const limit = LIMITS[shape.block ?? BLOCK]
      expect(relativeError(actual, layerInFloat64(shape, input))).toBeLessThan(limit)
    })
  }

  test('does not overflow with equal numbers and the largest possible sums', () => {
    const shape: Layer = { rows: 6, inputs: 1024, outputs: 8 }
    const run = (kernels: Kernels) => {
      const ones = new Float32Array(1024 * 8).fill(1)
      const rows = allocatePanels(kernels, ROW_PANEL, 6, 1024)
      const weights = allocatePanels(kernels, OUTPUT_PANEL, 8, 1024)
      const from = put(kernels, ones)
      packRows(kernels, { from, stride: 1024, rows: 6, inputs: 1024, height: ROW_PANEL, to: rows })
      packRows(kernels, { from, stride: 1024, rows: 8, inputs: 1024, height: OUTPUT_PANEL, to: weights })
      const layer = {
        weights,
        bias: put(kernels, new Float32Array(8)),
        inputs: 1024,
        outputs: 8,
        block: BLOCK,
      } as const
      const to = kernels.allocate(6 * 8 * 4)
      multiplyRows(kernels, { rows: shape.rows, input: rows, layer, to })
      return take(kernels, to, 6 * 8)
    }
    expect(relativeError(onAll(run), new Float64Array(48).fill(1024))).toBeLessThan(1e-3)
  })

  test.each([BLOCK, IN_FLOATS])(
    'confines numbers that are not finite to their rows, in blocks of %d',
    (block) => {
      const shape: Layer = { rows: 13, inputs: 64, outputs: 64, gelu: true, block }
      const input = inputOf(shape)
      const broken = Float32Array.from(input)
      broken.fill(Number.NaN, 64, 128)
      broken.set([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 3e38, 1e-40], 3 * 64)
      const good = runLayer(opened[0]!, shape, input)
      for (const kernels of opened) {
        const actual = runLayer(kernels, shape, broken)
        for (const row of [0, 2, 4, 12]) {
          expect(actual.slice(row * 64, row * 64 + 64)).toEqual(good.slice(row * 64, row * 64 + 64))
        }
      }
    },
  )

  test('handles rows of zeros', () => {
    const shape: Layer = { rows: 3, inputs: 64, outputs: 8 }
    const actual = runLayer(opened[0]!, shape, new Float32Array(3 * 64))
    expect(relativeError(actual, layerInFloat64(shape, new Float32Array(3 * 64)))).toBeLessThan(1e-6)
  })
})

test('a layer norm before packing agrees with float64', () => {
  const [rows, inputs] = [9, 128]
  const input = normals(rows * inputs, 5).map((value) => 3 * value + 1)
  const [weight, bias] = [normals(inputs, 6), normals(inputs, 7)]
  const actual = onAll((kernels) => {
    const to = allocatePanels(kernels, ROW_PANEL, rows, inputs)
    const norm = { weight: put(kernels, weight), bias: put(kernels, bias) }
    const from = put(kernels, input)
    packRows(kernels, { from, stride: inputs, rows, inputs, height: ROW_PANEL, to, norm })
    const scales = take(kernels, to.scales, rows)
    const integers = new Int16Array(kernels.bytes().slice(to.at, to.at + 2 * 6 * 2 * inputs).buffer)
    return Float32Array.from({ length: rows * inputs }, (_, at) => {
      const [row, i] = [Math.floor(at / inputs), at % inputs]
      const inPanel = (i >> 1) * 12 + (row % 6) * 2 + (i & 1)
      return integers[Math.floor(row / 6) * 6 * inputs + inPanel]! * scales[row]!
    })
  })
  const expected = new Float64Array(rows * inputs)
  for (let row = 0; row < rows; row += 1) {
    const values = input.subarray(row * inputs, (row + 1) * inputs)
    const mean = values.reduce((sum, value) => sum + value, 0) / inputs
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / inputs
    for (let i = 0; i < inputs; i += 1) {
      expected[row * inputs + i] = ((values[i]! - mean) / Math.sqrt(variance + 1e-5)) * weight[i]! + bias[i]!
    }
  }
  expect(relativeError(actual, expected)).toBeLessThan(3e-4)
})

type Heads = { frames: number; heads: number; block: Block }

const runAttention = (kernels: Kernels, { frames, heads, block }: Heads, qkv: Float32Array): Float32Array => {
  const width = heads * HEAD
  const of = (height: number) =>
    allocatePanels(kernels, height, heads * Math.ceil(frames / height) * height, HEAD, block)
  const [queries, keys] = [of(ROW_PANEL), of(OUTPUT_PANEL)]
  const values = {
    at: kernels.allocate(panelBytes(OUTPUT_PANEL, frames, width, block)),
    scales: kernels.allocate(width * 4),
  }
  const scaled = qkv.map((value, at) => (at % (3 * width) < width ? value * SCORE_FACTOR : value))
  const from = put(kernels, scaled)
  const matrices = { stride: 3 * width, rows: frames, inputs: HEAD, matrices: heads, step: HEAD, block }
  packRows(kernels, { from, ...matrices, height: ROW_PANEL, to: queries })
  packRows(kernels, { from: from + width * 4, ...matrices, height: OUTPUT_PANEL, to: keys })
  packFrameValues(kernels, {
    from: from + 2 * width * 4,
    stride: 3 * width,
    frames,
    heads,
    to: values,
    block,
  })
  const to = kernels.allocate(frames * width * 4)
  attend(kernels, { queries, keys, values, to, frames, heads, block })
  return take(kernels, to, frames * width)
}

const attentionInFloat64 = (frames: number, heads: number, qkv: Float32Array): Float64Array => {
  const width = heads * HEAD
  const result = new Float64Array(frames * width)
  for (let head = 0; head < heads; head += 1) {
    for (let row = 0; row < frames; row += 1) {
      const at = (frame: number, part: number, i: number) =>
        qkv[(3 * frame + part) * width + head * HEAD + i]!
      const scores = Array.from({ length: frames }, (_, key) => {
        let sum = 0
        for (let i = 0; i < HEAD; i += 1) sum += at(row, 0, i) * at(key, 1, i)
        return sum / 8
      })
      const largest = scores.reduce((most, score) => Math.max(most, score))
      const weights = scores.map((score) => Math.exp(score - largest))
      const total = weights.reduce((sum, weight) => sum + weight)
      for (let i = 0; i < HEAD; i += 1) {
        let sum = 0
        for (let key = 0; key < frames; key += 1) sum += weights[key]! * at(key, 2, i)
        result[row * width + head * HEAD + i] = sum / total
      }
    }
  }
  return result
}

describe('attention', () => {
  const shapes = [
    { frames: 1, heads: 1, strength: 1 },
    { frames: 7, heads: 2, strength: 1 },
    { frames: 64, heads: 1, strength: 0 },
    { frames: 301, heads: 2, strength: 1 },
    { frames: 530, heads: 1, strength: 4 },
  ]
  for (const { frames, heads, strength } of shapes) {
    test(`over ${frames} frames with scores ${strength} times as strong agrees with float64`, () => {
      const width = heads * HEAD
      const scale = (at: number) => (at % (3 * width) < width ? strength : 1)
      const qkv = normals(frames * 3 * width, 8).map((value, at) => value * scale(at))
      const expected = attentionInFloat64(frames, heads, qkv)
      for (const block of [BLOCK, EXACT_BLOCK, IN_FLOATS] as const) {
        // 15 bits are few for weights that are much smaller than the largest.
        const limit = LIMITS[block] * (block === EXACT_BLOCK && strength > 0 ? 2 : 1)
        const actual = onAll((kernels) => runAttention(kernels, { frames, heads, block }, qkv))
        expect(relativeError(actual, expected)).toBeLessThan(limit)
      }
    })
  }

  test('does not overflow with equal values', () => {
    const frames = 515
    const qkv = new Float32Array(frames * 3 * HEAD).fill(1)
    const actual = onAll((kernels) => runAttention(kernels, { frames, heads: 1, block: BLOCK }, qkv))
    expect(relativeError(actual, new Float64Array(frames * HEAD).fill(1))).toBeLessThan(1e-3)
  })

  test.each([BLOCK, IN_FLOATS])(
    'confines numbers that are not finite to their head, in blocks of %d',
    (block) => {
      const shape = { frames: 53, heads: 2, block }
      const width = shape.heads * HEAD
      const good = normals(shape.frames * 3 * width, 9)
      const broken = good.slice()
      // queries, keys and values of the second head
      for (const part of [0, 1, 2]) {
        const fill = (frame: number, value: number) => {
          const at = (3 * frame + part) * width + HEAD
          broken.fill(value, at, at + HEAD)
        }
        fill(0, Number.NaN)
        fill(10, Number.POSITIVE_INFINITY)
        fill(52, -3e38)
      }
      const firstHead = (result: Float32Array) => result.filter((_, at) => at % width < HEAD)
      for (const kernels of opened) {
        const expected = runAttention(kernels, shape, good)
        expect(firstHead(runAttention(kernels, shape, broken))).toEqual(firstHead(expected))
        expect(runAttention(kernels, shape, good)).toEqual(expected)
      }
    },
  )
})

// Compares the decoder's kernels with plain float64 computations.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  gelu,
  layerNorm,
  linear,
  matrix,
  relativeError,
} from '../../../src/engine/whisper/reference/arithmetic.ts'
import { scaledAttention } from '../../../src/engine/whisper/reference/whisper.ts'
import { FLOAT_GRID, HEAD, LONG_GRID } from '../../../wasm/whisper/interface.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import {
  ANY_SHORT_GRID,
  attendFrames,
  attendTokens,
  embed,
  type Grid,
  keptBytes,
  logitBlocks,
  multiplyTokens,
  packedBytes,
  packKeys,
  packMatrix,
  packValues,
  packVectors,
  resultStride,
  sumLogits,
  TOKEN_SCRATCH_BYTES,
  tableBytes,
  vectorBytes,
  writeTable,
} from '../../../wasm/whisper/token-kernels.ts'
import { summedLogits } from '../../engine/whisper/summed-logits.ts'
import { normals, type OnAll, openVariants, put, take } from './variants.ts'

let onAll: OnAll
let close: () => Promise<void>

beforeAll(async () => {
  const variants = await openVariants(TOKEN_SCRATCH_BYTES)
  onAll = variants.onAll
  close = variants.close
})

afterAll(() => close())

const ERRORS: [Grid, number][] = [
  [FLOAT_GRID, 2e-6],
  [LONG_GRID, 3e-4],
  [ANY_SHORT_GRID, 7e-3],
]

const float64 = (rows: number, width: number, numbers: ArrayLike<number>) =>
  matrix(rows, width, Float64Array.from(numbers))

type Product = { rows: number; inputs: number; count: number; grid: Grid }

const pack = (kernels: Kernels, weights: Float32Array, { rows, inputs, grid }: Product) => {
  const packed = { at: kernels.allocate(packedBytes(rows, inputs, grid)), rows, inputs, grid }
  packMatrix(kernels, put(kernels, weights), packed)
  return packed
}

type Around = { norm?: [Float32Array, Float32Array]; bias?: Float32Array; finish?: 'gelu' | 'add' }

/** f32 [count][rows, rounded up to 8] */
const run = (product: Product, weights: Float32Array, vectors: Float32Array, around: Around = {}) =>
  onAll((kernels) => {
    const { inputs, count, rows, grid } = product
    const to = put(kernels, normals(count * resultStride(rows), 4))
    const packed = {
      at: kernels.allocate(count * vectorBytes(inputs, grid)),
      scales: kernels.allocate(count * 4),
      width: inputs,
      grid,
    }
    const norm = around.norm && { weight: put(kernels, around.norm[0]), bias: put(kernels, around.norm[1]) }
    packVectors(kernels, { at: put(kernels, vectors), count, norm }, packed)
    const bias = around.bias ? put(kernels, around.bias) : 0
    const what = { matrix: pack(kernels, weights, product), vectors: packed, count, to, bias }
    multiplyTokens(kernels, { ...what, finish: around.finish })
    return take(kernels, to, count * resultStride(rows))
  })

/** Without the padding of the last panel. */
const rowsIn = (result: Float32Array, { rows, count }: Product) =>
  Float64Array.from({ length: rows * count }, (_, i) => {
    const vector = Math.floor(i / rows)
    return result[vector * resultStride(rows) + (i % rows)]!
  })

describe('a product', () => {
  const shapes = [
    { rows: 8, inputs: 64, count: 1 },
    { rows: 77, inputs: 192, count: 3 },
    { rows: 1001, inputs: 384, count: 5 },
    { rows: 90, inputs: 1536, count: 9 },
  ]
  for (const shape of shapes) {
    for (const [grid, error] of ERRORS) {
      const product = { ...shape, grid }
      test(`of ${shape.count} vectors with ${shape.rows} × ${shape.inputs} weights on grid ${grid} agrees with float64`, () => {
        const weights = normals(shape.rows * shape.inputs, 1)
        const vectors = normals(shape.count * shape.inputs, 2)
        const expected = linear(float64(shape.count, shape.inputs, vectors), weights, null).numbers
        expect(relativeError(rowsIn(run(product, weights, vectors), product), expected)).toBeLessThan(error)
      })
    }
  }

  test.each(ERRORS)('of a vector has the same bits alone and beside others, grid %d', (grid) => {
    const [rows, inputs] = [48, 160]
    const [weights, vectors] = [normals(rows * inputs, 1), normals(14 * inputs, 2)]
    const alone = Array.from({ length: 14 }, (_, i) => {
      const own = vectors.slice(i * inputs, (i + 1) * inputs)
      return [...run({ rows, inputs, count: 1, grid }, weights, own)]
    })
    for (let count = 2; count <= 14; count += 1) {
      const together = run({ rows, inputs, count, grid }, weights, vectors.slice(0, count * inputs))
      expect([...together]).toEqual(alone.slice(0, count).flat())
    }
  })

  test('norms its vectors, adds a bias, applies GELU or adds to the target', () => {
    const product = { rows: 128, inputs: 256, count: 6, grid: LONG_GRID }
    const [weights, vectors, bias] = [normals(128 * 256, 1), normals(6 * 256, 2), normals(128, 3)]
    const norm: [Float32Array, Float32Array] = [normals(256, 5), normals(256, 6)]
    const normed = layerNorm(float64(6, 256, vectors), ...norm)
    const sums = linear(normed, weights, bias)
    const before = normals(6 * 128, 4)
    expect(
      relativeError(run(product, weights, vectors, { norm, bias, finish: 'gelu' }), gelu(sums).numbers),
    ).toBeLessThan(1e-3)
    const added = sums.numbers.map((sum, i) => sum + before[i]!)
    expect(relativeError(run(product, weights, vectors, { norm, bias, finish: 'add' }), added)).toBeLessThan(
      1e-3,
    )
  })

  test('is exact for weights on their grid', () => {
    const grids: [Grid, (step: number) => number][] = [
      [8, (step) => (step % 16) - 8],
      [16, (step) => (step % 32) - 16],
      [127, (step) => (step % 255) - 127],
      [-15, (step) => (step % 16) - 3],
      [-31, (step) => (step % 32) - 11],
    ]
    for (const [grid, weightAt] of grids) {
      const product = { rows: 24, inputs: 512, count: 2, grid }
      // every block of 32 contains the smallest and the largest step of its grid
      const steps = normals(24 * 512, 7).map((x) => Math.abs(Math.round(x * 1000)))
      for (let block = 0; block < steps.length; block += 32) {
        steps[block] = 0
        steps[block + 1] = grid === 127 ? 254 : grid < 0 ? -grid : 0
      }
      const weights = steps.map((step) => weightAt(step) / 1024)
      const vectors = normals(2 * 512, 8)
      const expected = linear(float64(2, 512, vectors), weights, null).numbers
      expect(relativeError(run(product, weights, vectors), expected)).toBeLessThan(1e-4)
    }
  })

  test('does not overflow with the largest possible numbers', () => {
    for (const [grid, error] of ERRORS) {
      const product = { rows: 8, inputs: 384, count: 5, grid }
      const weights = new Float32Array(8 * 384).fill(60_000)
      const vectors = new Float32Array(5 * 384).fill(-1e15)
      const expected = linear(float64(5, 384, vectors), weights, null).numbers
      expect(relativeError(run(product, weights, vectors), expected)).toBeLessThan(error)
    }
  })

  test.each([FLOAT_GRID, ANY_SHORT_GRID])('survives zeros, NaN and infinities, grid %d', (grid) => {
    const product = { rows: 16, inputs: 64, count: 4, grid }
    const vectors = new Float32Array(4 * 64)
    vectors[64] = Number.NaN
    vectors[128] = Number.POSITIVE_INFINITY
    vectors.fill(1e-40, 192)
    const result = run(product, normals(16 * 64, 1), vectors)
    expect([...result.subarray(0, 16)].every((x) => Math.abs(x) === 0)).toBe(true)
    expect([...result.subarray(192)].every((x) => Math.abs(x) < 1e-10)).toBe(true)
  })
})

test('embeds a token as its row of the vocabulary plus its position', () => {
  for (const [grid, error] of ERRORS) {
    const [width, tokens] = [128, [0, 7, 8, 30, 50, 3, 2, 1, 49, 12]]
    const [vocabulary, positions] = [normals(51 * width, 1), normals(20 * width, 2)]
    const result = onAll((kernels) => {
      const embeddings = pack(kernels, vocabulary, { rows: 51, inputs: width, count: 1, grid })
      const table = kernels.allocate(tableBytes(tokens.length))
      const entries = tokens.map((token, i) => ({
        token,
        position: 19 - i,
        records: 0,
        recordCount: 0,
        alignment: 0,
      }))
      writeTable(kernels, table, entries)
      const to = kernels.allocate(tokens.length * width * 4)
      embed(kernels, { embeddings, positions: put(kernels, positions), table, count: tokens.length }, to)
      return take(kernels, to, tokens.length * width)
    })
    const expected = Float64Array.from(result, (_, at) => {
      const [i, column] = [Math.floor(at / width), at % width]
      return vocabulary[tokens[i]! * width + column]! + positions[(19 - i) * width + column]!
    })
    expect(relativeError(result, expected)).toBeLessThan(error)
  }
})

const NOT_KEPT = -1

describe('attention to the window', () => {
  for (const [frames, heads, count] of [
    [1, 1, 1],
    [203, 2, 5],
    [1500, 3, 2],
    [100, 1, 14],
  ] as const) {
    for (const [grid, error] of ERRORS) {
      test(`of ${count} vectors to ${frames} frames with ${heads} heads on grid ${grid} agrees with float64`, () => {
        const width = heads * HEAD
        const numbers = [count, frames, frames].map((rows, i) => normals(rows * width, i + 1))
        const [queries, keys, values] = numbers as [Float32Array, Float32Array, Float32Array]
        const result = onAll((kernels) => {
          const to = put(kernels, new Float32Array(count * width))
          const window = {
            keys: kernels.allocate(heads * packedBytes(frames, HEAD, grid)),
            values: kernels.allocate(heads * packedBytes(HEAD, frames, grid)),
          }
          const layout = { frameBytes: width * 4, frames, heads, grid }
          packKeys(kernels, { from: put(kernels, keys), to: window.keys, ...layout })
          packValues(kernels, { from: put(kernels, values), to: window.values, ...layout })
          const alignment = put(kernels, new Float32Array(heads))
          new Int32Array(kernels.bytes().buffer, alignment, heads).fill(NOT_KEPT)
          const from = { queries: put(kernels, queries), table: 0, count, width, alignment }
          attendFrames(kernels, from, { ...window, frames, grid }, to)
          const together = take(kernels, to, count * width)
          for (let i = 0; i < count; i += 1) {
            const own = { ...from, queries: from.queries + i * width * 4, count: 1 }
            attendFrames(kernels, own, { ...window, frames, grid }, to + i * width * 4)
          }
          expect(take(kernels, to, count * width), 'each alone, to the bit').toEqual(together)
          return together
        })
        const expected = scaledAttention(
          {
            queries: float64(count, width, queries),
            keys: float64(frames, width, keys),
            values: float64(frames, width, values),
          },
          () => frames,
        ).mixed
        expect(relativeError(result, expected.numbers)).toBeLessThan(2 * error)
      })
    }
  }
})

test.each(ERRORS)(
  'attention to tokens covers the previous tokens and stores keys and values, grid %d',
  (grid, error) => {
    const [heads, tokens] = [3, 7]
    const width = heads * HEAD
    const projected = normals(tokens * 3 * width, 1)
    const result = onAll((kernels) => {
      const records = Array.from({ length: tokens }, () => kernels.allocate(2 * keptBytes(width, grid)))
      const list = kernels.allocate(tokens * 4)
      new Uint32Array(kernels.bytes().buffer, list, tokens).set(records)
      const table = kernels.allocate(tableBytes(tokens))
      const to = kernels.allocate(tokens * width * 4)
      const from = put(kernels, projected)
      // the first four together, the others one by one
      for (const [first, count] of [
        [0, 4],
        [4, 1],
        [5, 1],
        [6, 1],
      ] as const) {
        const entries = Array.from({ length: count }, (_, i) => ({
          token: 0,
          position: 0,
          records: list,
          recordCount: first + i + 1,
          alignment: 0,
        }))
        writeTable(kernels, table, entries)
        const layer = { projected: from + first * 3 * width * 4, layerInRecord: keptBytes(width, grid) }
        attendTokens(kernels, { ...layer, table, count, width, grid }, to + first * width * 4)
      }
      return take(kernels, to, tokens * width)
    })
    const column = (part: number) =>
      float64(
        tokens,
        width,
        Array.from(
          { length: tokens * width },
          (_, i) => projected[(Math.floor(i / width) * 3 + part) * width + (i % width)]!,
        ),
      )
    const expected = scaledAttention(
      { queries: column(0), keys: column(1), values: column(2) },
      (token) => token + 1,
    )
    expect(relativeError(result, expected.mixed.numbers)).toBeLessThan(error)
  },
)

describe('the sums of logits', () => {
  const summed = (values: Float32Array, vocabulary: number) =>
    onAll((kernels) => {
      const count = values.length / vocabulary
      const logits = put(kernels, normals(count * resultStride(vocabulary), 9))
      for (let row = 0; row < count; row += 1) {
        const own = values.subarray(row * vocabulary, (row + 1) * vocabulary)
        kernels.floats().set(own, logits / 4 + row * resultStride(vocabulary))
      }
      const told = 2 * count * logitBlocks(vocabulary)
      const maxima = put(kernels, new Float32Array(told))
      const sums = maxima + told * 2
      sumLogits(kernels, { logits, count, vocabulary }, { maxima, sums })
      return take(kernels, maxima, told)
    })

  test.each([
    [7, 1],
    [300, 3],
    [51_865, 2],
  ])('contain the maximum and the sum of each block, vocabulary %i, %i rows', (vocabulary, count) => {
    const values = normals(count * vocabulary, 1).map((value) => 8 * value)
    const expected = Array.from({ length: count }, (_, row) =>
      summedLogits(values.slice(row * vocabulary, (row + 1) * vocabulary)),
    )
    const told = summed(values, vocabulary)
    const half = told.length / 2
    expect([...told.subarray(0, half)]).toEqual(expected.flatMap(({ maxima }) => [...maxima]))
    const sums = Float64Array.from(expected.flatMap(({ sums }) => [...sums]))
    expect(relativeError(told.subarray(half), sums)).toBeLessThan(1e-5)
  })

  test('ignore NaN', () => {
    const values = new Float32Array(600).fill(Number.NaN)
    values[100] = 2
    values[513] = Number.NEGATIVE_INFINITY
    const [first, second, third, ...sums] = summed(values, 600)
    expect([first, second, third]).toEqual([2, -3e38, -3e38].map(Math.fround))
    expect(sums.map((sum) => Math.round(1e4 * sum) / 1e4)).toEqual([1, 0, 0])
  })
})

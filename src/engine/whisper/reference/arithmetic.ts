// The arithmetic of Whisper in float64, row by row. Only the order of the loops is optimised.

/** A row-major matrix. */
export type Matrix = { rows: number; width: number; numbers: Float64Array }

/** Weights are stored as f32, which represents most types exactly and all others to 24 bits. */
export type Numbers = Float32Array | Float64Array

export const matrix = (rows: number, width: number, numbers = new Float64Array(rows * width)): Matrix => ({
  rows,
  width,
  numbers,
})

export const rowOf = ({ numbers, width }: Matrix, row: number) =>
  numbers.subarray(row * width, (row + 1) * width)

/** @param weights [outputs][inputs] */
export const linear = (from: Matrix, weights: Numbers, bias: Numbers | null): Matrix => {
  const outputs = weights.length / from.width
  const to = matrix(from.rows, outputs)
  for (let row = 0; row < from.rows; row += TILE_ROWS) {
    for (let output = 0; output < outputs; output += TILE_OUTPUTS)
      multiplyTile(from, weights, to, row, output)
  }
  if (bias) for (let i = 0; i < to.numbers.length; i += 1) to.numbers[i]! += bias[i % outputs]!
  return to
}

const TILE_ROWS = 4
const TILE_OUTPUTS = 2

/**
 * Each number that is read contributes to several sums. Rows and columns past the edge repeat the edge. The code is unrolled
 * and increments its indices: with arrays or computed indices it takes several times as long.
 */
const multiplyTile = (from: Matrix, weights: Numbers, to: Matrix, row: number, output: number) => {
  const { numbers, width } = from
  const row1 = Math.min(row + 1, from.rows - 1)
  const row2 = Math.min(row + 2, from.rows - 1)
  const row3 = Math.min(row + 3, from.rows - 1)
  const output1 = Math.min(output + 1, to.width - 1)
  let x0 = row * width
  let x1 = row1 * width
  let x2 = row2 * width
  let x3 = row3 * width
  let w1 = output1 * width
  let s00 = 0
  let s10 = 0
  let s20 = 0
  let s30 = 0
  let s01 = 0
  let s11 = 0
  let s21 = 0
  let s31 = 0
  const end = (output + 1) * width
  for (let w0 = end - width; w0 < end; w0 += 1) {
    const one = weights[w0]!
    const other = weights[w1]!
    s00 += one * numbers[x0]!
    s10 += one * numbers[x1]!
    s20 += one * numbers[x2]!
    s30 += one * numbers[x3]!
    s01 += other * numbers[x0]!
    s11 += other * numbers[x1]!
    s21 += other * numbers[x2]!
    s31 += other * numbers[x3]!
    w1 += 1
    x0 += 1
    x1 += 1
    x2 += 1
    x3 += 1
  }
  to.numbers[row * to.width + output] = s00
  to.numbers[row1 * to.width + output] = s10
  to.numbers[row2 * to.width + output] = s20
  to.numbers[row3 * to.width + output] = s30
  to.numbers[row * to.width + output1] = s01
  to.numbers[row1 * to.width + output1] = s11
  to.numbers[row2 * to.width + output1] = s21
  to.numbers[row3 * to.width + output1] = s31
}

const EPSILON = 1e-5

export const layerNorm = (from: Matrix, weight: Numbers, bias: Numbers): Matrix => {
  const to = matrix(from.rows, from.width)
  for (let row = 0; row < from.rows; row += 1) {
    const numbers = rowOf(from, row)
    const mean = numbers.reduce((sum, x) => sum + x, 0) / from.width
    const variance = numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / from.width
    const scale = 1 / Math.sqrt(variance + EPSILON)
    const normal = rowOf(to, row)
    for (let i = 0; i < from.width; i += 1) normal[i] = (numbers[i]! - mean) * scale * weight[i]! + bias[i]!
  }
  return to
}

/** The tanh form, as in whisper.cpp. */
export const gelu = ({ rows, width, numbers }: Matrix): Matrix =>
  matrix(
    rows,
    width,
    numbers.map((x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))),
  )

export const transposed = (from: Matrix): Matrix => {
  const to = matrix(from.width, from.rows)
  for (let row = 0; row < from.rows; row += 1) {
    for (let i = 0; i < from.width; i += 1)
      to.numbers[i * to.width + row] = from.numbers[row * from.width + i]!
  }
  return to
}

/** A range of columns. */
export const columns = (from: Matrix, first: number, count: number): Matrix => {
  const to = matrix(from.rows, count)
  for (let row = 0; row < from.rows; row += 1) {
    rowOf(to, row).set(rowOf(from, row).subarray(first, first + count))
  }
  return to
}

export const sum = (one: Matrix, other: Matrix): Matrix => added(one, other.numbers)

/** @param numbers must have at least as many rows */
export const added = (one: Matrix, numbers: Numbers): Matrix =>
  matrix(
    one.rows,
    one.width,
    one.numbers.map((x, i) => x + numbers[i]!),
  )

/** Concatenates the rows. */
export const below = (one: Matrix, other: Matrix): Matrix => {
  const both = matrix(one.rows + other.rows, other.width)
  both.numbers.set(one.numbers)
  both.numbers.set(other.numbers, one.numbers.length)
  return both
}

/** The three neighbours of each frame in one row, in the order of the weights: input by input, its three frames. */
export const neighbours = (from: Matrix, step: number) => {
  const to = matrix(from.rows / step, 3 * from.width)
  for (let row = 0; row < to.rows; row += 1) {
    for (const shift of [-1, 0, 1]) {
      const near = row * step + shift
      if (near < 0 || near >= from.rows) continue
      for (let i = 0; i < from.width; i += 1) {
        to.numbers[row * to.width + 3 * i + shift + 1] = from.numbers[near * from.width + i]!
      }
    }
  }
  return to
}

/** The first rows. */
export const firstRows = ({ width, numbers }: Matrix, rows: number): Matrix =>
  matrix(rows, width, numbers.slice(0, width * rows))

export const softmax = (scores: Float64Array): Float64Array => {
  const greatest = scores.reduce((most, score) => Math.max(most, score), -Infinity)
  const powers = scores.map((score) => Math.exp(score - greatest))
  const total = powers.reduce((all, power) => all + power, 0)
  return powers.map((power) => power / total)
}

/** The norm of the difference divided by the norm of `expected`. */
export const relativeError = (actual: ArrayLike<number>, expected: ArrayLike<number>): number => {
  if (actual.length !== expected.length) throw new Error(`${actual.length} numbers, not ${expected.length}`)
  let difference = 0
  let length = 0
  for (let i = 0; i < expected.length; i += 1) {
    difference += (actual[i]! - expected[i]!) ** 2
    length += expected[i]! ** 2
  }
  return Math.sqrt(difference / length)
}

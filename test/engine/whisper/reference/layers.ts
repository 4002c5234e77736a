// What the layers of encoder and decoder have in common: attention and the two products behind it.
// Which of them follow each other is encoder.ts and decoder.ts.

import {
  columns,
  gelu,
  layerNorm,
  linear,
  type Matrix,
  matrix,
  rowOf,
  softmax,
  transposed,
} from './arithmetic.ts'
import type { ReferenceModel } from './model.ts'

const HEAD_WIDTH = 64

/** @param name without the ending: norms and linear layers have a weight and a bias */
export const norm = ({ tensor }: ReferenceModel, name: string, from: Matrix) =>
  layerNorm(from, tensor(`${name}.weight`), tensor(`${name}.bias`))

export const project = ({ tensor }: ReferenceModel, name: string, from: Matrix) =>
  linear(from, tensor(`${name}.weight`), name.endsWith('.key') ? null : tensor(`${name}.bias`))

export const feedForward = (model: ReferenceModel, block: string, from: Matrix) => {
  const wide = gelu(project(model, `${block}.mlp.0`, norm(model, `${block}.mlp_ln`, from)))
  return project(model, `${block}.mlp.2`, wide)
}

export type Attended = {
  mixed: Matrix
  /** of each head: a row for each query, softmaxed */
  heads: Matrix[]
}

/** @param visible how many of the keys a query may look at */
export const attend = (
  { queries, keys, values }: { queries: Matrix; keys: Matrix; values: Matrix },
  visible: (query: number) => number,
): Attended => {
  const mixed = matrix(queries.rows, queries.width)
  const heads: Matrix[] = []
  for (let first = 0; first < queries.width; first += HEAD_WIDTH) {
    const [query, key, value] = [queries, keys, values].map((one) => columns(one, first, HEAD_WIDTH)) as Three
    const weights = softmaxOf(linear(query, key.numbers, null), visible)
    const head = linear(weights, transposed(value).numbers, null)
    for (let row = 0; row < mixed.rows; row += 1) rowOf(mixed, row).set(rowOf(head, row), first)
    heads.push(weights)
  }
  return { mixed, heads }
}

type Three = [Matrix, Matrix, Matrix]

const softmaxOf = (scores: Matrix, visible: (query: number) => number) => {
  const weights = matrix(scores.rows, scores.width)
  for (let query = 0; query < scores.rows; query += 1) {
    const seen = rowOf(scores, query).subarray(0, visible(query))
    rowOf(weights, query).set(softmax(seen.map((score) => score / Math.sqrt(HEAD_WIDTH))))
  }
  return weights
}

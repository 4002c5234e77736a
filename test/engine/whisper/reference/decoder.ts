// Whisper's decoder in float64: logits of what follows some tokens, and what each head listened to.
// Keeps keys and values of what it was given; chooses no tokens.

import { linear, type Matrix, matrix, rowOf, sum } from './arithmetic.ts'
import { attend, feedForward, norm, project } from './layers.ts'
import type { ReferenceModel } from './model.ts'

export type ReferenceStep = {
  /** after each of the tokens, a row of the vocabulary */
  logits: Matrix
  /** what each layer gives on */
  layers: Matrix[]
  /** [layer][head]: a row for each token, over the frames */
  listened: Matrix[][]
}

export type ReferenceDecoder = {
  /** Appends tokens to those before. */
  advance(tokens: readonly number[]): ReferenceStep
}

type Cache = { keys: Matrix; values: Matrix }

const appended = (one: Matrix, other: Matrix): Matrix => {
  const both = matrix(one.rows + other.rows, other.width)
  both.numbers.set(one.numbers)
  both.numbers.set(other.numbers, one.numbers.length)
  return both
}

const cacheOf = (model: ReferenceModel, attention: string, from: Matrix): Cache => ({
  keys: project(model, `${attention}.key`, from),
  values: project(model, `${attention}.value`, from),
})

/** @param encoded what the encoder gave, a row for each frame */
export const createReferenceDecoder = (model: ReferenceModel, encoded: Matrix): ReferenceDecoder => {
  const { textWidth, textLayers } = model.file.shape
  const blocks = Array.from({ length: textLayers }, (_, index) => `decoder.blocks.${index}`)
  const heard = blocks.map((block) => cacheOf(model, `${block}.cross_attn`, encoded))
  const said: Cache[] = blocks.map(() => ({ keys: matrix(0, textWidth), values: matrix(0, textWidth) }))
  let length = 0

  const embed = (tokens: readonly number[]) => {
    const embedding = model.tensor('decoder.token_embedding.weight')
    const positions = model.tensor('decoder.positional_embedding')
    const rows = matrix(tokens.length, textWidth)
    for (const [index, token] of tokens.entries()) {
      rowOf(rows, index).forEach((_, i, row) => {
        row[i] = embedding[token * textWidth + i]! + positions[(length + index) * textWidth + i]!
      })
    }
    return rows
  }

  const attendTo = (name: string, from: Matrix, cache: Cache, visible: (query: number) => number) => {
    const { mixed, heads } = attend({ queries: project(model, `${name}.query`, from), ...cache }, visible)
    return { out: project(model, `${name}.out`, mixed), heads }
  }

  const layer = (index: number, from: Matrix) => {
    const block = blocks[index]!
    const normal = norm(model, `${block}.attn_ln`, from)
    const added = cacheOf(model, `${block}.attn`, normal)
    const before = said[index]!
    const cache = {
      keys: appended(before.keys, added.keys),
      values: appended(before.values, added.values),
    }
    said[index] = cache
    const self = attendTo(`${block}.attn`, normal, cache, (query) => length + query + 1)
    const spoken = sum(from, self.out)
    const cross = attendTo(
      `${block}.cross_attn`,
      norm(model, `${block}.cross_attn_ln`, spoken),
      heard[index]!,
      () => encoded.rows,
    )
    const attended = sum(spoken, cross.out)
    return { result: sum(attended, feedForward(model, block, attended)), heads: cross.heads }
  }

  return {
    advance(tokens) {
      const embedded = embed(tokens)
      const layers: Matrix[] = []
      const listened: Matrix[][] = []
      for (const index of blocks.keys()) {
        const { result, heads } = layer(index, layers.at(-1) ?? embedded)
        layers.push(result)
        listened.push(heads)
      }
      length += tokens.length
      const last = norm(model, 'decoder.ln', layers.at(-1) ?? embedded)
      return { logits: linear(last, model.tensor('decoder.token_embedding.weight'), null), layers, listened }
    },
  }
}

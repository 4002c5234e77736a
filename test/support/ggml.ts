// Modified model files: a bundled one with some of its bytes changed.

import { resolve } from 'node:path'
import { bytesInMemory, readGgmlFile } from '../../src/engine/ggml-file.ts'

const modelPath = (name: string) => resolve(import.meta.dir, `../../src/models/ggml-${name}.bin`)

/** The smaller bundled model, for tests that need any model. */
export const bundledModel = {
  name: 'tiny.en-q5_1',
  path: modelPath('tiny.en-q5_1'),
  bytes: 32_166_155,
  multilingual: false,
  knowsCantonese: false,
}

/** The other bundled model: the default if none is named. */
export const baseModel = {
  name: 'base-q5_1',
  path: modelPath('base-q5_1'),
  bytes: 59_707_625,
  multilingual: true,
  knowsCantonese: false,
}

export const bundledBytes = () => Bun.file(bundledModel.path).bytes()

/** Offset of the token count: after the header and 80 × 201 mel filters. */
export const VOCABULARY_AT = 4 * (1 + 11 + 2 + 80 * 201)

/** Replaces tokens by others of the same length. */
export const withTokens = (model: Uint8Array, tokens: Record<number, number[]>): Uint8Array => {
  const forged = model.slice()
  const view = new DataView(forged.buffer)
  const count = view.getInt32(VOCABULARY_AT, true)
  let at = VOCABULARY_AT + 4
  for (let id = 0; id < count; id += 1) {
    const length = view.getInt32(at, true)
    const bytes = tokens[id]
    if (bytes && bytes.length !== length) throw new Error(`token ${id} has ${length} bytes`)
    if (bytes) forged.set(bytes, at + 4)
    at += 4 + length
  }
  return forged
}

/** The first token that is not text, and so the number of text tokens, of an English model. */
const ENGLISH_END = 50_256
/** The token of the language that only larger multilingual models have. */
const HUNDREDTH_LANGUAGE = 50_358

/**
 * The same weights with one more token: turns an English model into a multilingual one, whose special tokens are all
 * one higher. The new token is never the likeliest: its row is zero, so it is equally far from every word.
 */
export const asMultilingual = (model: Uint8Array): Uint8Array => {
  const file = readGgmlFile(bytesInMemory(model))
  if (!file.ok) throw new Error(file.failure.message)
  const { name, atByte, dimensions, bytes } = file.value.tensors.find((tensor) =>
    tensor.name.includes('token_embedding'),
  )!
  const rowBytes = bytes / dimensions[1]!
  const newToken = file.value.multilingual ? HUNDREDTH_LANGUAGE : ENGLISH_END
  const newRowAt = atByte + newToken * rowBytes
  const forged = new Uint8Array(model.length + rowBytes)
  forged.set(model.subarray(0, newRowAt))
  forged.set(model.subarray(newRowAt), newRowAt + rowBytes)
  const view = new DataView(forged.buffer)
  view.setInt32(4, dimensions[1]! + 1, true)
  view.setInt32(atByte - name.length - 4, dimensions[1]! + 1, true)
  return forged
}

// Models of any published shape with random weights, for which every engine produces the same 30 words: only the shape
// matters for speed, and the output of a peer cannot be forced from outside.

import { type SpecialTokens, specialTokensOf } from '../../../src/engine/whisper/decoding/tokenizer.ts'
import { readReferenceModel } from '../../../src/engine/whisper/reference/model.ts'
import type { TensorShape } from '../../../src/engine/whisper-tensors.ts'
import { bundledBytes } from '../../../test/support/ggml.ts'
import { melTriangles, SHAPES, saveModelFile } from '../../../test/support/model-files.ts'
import type { Kind } from '../../../test/support/quantize.ts'

const FORCED_WORDS = 30
/** The end of the words by the model's timestamps: so late that nothing is left of a clip of 11 s, or of a whole window. */
export const FORCED_END = { clip: 10.9, window: 30 } as const
const TIMESTAMPS_PER_SECOND = 50

/** Half the width of the weights' uniform distribution; embeddings are larger, so that they dominate. */
const SIZE = { weights: 0.03, embeddings: 0.07 }
/** A position's embedding must outweigh everything that attention and the other layers add. */
const LOUDNESS = 1000

/** Numerical Recipes' generator, −1 to 1: the same numbers in every run. */
const createRandom = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return state / 2 ** 31
  }
}

const randomNumbers = ({ dimensions }: TensorShape, size: number, random: () => number) =>
  Float32Array.from(
    { length: dimensions.reduce((product, length) => product * length, 1) },
    () => size * random(),
  )

/**
 * The token to force after each position, from the start token on. Multilingual models get a language and a task token
 * after that, and the engine may query the language there.
 */
const forcedTokens = (vocabulary: Uint8Array[], tokens: SpecialTokens, endSeconds: number) => {
  const isWord = (id: number) => /^ [a-z]{3,}$/.test(Buffer.from(vocabulary[id]!).toString('latin1'))
  const words = [...vocabulary.keys()].filter(isWord).slice(0, FORCED_WORDS)
  const { firstTimestamp, firstLanguage, transcribe } = tokens
  const marks = tokens.multilingual ? [firstLanguage, transcribe] : []
  return [...marks, firstTimestamp, ...words, firstTimestamp + endSeconds * TIMESTAMPS_PER_SECOND]
}

/** The embedding of the forced token outweighs everything else at a position. */
const positionsFor = (forced: number[], end: number, embeddings: Float32Array, tensor: TensorShape) => {
  const [width = 0, count = 0] = tensor.dimensions
  const positions = new Float32Array(width * count)
  for (let position = 0; position < count; position += 1) {
    const next = (forced[position] ?? end) * width
    for (let i = 0; i < width; i += 1) positions[position * width + i] = LOUDNESS * embeddings[next + i]!
  }
  return positions
}

export type ForcedSize = Exclude<keyof typeof SHAPES, 'toy'>

/** Writes the file. All layers share their weights, so that the largest model takes less than a minute. */
export const saveForcedModel = async (
  path: string,
  { size, kind, endSeconds = FORCED_END.clip }: { size: ForcedSize; kind: Kind; endSeconds?: number },
): Promise<void> => {
  const bundled = readReferenceModel(await bundledBytes()).file
  const { vocabulary } = bundled
  const shape = SHAPES[size]
  const filters = shape.melBands === bundled.shape.melBands ? bundled.filters : melTriangles(shape.melBands)
  const tokens = specialTokensOf(shape.vocabulary)
  const random = createRandom(1)
  const embeddings = Float32Array.from(
    { length: shape.vocabulary * shape.textWidth },
    () => SIZE.embeddings * random(),
  )
  const matrices = new Map<string, Float32Array>()
  const matrixOf = (tensor: TensorShape) => {
    const key = tensor.dimensions.join()
    const matrix = matrices.get(key) ?? randomNumbers(tensor, SIZE.weights, random)
    matrices.set(key, matrix)
    return matrix
  }
  const weightsOf = (tensor: TensorShape) => {
    const { name, role } = tensor
    if (name === 'decoder.token_embedding.weight') return embeddings
    if (name === 'decoder.positional_embedding')
      return positionsFor(forcedTokens(vocabulary, tokens, endSeconds), tokens.end, embeddings, tensor)
    if (role !== 'plain') return matrixOf(tensor)
    const isGain = /ln(_post)?\.weight$/.test(name)
    return randomNumbers(tensor, 0, random).fill(isGain ? 1 : 0)
  }
  await saveModelFile(path, { shape, kind, filters, vocabulary, weightsOf })
}

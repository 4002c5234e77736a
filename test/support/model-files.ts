// Whole model files in any type of weights: the bundled model's, or random ones in any shape.
// How a type packs its weights is quantize.ts; changes to single bytes of a file are ggml.ts.

import {
  FFT_BINS,
  type TensorShape,
  type WhisperShape,
  whisperTensors,
} from '../../src/engine/whisper-tensors.ts'
import { readReferenceModel } from '../engine/whisper/reference/model.ts'
import { bundledBytes } from './ggml.ts'
import { bytesOf, KINDS, type Kind, writeWeights } from './quantize.ts'
import { createRandom } from './random.ts'

const MAGIC = 0x67676d6c
/** Files of this version of the quantization are the ones made today. */
const QUANTIZATION_VERSION = 2

export type ModelFile = {
  /** its fileType is what `kind` makes it */
  shape: WhisperShape
  kind: Kind
  filters: Float32Array
  vocabulary: Uint8Array[]
  /** @default as whisper.cpp's quantizer chooses for a file of its kind */
  kindOf?: ((tensor: TensorShape) => Kind) | undefined
  weightsOf(tensor: TensorShape): Float32Array
}

/** As whisper.cpp's own quantizer chooses: matrices as asked for, convolutions at least in f16, all else f32. */
const usualKind =
  (kind: Kind) =>
  ({ role }: TensorShape): Kind => {
    if (role === 'matrix') return kind
    return role === 'plain' || kind === 'f32' ? 'f32' : 'f16'
  }

const countOf = ({ dimensions }: TensorShape) => dimensions.reduce((product, size) => product * size, 1)

export const writeModelFile = (model: ModelFile): Uint8Array => {
  const { shape, kind, filters, vocabulary, kindOf = usualKind(kind), weightsOf } = model
  const tensors = whisperTensors(shape)
  const version = KINDS[kind].weights > 1 ? QUANTIZATION_VERSION : 0
  const head = [MAGIC, ...Object.values({ ...shape, fileType: 1000 * version + KINDS[kind].fileType })]
  const size =
    4 * (head.length + 2 + filters.length + 1) +
    vocabulary.reduce((sum, token) => sum + 4 + token.length, 0) +
    tensors.reduce((sum, tensor) => sum + 4 * (3 + tensor.dimensions.length) + tensor.name.length, 0) +
    tensors.reduce((sum, tensor) => sum + bytesOf(countOf(tensor), kindOf(tensor)), 0)
  const file = new Uint8Array(size)
  let at = 0
  const put = (bytes: Uint8Array) => {
    file.set(bytes, at)
    at += bytes.length
  }
  const putIntegers = (...integers: number[]) => put(new Uint8Array(Int32Array.from(integers).buffer))

  putIntegers(...head, shape.melBands, FFT_BINS)
  put(new Uint8Array(filters.slice().buffer))
  putIntegers(vocabulary.length)
  for (const token of vocabulary) {
    putIntegers(token.length)
    put(token)
  }
  for (const tensor of tensors) {
    const { name, dimensions } = tensor
    const own = kindOf(tensor)
    putIntegers(dimensions.length, name.length, KINDS[own].type, ...dimensions)
    put(Buffer.from(name))
    const bytes = bytesOf(countOf(tensor), own)
    writeWeights(weightsOf(tensor), own, file.subarray(at, at + bytes))
    at += bytes
  }
  return file
}

/** The bundled model's weights in another type. */
export const bundledAs = async (kind: Kind): Promise<Uint8Array> => {
  const { file, tensor } = readReferenceModel(await bundledBytes())
  const { shape, filters, vocabulary } = file
  return writeModelFile({
    shape,
    kind,
    filters,
    vocabulary,
    weightsOf: ({ name }) => tensor(name) as Float32Array,
  })
}

/** Published shapes; toy has two layers of each, and a width that every type can hold. */
const shapeOf = (heads: number, layers: number): WhisperShape => ({
  vocabulary: 51_864,
  audioFrames: 1500,
  audioWidth: 64 * heads,
  audioHeads: heads,
  audioLayers: layers,
  textTokens: 448,
  textWidth: 64 * heads,
  textHeads: heads,
  textLayers: layers,
  melBands: 80,
  fileType: 0,
})

export const SHAPES = { toy: shapeOf(4, 2), base: shapeOf(8, 6), small: shapeOf(12, 12) }

/** Numbers of about the size that training leaves: products keep the size of what they are given. */
const randomWeights = (tensor: TensorShape, random: () => number): Float32Array => {
  const { name, dimensions, role } = tensor
  const weights = new Float32Array(countOf(tensor))
  const inputs = role === 'convolution' ? dimensions[0]! * dimensions[1]! : dimensions[0]!
  const isGain = role === 'plain' && /ln(_post)?\.weight$/.test(name)
  for (let i = 0; i < weights.length; i += 1) {
    const number = random()
    if (role === 'plain') weights[i] = isGain ? 1 + 0.2 * number : 0.1 * number
    // most are small and some large, as in trained matrices; √5 makes up for what that takes from their variance
    else weights[i] = number * Math.abs(number) * Math.sqrt(5 / inputs)
  }
  return weights
}

/** Overlapping triangles, each band wider than the one below it. */
export const melTriangles = (bands: number) => {
  const filters = new Float32Array(bands * FFT_BINS)
  const edge = (band: number) => (FFT_BINS - 1) * (band / (bands + 1)) ** 1.5
  for (let band = 0; band < bands; band += 1) {
    const [from, peak, to] = [edge(band), edge(band + 1), edge(band + 2)] as const
    for (let k = 0; k < FFT_BINS; k += 1) {
      const height = Math.min((k - from) / (peak - from), (to - k) / (to - peak))
      filters[band * FFT_BINS + k] = Math.max(0, height) / (to - from)
    }
  }
  return filters
}

export type RandomModel = Pick<ModelFile, 'shape' | 'kind' | 'kindOf'> & { seed?: number }

/** A model that writes nonsense, the same for the same seed. */
export const randomModel = async ({ shape, kind, kindOf, seed = 1 }: RandomModel): Promise<Uint8Array> => {
  const { file } = readReferenceModel(await bundledBytes())
  const random = createRandom(seed)
  return writeModelFile({
    shape,
    kind,
    kindOf,
    filters: melTriangles(shape.melBands),
    vocabulary: file.vocabulary,
    weightsOf: (tensor) => randomWeights(tensor, random),
  })
}

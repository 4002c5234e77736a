// Whole model files in any weight type: the bundled model's weights, or random ones in any shape.

import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { readReferenceModel } from '../../src/engine/whisper/reference/model.ts'
import {
  FFT_BINS,
  type TensorShape,
  type WhisperShape,
  whisperTensors,
} from '../../src/engine/whisper-tensors.ts'
import { bundledBytes } from './ggml.ts'
import { bytesOf, KINDS, type Kind, writeWeights } from './quantize.ts'
import { createRandom } from './random.ts'

const MAGIC = 0x67676d6c
/** The quantization version of current files. */
const QUANTIZATION_VERSION = 2

export type ModelFile = {
  /** its fileType is replaced according to `kind` */
  shape: WhisperShape
  kind: Kind
  filters: Float32Array
  vocabulary: Uint8Array[]
  /** @default the choice of whisper.cpp's quantizer */
  kindOf?: ((tensor: TensorShape) => Kind) | undefined
  weightsOf(tensor: TensorShape): Float32Array
}

/** The choice of whisper.cpp's quantizer: matrices as requested, convolutions at least f16, everything else f32. */
const usualKind =
  (kind: Kind) =>
  ({ role }: TensorShape): Kind => {
    if (role === 'matrix') return kind
    return role === 'plain' || kind === 'f32' ? 'f32' : 'f16'
  }

const countOf = ({ dimensions }: TensorShape) => dimensions.reduce((product, size) => product * size, 1)

const integers = (...numbers: number[]) => new Uint8Array(Int32Array.from(numbers).buffer)

type Head = Pick<ModelFile, 'shape' | 'kind' | 'filters' | 'vocabulary'>

const headOf = ({ shape, kind, filters, vocabulary }: Head): Uint8Array => {
  const version = KINDS[kind].weights > 1 ? QUANTIZATION_VERSION : 0
  const numbers = Object.values({ ...shape, fileType: 1000 * version + KINDS[kind].fileType })
  const tokens = vocabulary.flatMap((token) => [integers(token.length), token])
  const bands = [integers(shape.melBands, FFT_BINS), new Uint8Array(filters.slice().buffer)]
  return Buffer.concat([integers(MAGIC, ...numbers), ...bands, integers(vocabulary.length), ...tokens])
}

const headOfTensor = ({ name, dimensions }: TensorShape, kind: Kind): Uint8Array =>
  Buffer.concat([
    integers(dimensions.length, name.length, KINDS[kind].type, ...dimensions),
    Buffer.from(name),
  ])

/** In pieces, since the largest files fit into no array. Weights that several tensors share are packed once. */
function* piecesOf(model: ModelFile): Generator<Uint8Array> {
  const { shape, kind, kindOf = usualKind(kind), weightsOf } = model
  const packed = new WeakMap<Float32Array, Partial<Record<Kind, Uint8Array>>>()
  const pack = (weights: Float32Array, own: Kind) => {
    const bytes = new Uint8Array(bytesOf(weights.length, own))
    writeWeights(weights, own, bytes)
    packed.set(weights, { ...packed.get(weights), [own]: bytes })
    return bytes
  }
  yield headOf(model)
  for (const tensor of whisperTensors(shape)) {
    const own = kindOf(tensor)
    yield headOfTensor(tensor, own)
    const weights = weightsOf(tensor)
    yield packed.get(weights)?.[own] ?? pack(weights, own)
  }
}

export const writeModelFile = (model: ModelFile): Uint8Array => {
  const pieces = [...piecesOf(model)]
  const file = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    file.set(piece, at)
    at += piece.length
  }
  return file
}

/** The same, written to a file of any size. */
export const saveModelFile = async (path: string, model: ModelFile): Promise<void> => {
  const file = Bun.file(path).writer()
  for (const piece of piecesOf(model)) {
    file.write(piece)
    await file.flush()
  }
  await file.end()
}

/** A sparse file of any size whose weights are all zero. @returns its size in bytes */
export const saveHollowModel = (path: string, { shape, kind }: Pick<ModelFile, 'shape' | 'kind'>): number => {
  const filters = melTriangles(shape.melBands)
  const file = openSync(path, 'w')
  let at = 0
  const put = (bytes: Uint8Array) => {
    at += writeSync(file, bytes, 0, bytes.length, at)
  }
  put(headOf({ shape, kind, filters, vocabulary: [new Uint8Array(1)] }))
  for (const tensor of whisperTensors(shape)) {
    const own = usualKind(kind)(tensor)
    put(headOfTensor(tensor, own))
    at += bytesOf(countOf(tensor), own)
  }
  ftruncateSync(file, at)
  closeSync(file)
  return at
}

/** The weights of the smaller bundled model in another type. */
export const bundledAs = async (kind: Kind): Promise<Uint8Array> => inType(await bundledBytes(), kind)

/** The weights of a whole model file in another type. */
export const inType = (bytes: Uint8Array, kind: Kind): Uint8Array => {
  const { file, tensor } = readReferenceModel(bytes)
  const { shape, filters, vocabulary } = file
  return writeModelFile({
    shape,
    kind,
    filters,
    vocabulary,
    weightsOf: ({ name }) => tensor(name) as Float32Array,
  })
}

/** Published shapes; toy has two layers of each, and a width that every type supports. */
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

/** Since large-v3: with Cantonese, and 128 mel bands. */
const third = { vocabulary: 51_866, melBands: 128 }

export const SHAPES = {
  toy: shapeOf(4, 2),
  base: shapeOf(8, 6),
  small: shapeOf(12, 12),
  medium: { ...shapeOf(16, 24), vocabulary: 51_865 },
  'large-v3': { ...shapeOf(20, 32), ...third },
  'large-v3-turbo': { ...shapeOf(20, 32), ...third, textLayers: 4 },
} satisfies Record<string, WhisperShape>

/** Of about the magnitude of trained weights, so that products keep the magnitude of their inputs. */
const randomWeights = (tensor: TensorShape, random: () => number): Float32Array => {
  const { name, dimensions, role } = tensor
  const weights = new Float32Array(countOf(tensor))
  const inputs = role === 'convolution' ? dimensions[0]! * dimensions[1]! : dimensions[0]!
  const isGain = role === 'plain' && /ln(_post)?\.weight$/.test(name)
  for (let i = 0; i < weights.length; i += 1) {
    const number = random()
    if (role === 'plain') weights[i] = isGain ? 1 + 0.2 * number : 0.1 * number
    // mostly small and a few large, as in trained matrices; √5 restores the variance
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

/** A model with random weights; the same for the same seed. */
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

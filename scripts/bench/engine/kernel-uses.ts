// How the engine uses each kernel for a window: the amount of work, derived from the model's shape, and the limiting
// resource.

import type { WhisperShape } from '../../../src/engine/whisper-tensors.ts'
import { GROUP, PANEL_ROWS } from '../../../wasm/whisper/interface.ts'
import { ANY_SHORT_GRID, groupBytes } from '../../../wasm/whisper/token-kernels.ts'
import type { KernelName, KernelRun } from './watch-kernels.ts'

/** A product or a sum is one operation; bytes are f32 and packed weights, read and written. */
export type Work = { operations?: number; bytes?: number }

export type KernelUse = {
  name: string
  runs(all: KernelRun[]): KernelRun[]
  /** for a full-length window and this many tokens */
  work?(shape: WhisperShape, tokens: number): Work
  boundBy: string
}

const F32 = 4
const I16 = 2
/** Per weight of a quantized file in the decoder's matrices, including its share of scale and offset. */
const WEIGHT_BYTES = groupBytes(ANY_SHORT_GRID) / (GROUP * PANEL_ROWS)

const named = (name: KernelName) => (all: KernelRun[]) => all.filter(({ kernel }) => kernel === name)

/** The last product of a token is the one with the vocabulary. */
const isVocabulary = (all: KernelRun[], at: number) => {
  const next = all.slice(at + 1).find(({ kernel }) => kernel === 'multiply' || kernel === 'embed')
  return next === undefined || next.kernel === 'embed'
}

const multiplications = (vocabulary: boolean) => (all: KernelRun[]) =>
  all.filter((run, at) => run.kernel === 'multiply' && isVocabulary(all, at) === vocabulary)

const weightsOnce = (weights: number): Work => ({ operations: 2 * weights, bytes: WEIGHT_BYTES * weights })

/** Weights that a token uses in each layer: 4 squares for self-attention, 2 for cross-attention, 8 for the MLP. */
const SQUARES_OF_TOKEN = 14
/** Weights that a frame uses in a layer of the encoder, and those for the decoder's cross-attention keys and values. */
const SQUARES_OF_FRAME = 12
const SQUARES_HEARD = 2

const encoderProducts = (shape: WhisperShape): number => {
  const { audioFrames: frames, audioWidth: width, melBands, audioLayers, textLayers } = shape
  const convolutions = 2 * frames * 3 * melBands * width + frames * 3 * width * width
  const squares = SQUARES_OF_FRAME * audioLayers + SQUARES_HEARD * textLayers
  return 2 * (convolutions + frames * squares * width * width)
}

/** Per layer: two norms, the attention output, the MLP, and queries and keys. */
const rowsPacked = ({ audioFrames: frames, audioWidth: width, audioLayers, melBands }: WhisperShape) =>
  frames * (audioLayers * (1 + 1 + 1 + 4 + 2) * width + 2 * 3 * melBands + 3 * width)

export const ENCODER_PRODUCTS = 'product: encoder, with weights'

export const KERNEL_USES: KernelUse[] = [
  {
    name: ENCODER_PRODUCTS,
    runs: named('product'),
    work: (shape) => ({ operations: encoderProducts(shape) }),
    boundBy: 'multiply-add units; all operands come from the first two caches',
  },
  {
    name: 'attention: encoder',
    runs: named('attention'),
    work: ({ audioFrames, audioWidth, audioLayers }) => ({
      operations: 4 * audioFrames ** 2 * audioWidth * audioLayers,
    }),
    boundBy: 'multiply-add units, and between the two products a power of 2 for every score',
  },
  {
    name: 'packRows: f32 to panels of i16, normed',
    runs: named('packRows'),
    work: (shape) => ({ bytes: rowsPacked(shape) * (F32 + I16) }),
    boundBy: 'stores of 4 bytes each, which put pairs side by side',
  },
  {
    name: 'packValues',
    runs: named('packValues'),
    work: ({ audioFrames, audioWidth, audioLayers }) => ({
      bytes: audioLayers * audioFrames * audioWidth * (F32 + I16),
    }),
    boundBy: 'two passes over columns: one for the scales',
  },
  {
    name: 'layerNorm',
    runs: named('layerNorm'),
    work: ({ audioFrames, audioWidth }) => ({ bytes: 2 * audioFrames * audioWidth * F32 }),
    boundBy: 'memory',
  },
  { name: 'packMatrix: keys of the window', runs: named('packMatrix'), boundBy: 'stores of 2 bytes each' },
  {
    name: 'packTransposed: values of the window',
    runs: named('packTransposed'),
    boundBy: 'stores of 2 bytes each',
  },
  {
    name: 'multiply: vocabulary',
    runs: multiplications(true),
    work: ({ vocabulary, textWidth }, tokens) => weightsOnce(tokens * vocabulary * textWidth),
    boundBy:
      'memory: every weight is read once for each token; from the second cache it is nearly twice as fast',
  },
  {
    name: 'multiply: layers of the decoder',
    runs: multiplications(false),
    work: ({ textLayers, textWidth }, tokens) =>
      weightsOnce(tokens * textLayers * SQUARES_OF_TOKEN * textWidth ** 2),
    boundBy: 'the last cache: from one token to the next the weights leave the second one',
  },
  {
    name: 'attendFrames: to the window',
    runs: named('attendFrames'),
    work: ({ textLayers, textWidth, audioFrames }, tokens) =>
      weightsOnce(tokens * textLayers * 2 * audioFrames * textWidth),
    boundBy: 'the last cache: keys and values are read once for each token',
  },
  { name: 'attendTokens', runs: named('attendTokens'), boundBy: 'the call itself' },
  { name: 'packVectors', runs: named('packVectors'), boundBy: 'the call itself' },
  { name: 'embed', runs: named('embed'), boundBy: 'the call itself' },
  { name: 'logMel', runs: named('logMel'), boundBy: 'multiply-add units, in f32' },
  { name: 'normalizeMel', runs: named('normalizeMel'), boundBy: 'memory' },
]

// The encoder's weights, packed for its kernels when the model is loaded.

import { type Linear, packRows, panelBytes, scaleBytes } from '../../../wasm/whisper/encoder-kernels.ts'
import { OUTPUT_PANEL, SCORE_FACTOR } from '../../../wasm/whisper/interface.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import { precisionOf } from './precision.ts'
import type { Weights } from './weights.ts'

/** Byte offsets of f32 in the kernels' memory. */
export type Norm = { weight: number; bias: number }

export type EncoderLayer = {
  attentionNorm: Norm
  /** queries, keys and values side by side, with the queries multiplied by SCORE_FACTOR */
  queriesKeysValues: Linear
  out: Linear
  mlpNorm: Norm
  widen: Linear
  narrow: Linear
}

export type EncoderWeights = {
  /** both convolutions, as products with three frames side by side */
  conv1: Linear
  conv2: Linear
  /** byte of f32 [audioFrames][audioWidth] */
  positions: number
  layers: EncoderLayer[]
  lastNorm: Norm
}

type Deps = { kernels: Kernels; weights: Weights }

type Source = {
  /** tensors of the same size, stacked in the packed matrix; some have no bias */
  parts: { weight: string; bias?: string }[]
  inputs: number
  /** per part */
  outputs: number
  /** tensors whose precision it takes. @default its own */
  like?: string[]
  /** reorders the f32 of the matrix to [outputs][inputs], if the file has another order */
  reorder?: (matrix: Float32Array) => void
}

/** Releases the f32 of the matrix after packing. */
export const packLinear = (deps: Deps, source: Source): Linear => {
  const { kernels, weights } = deps
  const { parts, inputs, reorder, like = parts.map(({ weight }) => weight) } = source
  const block = precisionOf(weights).block(like)
  const outputs = parts.length * source.outputs
  const at = kernels.allocate(panelBytes(OUTPUT_PANEL, outputs, inputs, block))
  const scales = kernels.allocate(scaleBytes(OUTPUT_PANEL, outputs))
  const bias = kernels.allocate(outputs * 4)
  const before = kernels.mark()
  const from = kernels.allocate(outputs * inputs * 4)
  for (const [index, part] of parts.entries()) {
    weights.read(part.weight, from + index * source.outputs * inputs * 4)
    if (part.bias) weights.read(part.bias, bias + index * source.outputs * 4)
  }
  reorder?.(kernels.floats().subarray(from / 4, from / 4 + outputs * inputs))
  packRows(kernels, {
    from,
    stride: inputs,
    rows: outputs,
    inputs,
    height: OUTPUT_PANEL,
    to: { at, scales },
    block,
  })
  kernels.release(before)
  return { weights: { at, scales }, bias, inputs, outputs, block }
}

/** A kernel of three frames: the file has [outputs][inputs][3], its product needs [outputs][3][inputs]. */
const framesFirst = (inputs: number) => (matrix: Float32Array) => {
  const row = new Float32Array(3 * inputs)
  for (let at = 0; at < matrix.length; at += 3 * inputs) {
    row.set(matrix.subarray(at, at + 3 * inputs))
    for (let input = 0; input < inputs; input += 1) {
      matrix[at + input] = row[3 * input]!
      matrix[at + inputs + input] = row[3 * input + 1]!
      matrix[at + 2 * inputs + input] = row[3 * input + 2]!
    }
  }
}

/** Quantized files store convolutions in f16, but these need no more precision than the following layers. */
const FIRST_MATRIX = 'encoder.blocks.0.attn.query.weight'

const packConvolution = (deps: Deps, name: string, inputs: number): Linear =>
  packLinear(deps, {
    parts: [{ weight: `${name}.weight`, bias: `${name}.bias` }],
    inputs: 3 * inputs,
    outputs: deps.weights.shape.audioWidth,
    like: [FIRST_MATRIX],
    reorder: framesFirst(inputs),
  })

const packMatrix = (deps: Deps, name: string, inputs: number, outputs: number): Linear =>
  packLinear(deps, { parts: [{ weight: `${name}.weight`, bias: `${name}.bias` }], inputs, outputs })

const packAttention = (deps: Deps, name: string, width: number): Linear => {
  const query = { weight: `${name}.query.weight`, bias: `${name}.query.bias` }
  const value = { weight: `${name}.value.weight`, bias: `${name}.value.bias` }
  const parts = [query, { weight: `${name}.key.weight` }, value]
  const linear = packLinear(deps, { parts, inputs: width, outputs: width })
  const floats = deps.kernels.floats()
  for (const at of [linear.weights.scales / 4, linear.bias / 4]) {
    for (let output = 0; output < width; output += 1) floats[at + output]! *= SCORE_FACTOR
  }
  return linear
}

const keep = ({ kernels, weights }: Deps, name: string, count: number): number => {
  const at = kernels.allocate(count * 4)
  weights.read(name, at)
  return at
}

const keepNorm = (deps: Deps, name: string): Norm => {
  const width = deps.weights.shape.audioWidth
  return { weight: keep(deps, `${name}.weight`, width), bias: keep(deps, `${name}.bias`, width) }
}

const packLayer = (deps: Deps, name: string): EncoderLayer => {
  const width = deps.weights.shape.audioWidth
  return {
    attentionNorm: keepNorm(deps, `${name}.attn_ln`),
    queriesKeysValues: packAttention(deps, `${name}.attn`, width),
    out: packMatrix(deps, `${name}.attn.out`, width, width),
    mlpNorm: keepNorm(deps, `${name}.mlp_ln`),
    widen: packMatrix(deps, `${name}.mlp.0`, width, 4 * width),
    narrow: packMatrix(deps, `${name}.mlp.2`, 4 * width, width),
  }
}

/** Its allocations are permanent: about 2 bytes per weight, 4 in f32. */
export const packEncoder = (deps: Deps): EncoderWeights => {
  const { audioWidth, audioFrames, audioLayers, melBands } = deps.weights.shape
  return {
    conv1: packConvolution(deps, 'encoder.conv1', melBands),
    conv2: packConvolution(deps, 'encoder.conv2', audioWidth),
    positions: keep(deps, 'encoder.positional_embedding', audioFrames * audioWidth),
    layers: Array.from({ length: audioLayers }, (_, layer) => packLayer(deps, `encoder.blocks.${layer}`)),
    lastNorm: keepNorm(deps, 'encoder.ln_post'),
  }
}

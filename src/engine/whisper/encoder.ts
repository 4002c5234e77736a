// The encoder: log-mel of a window to what the decoder listens to.
// Knows neither tokens nor text.

import {
  attend,
  type Block,
  type Linear,
  multiply,
  OUTPUT_PANEL,
  type Panels,
  packRows,
  packValues,
  panelBytes,
  ROW_PANEL,
  scaleBytes,
} from '../../../wasm/whisper/encoder-kernels.ts'
import { KERNEL } from '../../../wasm/whisper/kernel-numbers.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import type { WhisperShape } from '../whisper-tensors.ts'
import { type EncoderLayer, type EncoderWeights, type Norm, packEncoder } from './encoder-weights.ts'
import { precisionOf } from './precision.ts'
import type { Weights } from './weights.ts'

export type Encoder = {
  /**
   * @param mel byte of the log-mel in the kernels' memory: f32 [2 · frames][melBands], frame after frame
   * @param frames at most the model's audioFrames; fewer for a trimmed window
   * @returns byte of f32 [frames][audioWidth], valid until the next call
   */
  encode(mel: number, frames: number): Promise<number>
}

/** Bytes of the kernels' memory, large enough for the longest window. */
type Buffers = {
  /** f32 [2 · frames + 2][melBands], the first and the last row zero */
  mel: number
  /** what runs through the layers: f32 [frames][width] */
  stream: number
  /** what the layers make of it for a moment: f32 [frames][4 · width] */
  wide: number
  /** packed rows before a product */
  rows: Panels
  queries: Panels
  keys: Panels
  values: Panels
  /** the encoded window */
  result: number
}

type State = { kernels: Kernels; shape: WhisperShape; weights: EncoderWeights; buffers: Buffers }

const allocateBuffers = (kernels: Kernels, shape: WhisperShape, block: Block): Buffers => {
  const { audioWidth: width, audioHeads: heads, audioFrames: frames, melBands } = shape
  const floats = (count: number) => kernels.allocate(count * 4)
  const panels = (height: number, rows: number, inputs: number, matrices = 1): Panels => ({
    at: kernels.allocate(matrices * panelBytes(height, rows, inputs, block)),
    scales: kernels.allocate(matrices * scaleBytes(height, rows)),
  })
  const most = Math.max(
    panelBytes(ROW_PANEL, 2 * frames, 3 * melBands, block),
    panelBytes(ROW_PANEL, frames, 4 * width, block),
  )
  return {
    mel: floats((2 * frames + 2) * melBands),
    stream: floats(frames * width),
    wide: floats((2 * frames + 2) * 2 * width),
    rows: { at: kernels.allocate(most), scales: kernels.allocate(scaleBytes(ROW_PANEL, 2 * frames)) },
    queries: panels(ROW_PANEL, frames, width / heads, heads),
    keys: panels(OUTPUT_PANEL, frames, width / heads, heads),
    values: { at: kernels.allocate(panelBytes(OUTPUT_PANEL, frames, width, block)), scales: floats(width) },
    result: floats(frames * width),
  }
}

/** Both convolutions look one frame back and ahead; beyond the ends they see zeros. */
const convolve = ({ kernels, shape, weights, buffers }: State, mel: number, frames: number) => {
  const { audioWidth: width, melBands } = shape
  const { rows, wide, stream } = buffers
  const bytes = kernels.bytes()
  const melBytes = 2 * frames * melBands * 4
  const firstFrame = buffers.mel + melBands * 4
  bytes.copyWithin(firstFrame, mel, mel + melBytes)
  bytes.fill(0, firstFrame + melBytes, firstFrame + melBytes + melBands * 4)
  const { conv1, conv2 } = weights
  const packed = { height: ROW_PANEL, to: rows, block: conv1.block } as const
  packRows(kernels, {
    from: buffers.mel,
    stride: melBands,
    rows: 2 * frames,
    inputs: conv1.inputs,
    ...packed,
  })
  const rowBytes = width * 4
  bytes.fill(0, wide, wide + rowBytes)
  bytes.fill(0, wide + (2 * frames + 1) * rowBytes, wide + (2 * frames + 2) * rowBytes)
  multiply(kernels, { rows: 2 * frames, input: rows, layer: conv1, to: wide + rowBytes, gelu: true })
  packRows(kernels, { from: wide, stride: 2 * width, rows: frames, inputs: conv2.inputs, ...packed })
  const addend = weights.positions
  multiply(kernels, { rows: frames, input: rows, layer: conv2, to: stream, gelu: true, addend })
}

type Step = { from: number; norm?: Norm; layer: Linear; to: number; gelu?: boolean; addend?: number }

const apply = ({ kernels, buffers }: State, frames: number, step: Step) => {
  const { from, norm, layer, to, gelu, addend } = step
  const { inputs, block } = layer
  const input = buffers.rows
  packRows(kernels, { from, stride: inputs, rows: frames, inputs, height: ROW_PANEL, to: input, block, norm })
  multiply(kernels, { rows: frames, input, layer, to, gelu, addend })
}

/** Self-attention of `wide`, which holds queries, keys and values: the result takes their place. */
const attendWide = ({ kernels, shape, buffers }: State, frames: number, block: Block) => {
  const { audioWidth: width, audioHeads: heads } = shape
  const { wide, queries, keys, values } = buffers
  const matrices = {
    stride: 3 * width,
    rows: frames,
    inputs: width / heads,
    matrices: heads,
    step: width / heads,
    block,
  }
  packRows(kernels, { from: wide, ...matrices, height: ROW_PANEL, to: queries })
  packRows(kernels, { from: wide + width * 4, ...matrices, height: OUTPUT_PANEL, to: keys })
  packValues(kernels, { from: wide + 2 * width * 4, stride: 3 * width, frames, heads, to: values, block })
  attend(kernels, { queries, keys, values, to: wide, frames, heads, block })
}

const runLayer = (state: State, layer: EncoderLayer, frames: number) => {
  const { stream, wide } = state.buffers
  apply(state, frames, { from: stream, norm: layer.attentionNorm, layer: layer.queriesKeysValues, to: wide })
  attendWide(state, frames, layer.out.block)
  apply(state, frames, { from: wide, layer: layer.out, to: stream, addend: stream })
  apply(state, frames, { from: stream, norm: layer.mlpNorm, layer: layer.widen, to: wide, gelu: true })
  apply(state, frames, { from: wide, layer: layer.narrow, to: stream, addend: stream })
}

/** Lets the messages in that wait, such as one that aborts. */
const breathe = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * Packs the weights into the kernels' memory and takes what a window needs beside them.
 * The kernels' scratchBytes must be at least ENCODER_SCRATCH_BYTES.
 */
export const createEncoder = async (deps: { kernels: Kernels; weights: Weights }): Promise<Encoder> => {
  const { kernels } = deps
  const { shape } = deps.weights
  const weights = packEncoder(deps)
  const buffers = allocateBuffers(kernels, shape, precisionOf(deps.weights).finest('encoder.'))
  const state: State = { kernels, shape, weights, buffers }
  const { stream, result } = state.buffers
  return {
    async encode(mel, frames) {
      if (frames < 1 || frames > shape.audioFrames) throw new RangeError(`${frames} frames are no window`)
      convolve(state, mel, frames)
      for (const layer of weights.layers) {
        await breathe()
        runLayer(state, layer, frames)
      }
      const { weight, bias } = weights.lastNorm
      const integers = [stream, result, weight, bias, frames, shape.audioWidth]
      kernels.run(KERNEL.layerNorm, Math.ceil(frames / 8), integers)
      return result
    },
  }
}

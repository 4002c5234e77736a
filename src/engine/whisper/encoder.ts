// The encoder: log-mel of a window to encoded frames.

import {
  attend,
  type Block,
  type Linear,
  multiplyRows,
  type Panels,
  packFrameValues,
  packRows,
  panelBytes,
  scaleBytes,
} from '../../../wasm/whisper/encoder-kernels.ts'
import { KERNEL, NORM_ROWS_IN_CHUNK, OUTPUT_PANEL, ROW_PANEL } from '../../../wasm/whisper/interface.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import type { WhisperShape } from '../whisper-tensors.ts'
import { type EncoderLayer, type EncoderWeights, type Norm, packEncoder } from './encoder-weights.ts'
import { precisionOf } from './precision.ts'
import type { Weights } from './weights.ts'
import { yieldToMessages } from './yield.ts'

export type Encoder = {
  /**
   * @param mel byte of the log-mel in the kernels' memory: f32 [2 · frames][melBands], frame after frame
   * @param frames at most the model's audioFrames; fewer for a trimmed window
   * @param onLayer called after each layer with the fraction that is done
   * @returns byte of f32 [frames][audioWidth], valid until the next call
   */
  encode(mel: number, frames: number, onLayer?: (fraction: number) => void): Promise<number>
}

/** Byte offsets in the kernels' memory, sized for the longest window. */
type Buffers = {
  /** f32 [2 · frames + 2][melBands], the first and the last row zero */
  mel: number
  /** the residual stream: f32 [frames][width] */
  stream: number
  /** intermediate results of a layer: f32 [frames][4 · width] */
  wide: number
  /** packed input rows of a product */
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

/** Both convolutions span one frame back and ahead, with zeros beyond the ends. */
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
  multiplyRows(kernels, { rows: 2 * frames, input: rows, layer: conv1, to: wide + rowBytes, gelu: true })
  packRows(kernels, { from: wide, stride: 2 * width, rows: frames, inputs: conv2.inputs, ...packed })
  const addend = weights.positions
  multiplyRows(kernels, { rows: frames, input: rows, layer: conv2, to: stream, gelu: true, addend })
}

type Step = { from: number; norm?: Norm; layer: Linear; to: number; gelu?: boolean; addend?: number }

const apply = ({ kernels, buffers }: State, frames: number, step: Step) => {
  const { from, norm, layer, to, gelu, addend } = step
  const { inputs, block } = layer
  const input = buffers.rows
  packRows(kernels, { from, stride: inputs, rows: frames, inputs, height: ROW_PANEL, to: input, block, norm })
  multiplyRows(kernels, { rows: frames, input, layer, to, gelu, addend })
}

/** Self-attention in place: `wide` holds queries, keys and values, and receives the result. */
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
  packFrameValues(kernels, {
    from: wide + 2 * width * 4,
    stride: 3 * width,
    frames,
    heads,
    to: values,
    block,
  })
  attend(kernels, { queries, keys, values, to: wide, frames, heads, block })
}

const stepsOf = (state: State, layer: EncoderLayer, frames: number): (() => void)[] => {
  const { stream, wide } = state.buffers
  const { attentionNorm, queriesKeysValues, out, mlpNorm, widen, narrow } = layer
  return [
    () => apply(state, frames, { from: stream, norm: attentionNorm, layer: queriesKeysValues, to: wide }),
    () => attendWide(state, frames, out.block),
    () => apply(state, frames, { from: wide, layer: out, to: stream, addend: stream }),
    () => apply(state, frames, { from: stream, norm: mlpNorm, layer: widen, to: wide, gelu: true }),
    () => apply(state, frames, { from: wide, layer: narrow, to: stream, addend: stream }),
  ]
}

/** Yields before each step, because a layer of a large model takes seconds on a slow or busy machine. */
const runLayer = async (state: State, layer: EncoderLayer, frames: number) => {
  for (const step of stepsOf(state, layer, frames)) {
    await yieldToMessages()
    step()
  }
}

/**
 * Packs the weights into the kernels' memory and allocates the buffers of a window.
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
    async encode(mel, frames, onLayer) {
      if (frames < 1 || frames > shape.audioFrames) throw new RangeError(`${frames} frames are not a window`)
      convolve(state, mel, frames)
      for (const [index, layer] of weights.layers.entries()) {
        await runLayer(state, layer, frames)
        onLayer?.((index + 1) / weights.layers.length)
      }
      const { weight, bias } = weights.lastNorm
      kernels.run(KERNEL.layerNorm, Math.ceil(frames / NORM_ROWS_IN_CHUNK), {
        from: stream,
        to: result,
        weight,
        bias,
        rows: frames,
        width: shape.audioWidth,
      })
      return result
    },
  }
}

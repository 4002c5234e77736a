// The encoder on the GPU: log-mel of a window to encoded frames. The steps are those of whisper/encoder.ts.

import type { WhisperShape } from '../whisper-tensors.ts'
import type { Bound, Dispatch, Gpu, GpuBuffer, Resource } from './device.ts'
import {
  frameAttentionShader,
  QUERIES,
  ROW_TILE,
  type RowProduct,
  rowProductShader,
  rowSizes,
  tileOf,
} from './encoder-shaders.ts'
import type { GpuLinear, GpuNorm, WeightUpload } from './upload.ts'
import { layerNormShader } from './wgsl.ts'

export type GpuEncoder = {
  /**
   * @param mel [2 · frames][melBands]
   * @param onLayer called after each layer with the fraction that is done
   * @throws GpuFailure
   */
  encode(mel: Float32Array, frames: number, onLayer?: (fraction: number) => void): Promise<void>
  /** f16 [frames][audioWidth] of the last window */
  encoded: GpuBuffer
}

/** Rows of the longest window with its padding. */
export const paddedRows = (frames: number) => Math.ceil(frames / ROW_TILE) * ROW_TILE

/** A shader, and its workgroups for a number of rows. */
export type RowStep = { bound: Bound; workgroups(rows: number): readonly [x: number, y: number] }

export const rowDispatches = (steps: readonly RowStep[], rows: number): Dispatch[] =>
  steps.map(({ bound, workgroups }) => [bound, ...workgroups(rows)])

type RowBuffers = {
  /** of the longest window; the padded rows of every window are multiples of ROW_TILE */
  maxRows: number
  from: Resource
  by: GpuLinear
  to: Resource
  positions?: GpuBuffer | null
}

export const rowProduct = async (
  gpu: Gpu,
  product: RowProduct,
  { maxRows, from, by: { weights, bias }, to, positions = null }: RowBuffers,
): Promise<RowStep> => {
  const { format, numbers, heads } = weights
  const tile = tileOf(product, maxRows)
  const sizes = gpu.constant(rowSizes(product))
  const code = rowProductShader(product, { format, tile })
  const bound = await gpu.bind(code, [from, numbers, bias, to, sizes, positions, heads])
  return { bound, workgroups: (rows) => [product.outputs / tile.outputs, rows / tile.rows] }
}

/** Layers that are submitted before the first of them has finished. */
const LAYERS_AHEAD = 2

export const createGpuEncoder = async ({
  gpu,
  upload,
  shape,
}: {
  gpu: Gpu
  upload: WeightUpload
  shape: WhisperShape
}): Promise<GpuEncoder> => {
  const { audioWidth: width, audioHeads, audioLayers, audioFrames, melBands } = shape
  const maxRows = paddedRows(audioFrames)
  const halves = (count: number) => gpu.allocate(count * 2)
  const melNumbers = (2 * maxRows + 4) * melBands
  const mel = halves(melNumbers)
  // a row of zeros comes first
  const convolved = halves((2 * maxRows + 4) * width)
  const stream = gpu.allocate(maxRows * width * 4)
  // decoders read windows from any frame on, to the end of their last tile
  const normal = halves((maxRows + ROW_TILE) * width)
  const wide = halves(maxRows * 4 * width)
  const frameCount = gpu.allocate(16, 'uniform')

  const product = (options: RowProduct, by: GpuLinear, from: GpuBuffer, to: GpuBuffer) =>
    rowProduct(gpu, options, { maxRows, from, by, to })

  const norm = async ({ weight, bias }: GpuNorm): Promise<RowStep> => ({
    bound: await gpu.bind(layerNormShader(width, 'f16'), [stream, weight, bias, normal]),
    workgroups: (rows) => [rows, 1],
  })

  const conv1 = await upload.convolution('encoder.conv1', melBands, width)
  const conv2 = await upload.convolution('encoder.conv2', width, width)
  const positions = upload.plain('encoder.positional_embedding', audioFrames * width, maxRows * width)
  const first = await product(
    { inputs: conv1.inputs, stride: melBands, outputs: width, to: 'f16', gelu: true, firstRow: 1 },
    conv1,
    mel,
    convolved,
  )
  const second = await rowProduct(
    gpu,
    { inputs: conv2.inputs, stride: 2 * width, outputs: width, to: 'f32', gelu: true, add: 'positions' },
    { maxRows, from: convolved, by: conv2, to: stream, positions },
  )

  const layerOf = async (name: string): Promise<RowStep[]> => {
    const attention = ['query', 'key', 'value'].map((one) => `${name}.attn.${one}`)
    const project = await upload.linear(attention, width, width)
    const out = await upload.linear([`${name}.attn.out`], width, width)
    const up = await upload.linear([`${name}.mlp.0`], width, 4 * width)
    const down = await upload.linear([`${name}.mlp.2`], 4 * width, width)
    return [
      await norm(upload.norm(`${name}.attn_ln`, width)),
      await product({ inputs: width, outputs: 3 * width, to: 'f16' }, project, normal, wide),
      {
        bound: await gpu.bind(frameAttentionShader(width), [wide, normal, frameCount]),
        workgroups: (rows) => [rows / QUERIES, audioHeads],
      },
      await product({ inputs: width, outputs: width, to: 'f32', add: 'output' }, out, normal, stream),
      await norm(upload.norm(`${name}.mlp_ln`, width)),
      await product({ inputs: width, outputs: 4 * width, to: 'f16', gelu: true }, up, normal, wide),
      await product({ inputs: 4 * width, outputs: width, to: 'f32', add: 'output' }, down, wide, stream),
    ]
  }

  const layers: RowStep[][] = []
  for (let index = 0; index < audioLayers; index += 1) layers.push(await layerOf(`encoder.blocks.${index}`))
  const last = await norm(upload.norm('encoder.ln_post', width))

  return {
    encoded: normal,
    async encode(numbers, frames, onLayer) {
      if (frames < 1 || frames > audioFrames) throw new RangeError(`${frames} frames are not a window`)
      const rows = paddedRows(frames)
      const padded = new Float16Array(melNumbers)
      padded.set(numbers.subarray(0, 2 * frames * melBands), melBands)
      gpu.write(mel, 0, padded)
      gpu.write(frameCount, 0, Uint32Array.of(frames, 0, 0, 0))
      gpu.submit([...rowDispatches([first], 2 * rows), ...rowDispatches([second], rows)])
      const running: Promise<void>[] = []
      for (const [index, layer] of layers.entries()) {
        gpu.submit(rowDispatches(layer, rows))
        const finished = gpu.finished()
        // An abort below leaves it without a caller.
        finished.catch(() => {})
        running.push(finished)
        if (running.length <= LAYERS_AHEAD) continue
        await running.shift()
        onLayer?.((index + 1 - LAYERS_AHEAD) / layers.length)
      }
      gpu.submit(rowDispatches([last], rows))
      await Promise.all(running)
      onLayer?.(1)
    },
  }
}

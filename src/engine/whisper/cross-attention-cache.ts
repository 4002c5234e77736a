// What the decoder hears of a window: keys and values of every layer, packed once for all tokens.
// Attends to nothing; that is decoder-layers.ts's.

import {
  BLOCK,
  type Block,
  IN_FLOATS,
  multiplyRows,
  packRows,
  panelBytes,
  scaleBytes,
} from '../../../wasm/whisper/encoder-kernels.ts'
import { HEAD, ROW_PANEL } from '../../../wasm/whisper/interface.ts'
import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import { type Grid, packedBytes, packKeys, packValues } from '../../../wasm/whisper/token-kernels.ts'
import type { DecoderLayer } from './decoder-weights.ts'
import { messagesIn } from './messages-in.ts'

export type CrossKeysValues = { keys: number; values: number; frames: number; grid: Grid }

export type CrossAttentionCache = {
  /** @param encoded byte of f32 [frames][width] */
  listen(encoded: number, frames: number): Promise<void>
  frames(): number
  /** what a layer attends to */
  keysValues(layer: number): CrossKeysValues
}

export const createCrossAttentionCache = (
  kernels: Kernels,
  layers: readonly DecoderLayer[],
  { maxFrames, width, grid }: { maxFrames: number; width: number; grid: Grid },
): CrossAttentionCache => {
  const heads = width / HEAD
  const bytes = heads * (packedBytes(maxFrames, HEAD, grid) + packedBytes(HEAD, maxFrames, grid))
  const windows = layers.map(() => kernels.allocate(bytes))
  const isFloat = layers.some(({ crossProject }) => crossProject.block === IN_FLOATS)
  const rows = {
    at: kernels.allocate(panelBytes(ROW_PANEL, maxFrames, width, isFloat ? IN_FLOATS : BLOCK)),
    scales: kernels.allocate(scaleBytes(ROW_PANEL, maxFrames)),
  }
  const projected = kernels.allocate(maxFrames * 2 * width * 4)
  let heardFrames = 0

  const keysValues = (layer: number): CrossKeysValues => {
    const keys = windows[layer]!
    const values = keys + heads * packedBytes(heardFrames, HEAD, grid)
    return { keys, values, frames: heardFrames, grid }
  }

  return {
    async listen(encoded, frames) {
      heardFrames = frames
      let packed: Block | undefined
      for (const [index, { crossProject }] of layers.entries()) {
        await messagesIn()
        const { block } = crossProject
        if (block !== packed) {
          const from = { from: encoded, stride: width, rows: frames, inputs: width }
          packRows(kernels, { ...from, height: ROW_PANEL, to: rows, block })
        }
        packed = block
        multiplyRows(kernels, { rows: frames, input: rows, layer: crossProject, to: projected })
        const { keys, values } = keysValues(index)
        const layout = { frameBytes: 2 * width * 4, frames, heads, grid }
        packKeys(kernels, { from: projected, to: keys, ...layout })
        packValues(kernels, { from: projected + width * 4, to: values, ...layout })
      }
    },
    frames: () => heardFrames,
    keysValues,
  }
}

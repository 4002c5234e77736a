// The decoder's cross-attention cache: keys and values of every layer, packed once for all tokens of a window.

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
import { yieldToMessages } from './yield.ts'

export type CrossKeysValues = { keys: number; values: number; frames: number; grid: Grid }

/** The packed layers of a window, copied out of the kernels' memory. */
export type WindowCopy = { frames: number; packed: Uint8Array[] }

/** One window per slot. The first `setWindow` of a slot allocates its memory. */
export type CrossAttentionCache = {
  /** memory per slot */
  windowBytes: number
  /** @param encoded byte of f32 [frames][width] */
  setWindow(slot: number, encoded: number, frames: number): Promise<void>
  frames(slot: number): number
  /** the keys and values that a layer attends to */
  keysValues(slot: number, layer: number): CrossKeysValues
  /** copies the slot's window, for `restore` */
  copyWindow(slot: number): WindowCopy
  restore(slot: number, window: WindowCopy): void
}

export const createCrossAttentionCache = (
  kernels: Kernels,
  layers: readonly DecoderLayer[],
  { maxFrames, width, grid }: { maxFrames: number; width: number; grid: Grid },
): CrossAttentionCache => {
  const heads = width / HEAD
  const bytesOf = (frames: number) =>
    heads * (packedBytes(frames, HEAD, grid) + packedBytes(HEAD, frames, grid))
  const layerBytes = bytesOf(maxFrames)
  const windowBytes = layers.length * layerBytes
  const isFloat = layers.some(({ crossProject }) => crossProject.block === IN_FLOATS)
  const rows = {
    at: kernels.allocate(panelBytes(ROW_PANEL, maxFrames, width, isFloat ? IN_FLOATS : BLOCK)),
    scales: kernels.allocate(scaleBytes(ROW_PANEL, maxFrames)),
  }
  const projected = kernels.allocate(maxFrames * 2 * width * 4)
  const windows: { at: number; frames: number }[] = []

  const windowAt = (slot: number) => {
    windows[slot] ??= { at: kernels.allocate(windowBytes), frames: 0 }
    return windows[slot]
  }

  const keysValues = (slot: number, layer: number): CrossKeysValues => {
    const { at, frames } = windowAt(slot)
    const keys = at + layer * layerBytes
    return { keys, values: keys + heads * packedBytes(frames, HEAD, grid), frames, grid }
  }

  return {
    windowBytes,
    async setWindow(slot, encoded, frames) {
      windowAt(slot).frames = frames
      let packed: Block | undefined
      for (const [index, { crossProject }] of layers.entries()) {
        await yieldToMessages()
        const { block } = crossProject
        if (block !== packed) {
          const from = { from: encoded, stride: width, rows: frames, inputs: width }
          packRows(kernels, { ...from, height: ROW_PANEL, to: rows, block })
        }
        packed = block
        multiplyRows(kernels, { rows: frames, input: rows, layer: crossProject, to: projected })
        const { keys, values } = keysValues(slot, index)
        const layout = { frameBytes: 2 * width * 4, frames, heads, grid }
        packKeys(kernels, { from: projected, to: keys, ...layout })
        packValues(kernels, { from: projected + width * 4, to: values, ...layout })
      }
    },
    frames: (slot) => windowAt(slot).frames,
    keysValues,
    copyWindow(slot) {
      const { at, frames } = windowAt(slot)
      const used = bytesOf(frames)
      const packed = layers.map((_, index) => {
        const from = at + index * layerBytes
        return kernels.bytes().slice(from, from + used)
      })
      return { frames, packed }
    },
    restore(slot, { frames, packed }) {
      const window = windowAt(slot)
      window.frames = frames
      for (const [index, layer] of packed.entries())
        kernels.bytes().set(layer, window.at + index * layerBytes)
    },
  }
}

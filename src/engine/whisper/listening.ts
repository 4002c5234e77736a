// What the decoder hears of a window: keys and values of every layer, packed once for all tokens.
// Attends to nothing; that is the layers' of decoder.ts.

import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import {
  GROUP,
  multiply,
  type Precision,
  packedBytes,
  packKeys,
  packValues,
  packVectors,
} from '../../../wasm/whisper/token-kernels.ts'
import type { DecoderLayer } from './decoder-weights.ts'

export type Heard = { keys: number; values: number; frames: number; precision: Precision }

export type Listening = {
  /** @param encoded byte of f32 [frames][width] */
  listen(encoded: number, frames: number): void
  frames(): number
  /** what a layer attends to */
  heard(layer: number): Heard
}

export const createListening = (
  kernels: Kernels,
  layers: readonly DecoderLayer[],
  { maxFrames, width, precision }: { maxFrames: number; width: number; precision: Precision },
): Listening => {
  const heads = width / GROUP
  const bytes = heads * (packedBytes(maxFrames, GROUP, precision) + packedBytes(GROUP, maxFrames, precision))
  const windows = layers.map(() => kernels.allocate(bytes))
  const vectors = {
    at: kernels.allocate(maxFrames * width * 2),
    scales: kernels.allocate(maxFrames * 4),
    width,
  }
  const projected = kernels.allocate(maxFrames * 2 * width * 4)
  let heardFrames = 0

  const heard = (layer: number): Heard => {
    const keys = windows[layer]!
    const values = keys + heads * packedBytes(heardFrames, GROUP, precision)
    return { keys, values, frames: heardFrames, precision }
  }

  return {
    listen(encoded, frames) {
      heardFrames = frames
      packVectors(kernels, { at: encoded, count: frames }, vectors)
      for (const [index, { crossProject }] of layers.entries()) {
        multiply(kernels, { ...crossProject, vectors, count: frames, to: projected })
        const { keys, values } = heard(index)
        const shape = { frames, heads, precision }
        packKeys(kernels, { at: projected, rowBytes: 2 * width * 4 }, { at: keys, ...shape })
        packValues(kernels, { at: projected + width * 4, rowBytes: 2 * width * 4 }, { at: values, ...shape })
      }
    },
    frames: () => heardFrames,
    heard,
  }
}

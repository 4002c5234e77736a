// A buffer for each layer of the decoder, with room for a number of items (tokens, windows) that grows as they are used.

import { type Gpu, type GpuBuffer, GpuFailure } from './device.ts'

export type GrowingBuffers = {
  /** one for each layer; another array after they have grown */
  buffers(): readonly GpuBuffer[]
  /** Replaces the buffers by larger ones, with the same items, if they have no room for so many. @throws GpuFailure */
  makeRoom(items: number): void
}

/** `items`: what the first buffers have room for; `maxItems`: what the last ones have room for */
type Options = { layers: number; itemBytes: number; items: number; maxItems: number }

export const createGrowingBuffers = (gpu: Gpu, options: Options): GrowingBuffers => {
  const { layers, itemBytes, items, maxItems } = options
  const most = Math.min(maxItems, Math.floor(gpu.maxBindingBytes / itemBytes))
  const allocate = () => Array.from({ length: layers }, () => gpu.allocate(capacity * itemBytes))
  let capacity = items
  let buffers = allocate()
  return {
    buffers: () => buffers,
    makeRoom(needed) {
      if (needed <= capacity) return
      if (needed > most)
        throw new GpuFailure(`a buffer of the GPU has room for ${most} tokens or windows only`)
      const bytes = capacity * itemBytes
      const smaller = buffers
      capacity = Math.min(most, Math.max(needed, 2 * capacity))
      buffers = allocate()
      gpu.submit([], (encoder) => {
        for (const [index, from] of smaller.entries())
          encoder.copyBufferToBuffer(from, 0, buffers[index]!, 0, bytes)
      })
      for (const buffer of smaller) buffer.destroy()
    },
  }
}

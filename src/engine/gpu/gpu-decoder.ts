// The decoder on the GPU, with the interface of whisper/decoder.ts.

import type { WindowCopy } from '../whisper/cross-attention-cache.ts'
import type { AsyncDecoder } from '../whisper/decoder.ts'
import type { Head } from '../whisper/decoding/timing.ts'
import type { WhisperShape } from '../whisper-tensors.ts'
import type { Gpu, GpuBuffer } from './device.ts'
import { createGpuLayers, type GpuTokenVector } from './gpu-decoder-layers.ts'
import { paddedRows, type RowStep, rowDispatches, rowProduct } from './gpu-encoder.ts'
import { createGrowingBuffers } from './growing-buffers.ts'
import { createTokenSequences } from './token-sequences.ts'
import type { GpuLinear, WeightUpload } from './upload.ts'

type Options = {
  gpu: Gpu
  upload: WeightUpload
  shape: WhisperShape
  /** f16 [frames][audioWidth], and some rows behind them */
  encoded: GpuBuffer
  slots: number
  sequencesPerSlot: number
  alignmentHeads: readonly Head[]
}

/** Bytes on the GPU per window: its keys and values in each layer. */
export const windowBytesOf = ({ textLayers, textWidth, audioFrames }: WhisperShape) =>
  textLayers * paddedRows(audioFrames) * 2 * textWidth * 2

/** Bytes on the GPU per token. */
export const tokenBytesOf = ({ textLayers, textWidth }: WhisperShape) => textLayers * 2 * textWidth * 4

export const createGpuDecoder = async (options: Options): Promise<AsyncDecoder> => {
  const { gpu, upload, shape, encoded, slots, sequencesPerSlot, alignmentHeads } = options
  const { textWidth: width, textLayers, textTokens, audioFrames } = shape
  const maxRows = paddedRows(audioFrames)
  const layerBytes = windowBytesOf(shape) / textLayers
  const keysValues = createGrowingBuffers(gpu, {
    layers: textLayers,
    itemBytes: layerBytes,
    items: 1,
    maxItems: slots,
  })
  const layers = await createGpuLayers({
    gpu,
    upload,
    shape,
    maxSteps: slots * sequencesPerSlot,
    alignmentHeads,
    windows: { keysValues, rows: maxRows },
  })
  const projections: GpuLinear[] = []
  for (let index = 0; index < textLayers; index += 1) {
    const names = ['key', 'value'].map((one) => `decoder.blocks.${index}.cross_attn.${one}`)
    projections.push(await upload.linear(names, width, width))
  }
  const sequences = createTokenSequences(slots * sequencesPerSlot)
  const frames = new Array<number>(slots).fill(0)
  /** For each slot the copy of a window, which stays on the GPU: there is one at a time. */
  const copies: { window: WindowCopy; buffers: GpuBuffer[] }[] = []

  let bound = keysValues.buffers()
  const projected = new Map<number, RowStep[]>()

  /** @param at byte of the first frame, as if the encoded frames were f32 */
  const projectionsOf = async (slot: number, at: number): Promise<RowStep[]> => {
    if (bound !== keysValues.buffers()) projected.clear()
    bound = keysValues.buffers()
    const known = at === 0 ? projected.get(slot) : undefined
    if (known) return known
    const from = { buffer: encoded, offset: (at / 4) * 2 }
    const product = { inputs: width, outputs: 2 * width, to: 'f16' } as const
    const steps: RowStep[] = []
    for (const [index, by] of projections.entries()) {
      const to = { buffer: bound[index]!, offset: slot * layerBytes, size: layerBytes }
      steps.push(await rowProduct(gpu, product, { maxRows, from, by, to }))
    }
    if (at === 0) projected.set(slot, steps)
    return steps
  }

  // compiles the shader now
  await projectionsOf(0, 0)

  const slotOf = (sequenceId: number) => Math.floor(sequenceId / sequencesPerSlot)

  const empty = (slot: number) => {
    for (let i = 0; i < sequencesPerSlot; i += 1) sequences.reset(slot * sequencesPerSlot + i)
  }

  const checkCapacity: AsyncDecoder['checkCapacity'] = ({ sequenceId, tokens }) => {
    if (sequences.length(sequenceId) + tokens.length <= textTokens) return
    throw new RangeError(`a sequence of the model has ${textTokens} tokens at most`)
  }

  return {
    slots,
    sequencesPerSlot,
    tokenBytes: tokenBytesOf(shape),
    alignmentBytes: alignmentHeads.length * audioFrames * 4,
    slotBytes: windowBytesOf(shape),
    async setWindow(slot, at, count) {
      empty(slot)
      frames[slot] = count
      keysValues.makeRoom(slot + 1)
      gpu.submit(rowDispatches(await projectionsOf(slot, at), paddedRows(count)))
    },
    copyWindow(slot) {
      const from = keysValues.buffers()
      const buffers = copies[slot]?.buffers ?? from.map(() => gpu.allocate(layerBytes))
      gpu.submit([], (encoder) => {
        for (const [index, to] of buffers.entries())
          encoder.copyBufferToBuffer(from[index]!, slot * layerBytes, to, 0, layerBytes)
      })
      const window = { frames: frames[slot]!, packed: [] }
      copies[slot] = { window, buffers }
      return window
    },
    restoreWindow(slot, window) {
      empty(slot)
      if (!window) return
      const copy = copies[slot]
      if (copy?.window !== window) throw new Error('only the last copy of a slot can be restored')
      frames[slot] = window.frames
      gpu.submit([], (encoder) => {
        for (const [index, from] of copy.buffers.entries())
          encoder.copyBufferToBuffer(from, 0, keysValues.buffers()[index]!, slot * layerBytes, layerBytes)
      })
    },
    frames: (slot) => frames[slot]!,
    reset: sequences.reset,
    copy: sequences.copy,
    length: sequences.length,
    checkCapacity,
    async advance(steps) {
      steps.forEach(checkCapacity)
      let logitsCount = 0
      const vectors: GpuTokenVector[] = []
      for (const { sequenceId, tokens, needsLogits = true, aligned = false } of steps) {
        const slot = slotOf(sequenceId)
        for (const [index, token] of tokens.entries()) {
          sequences.append(sequenceId)
          const sequence = sequences.tokens(sequenceId)
          const step = needsLogits && index === tokens.length - 1 ? logitsCount++ : undefined
          const position = sequence.length - 1
          vectors.push({ token, position, sequence, slot, frames: frames[slot]!, aligned, step })
        }
      }
      return await layers.run(vectors, logitsCount)
    },
    alignment: (sequenceId, from) => ({
      tokens: Math.max(0, sequences.length(sequenceId) - from),
      heads: alignmentHeads.length,
      frames: frames[slotOf(sequenceId)]!,
      read(token, head, to) {
        const all = sequences.tokens(sequenceId)[from + token]!.alignment
        if (!all) throw new Error('this token was appended without an alignment')
        to.set(all.subarray(head * audioFrames, head * audioFrames + to.length))
      },
    }),
  }
}

// The weights of a layer of the decoder on the GPU, apart from the projections of windows (gpu-decoder.ts).

import type { Head } from '../whisper/decoding/timing.ts'
import type { WhisperShape } from '../whisper-tensors.ts'
import type { Gpu, GpuBuffer } from './device.ts'
import type { GpuLinear, GpuNorm, WeightUpload } from './upload.ts'

export type GpuDecoderLayer = {
  norm: GpuNorm
  project: GpuLinear
  out: GpuLinear
  crossNorm: GpuNorm
  crossQuery: GpuLinear
  crossOut: GpuLinear
  mlpNorm: GpuNorm
  mlpUp: GpuLinear
  mlpDown: GpuLinear
  /** for each head, its index among the alignment heads or −1 */
  aligned: GpuBuffer
}

type Deps = { gpu: Gpu; upload: WeightUpload; shape: WhisperShape; alignmentHeads: readonly Head[] }

export const uploadDecoderLayer = async (
  { gpu, upload, shape, alignmentHeads }: Deps,
  index: number,
): Promise<GpuDecoderLayer> => {
  const name = `decoder.blocks.${index}`
  const { textWidth: width, textHeads } = shape
  const square = (...names: string[]) =>
    upload.linear(
      names.map((one) => `${name}.${one}`),
      width,
      width,
    )
  const heads = new Int32Array(textHeads).fill(-1)
  for (const [at, [layer, head]] of alignmentHeads.entries()) if (layer === index) heads[head] = at
  const aligned = gpu.allocate(heads.byteLength)
  gpu.write(aligned, 0, heads)
  return {
    norm: upload.norm(`${name}.attn_ln`, width),
    project: await square('attn.query', 'attn.key', 'attn.value'),
    out: await square('attn.out'),
    crossNorm: upload.norm(`${name}.cross_attn_ln`, width),
    crossQuery: await square('cross_attn.query'),
    crossOut: await square('cross_attn.out'),
    mlpNorm: upload.norm(`${name}.mlp_ln`, width),
    mlpUp: await upload.linear([`${name}.mlp.0`], width, 4 * width),
    mlpDown: await upload.linear([`${name}.mlp.2`], 4 * width, width),
    aligned,
  }
}

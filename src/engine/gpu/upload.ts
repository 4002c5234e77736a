// Copies the weights of a Whisper file to the GPU: matrices as f16, everything else as f32.

import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import type { Weights } from '../whisper/weights.ts'
import type { Gpu, GpuBuffer } from './device.ts'
import { PACK_SHADER, PACKED_IN_WORKGROUP } from './wgsl.ts'

export type GpuLinear = { weights: GpuBuffer; bias: GpuBuffer }
export type GpuNorm = { weight: GpuBuffer; bias: GpuBuffer }

export type WeightUpload = {
  /** f32. @param allocated numbers of the buffer, if it is longer than the tensor */
  plain(name: string, count: number, allocated?: number): GpuBuffer
  norm(name: string, width: number): GpuNorm
  /** Stacks matrices with the same inputs. A projection without a bias adds zero. */
  linear(names: readonly string[], inputs: number, outputs: number): Promise<GpuLinear>
  matrix(names: readonly string[], inputs: number, outputs: number): Promise<GpuBuffer>
  /** A product with three frames side by side, whose inputs are padded with zeros. */
  convolution(name: string, inputs: number, outputs: number): Promise<GpuLinear & { inputs: number }>
  /** frees what only the upload needs. @returns bytes of the weights */
  finish(): number
}

/** Numbers of a matrix that are converted at once. */
const MAX_NUMBERS = 8_000_000
/** Rows of a part of a matrix are a multiple of this, so that every part begins at a multiple of 256 bytes. */
const PART_ROWS = 128
/** Padded inputs are a multiple of this. */
const INPUTS = 32

type Deps = { gpu: Gpu; kernels: Kernels; weights: Weights }

export const createUpload = ({ gpu, kernels, weights }: Deps): WeightUpload => {
  const staging = gpu.allocate(MAX_NUMBERS * 4)
  let bytes = 0

  const allocate = (count: number, bytesOfNumber: number) => {
    bytes += count * bytesOfNumber
    return gpu.allocate(count * bytesOfNumber)
  }

  /** Reads a tensor, or rows of it, as f32. @param use receives a view that is valid until it returns */
  const read = (
    name: string,
    { first, count }: { first?: number; count: number },
    use: (numbers: Float32Array) => void,
  ) => {
    const before = kernels.mark()
    const at = kernels.allocate(count * 4)
    weights.read(name, at, first === undefined ? undefined : { first, count })
    use(kernels.floats().subarray(at / 4, at / 4 + count))
    kernels.release(before)
  }

  const stage = (numbers: Float32Array) => gpu.write(staging, 0, numbers)

  const packStaged = async (count: number, to: GpuBuffer, atNumber: number) => {
    const from = { buffer: staging, size: count * 4 }
    const packed = { buffer: to, offset: atNumber * 2, size: count * 2 }
    gpu.submit([[await gpu.bind(PACK_SHADER, [from, packed]), Math.ceil(count / PACKED_IN_WORKGROUP)]])
  }

  const addPlain = (name: string, count: number, to: GpuBuffer, atNumber = 0) =>
    read(name, { count }, (numbers) => gpu.write(to, atNumber * 4, numbers))

  const plain = (name: string, count: number, allocated = count) => {
    const to = allocate(allocated, 4)
    addPlain(name, count, to)
    return to
  }

  const matrix = async (names: readonly string[], inputs: number, outputs: number) => {
    const to = allocate(names.length * outputs * inputs, 2)
    const rowsAtOnce = Math.floor(MAX_NUMBERS / inputs / PART_ROWS) * PART_ROWS
    for (const [index, name] of names.entries()) {
      for (let row = 0; row < outputs; row += rowsAtOnce) {
        const count = Math.min(rowsAtOnce, outputs - row) * inputs
        read(name, { first: row * inputs, count }, stage)
        await packStaged(count, to, (index * outputs + row) * inputs)
      }
    }
    // Written numbers occupy memory of this process until the GPU has copied them.
    await gpu.finished()
    return to
  }

  return {
    plain,
    norm: (name, width) => ({ weight: plain(`${name}.weight`, width), bias: plain(`${name}.bias`, width) }),
    matrix,
    async linear(names, inputs, outputs) {
      const bias = allocate(names.length * outputs, 4)
      for (const [index, name] of names.entries())
        if (!name.endsWith('.key')) addPlain(`${name}.bias`, outputs, bias, index * outputs)
      const weightNames = names.map((name) => `${name}.weight`)
      return { weights: await matrix(weightNames, inputs, outputs), bias }
    },
    async convolution(name, inputs, outputs) {
      const padded = Math.ceil((3 * inputs) / INPUTS) * INPUTS
      const to = allocate(outputs * padded, 2)
      read(`${name}.weight`, { count: outputs * inputs * 3 }, (all) => {
        // the file has [outputs][inputs][3]
        const rows = new Float32Array(outputs * padded)
        for (let i = 0; i < outputs * inputs; i += 1) {
          const at = Math.floor(i / inputs) * padded + (i % inputs)
          for (let frame = 0; frame < 3; frame += 1) rows[at + frame * inputs] = all[3 * i + frame]!
        }
        stage(rows)
      })
      await packStaged(outputs * padded, to, 0)
      return { weights: to, bias: plain(`${name}.bias`, outputs), inputs: padded }
    },
    finish() {
      staging.destroy()
      return bytes
    },
  }
}

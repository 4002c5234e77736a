// Copies the weights of a Whisper file to the GPU: matrices of quantized files in 8 bits, other matrices and convolutions as
// f16, everything else as f32.

import type { Kernels } from '../../../wasm/whisper/kernels.ts'
import type { Weights } from '../whisper/weights.ts'
import type { Gpu, GpuBuffer } from './device.ts'
import {
  BLOCK_WEIGHTS,
  type MatrixFormat,
  PACK_SHADER,
  PACKED_IN_WORKGROUP,
  QUANTIZE_SHADER,
  QUANTIZED_IN_WORKGROUP,
  type QuantizationGrid,
  quantizationGrid,
} from './wgsl.ts'

/** @param heads absent from f16 */
export type GpuMatrix = { format: MatrixFormat; numbers: GpuBuffer; heads: GpuBuffer | null }
export type GpuLinear = { weights: GpuMatrix; bias: GpuBuffer }
export type GpuNorm = { weight: GpuBuffer; bias: GpuBuffer }

export type WeightUpload = {
  /** f32. @param allocated numbers of the buffer, if it is longer than the tensor */
  plain(name: string, count: number, allocated?: number): GpuBuffer
  norm(name: string, width: number): GpuNorm
  /** Stacks matrices with the same inputs. A projection without a bias adds zero. */
  linear(names: readonly string[], inputs: number, outputs: number): Promise<GpuLinear>
  matrix(names: readonly string[], inputs: number, outputs: number): Promise<GpuMatrix>
  /** A product with three frames side by side, whose inputs are padded with zeros. */
  convolution(name: string, inputs: number, outputs: number): Promise<GpuLinear & { inputs: number }>
  /** frees what only the upload needs */
  finish(): void
}

/** Numbers of a matrix that are converted at once. */
const MAX_NUMBERS = 8_000_000
/** Rows of a part of a matrix are a multiple of this, so that every part begins at a multiple of 256 bytes. */
const PART_ROWS = 128
/** Padded inputs are a multiple of this. */
const INPUTS = 32

/** ggml's types that stay f16: f32 and f16. */
const MAX_FLOAT_TYPE = 1

/** Multiples of the steps of q4_0, q4_1, q5_0, q5_1 and q8_0 by powers of two, so that f16 has every scale. */
const GRIDS: Record<number, QuantizationGrid> = {
  2: { from: 'greatest', steps: 128 },
  3: { from: 'least', steps: 240 },
  6: { from: 'greatest', steps: 128 },
  7: { from: 'least', steps: 248 },
  8: { from: 'greatest', steps: 127 },
}
/** Of types with other blocks. */
const FINEST_GRID: QuantizationGrid = { from: 'least', steps: 255 }

export const formatOf = ({ typeOf }: Pick<Weights, 'typeOf'>, names: readonly string[]): MatrixFormat =>
  names.every((name) => typeOf(name) > MAX_FLOAT_TYPE) ? 'q8' : 'f16'

export const matrixBytes = (format: MatrixFormat, count: number): number =>
  format === 'f16' ? 2 * count : count + (4 * count) / BLOCK_WEIGHTS

type Deps = { gpu: Gpu; kernels: Kernels; weights: Weights }

export const createUpload = ({ gpu, kernels, weights }: Deps): WeightUpload => {
  const staging = gpu.allocate(MAX_NUMBERS * 4)

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

  const quantizeStaged = async (
    type: number,
    count: number,
    { to, atNumber }: { to: GpuMatrix; atNumber: number },
  ) => {
    const from = { buffer: staging, size: count * 4 }
    const steps = { buffer: to.numbers, offset: atNumber, size: count }
    const blocks = count / BLOCK_WEIGHTS
    const heads = { buffer: to.heads!, offset: (atNumber / BLOCK_WEIGHTS) * 4, size: blocks * 4 }
    const grid = gpu.constant(quantizationGrid(GRIDS[type] ?? FINEST_GRID))
    const bound = await gpu.bind(QUANTIZE_SHADER, [from, steps, heads, grid])
    gpu.submit([[bound, Math.ceil(blocks / QUANTIZED_IN_WORKGROUP)]])
  }

  const addPlain = (name: string, count: number, to: GpuBuffer, atNumber = 0) =>
    read(name, { count }, (numbers) => gpu.write(to, atNumber * 4, numbers))

  const plain = (name: string, count: number, allocated = count) => {
    const to = gpu.allocate(allocated * 4)
    addPlain(name, count, to)
    return to
  }

  const matrix = async (names: readonly string[], inputs: number, outputs: number) => {
    const numbers = names.length * outputs * inputs
    const format = formatOf(weights, names)
    const to: GpuMatrix =
      format === 'f16'
        ? { format, numbers: gpu.allocate(numbers * 2), heads: null }
        : { format, numbers: gpu.allocate(numbers), heads: gpu.allocate((numbers / BLOCK_WEIGHTS) * 4) }
    const rowsAtOnce = Math.floor(MAX_NUMBERS / inputs / PART_ROWS) * PART_ROWS
    for (const [index, name] of names.entries()) {
      for (let row = 0; row < outputs; row += rowsAtOnce) {
        const count = Math.min(rowsAtOnce, outputs - row) * inputs
        read(name, { first: row * inputs, count }, stage)
        const atNumber = (index * outputs + row) * inputs
        if (format === 'f16') await packStaged(count, to.numbers, atNumber)
        else await quantizeStaged(weights.typeOf(name), count, { to, atNumber })
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
      const bias = gpu.allocate(names.length * outputs * 4)
      for (const [index, name] of names.entries())
        if (!name.endsWith('.key')) addPlain(`${name}.bias`, outputs, bias, index * outputs)
      const weightNames = names.map((name) => `${name}.weight`)
      return { weights: await matrix(weightNames, inputs, outputs), bias }
    },
    async convolution(name, inputs, outputs) {
      const padded = Math.ceil((3 * inputs) / INPUTS) * INPUTS
      const to = gpu.allocate(outputs * padded * 2)
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
      const matrix: GpuMatrix = { format: 'f16', numbers: to, heads: null }
      return { weights: matrix, bias: plain(`${name}.bias`, outputs), inputs: padded }
    },
    finish: () => staging.destroy(),
  }
}

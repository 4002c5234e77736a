// Compares the kernels' reading of every weight type with the float64 reading of the same bytes.

import { afterAll, describe, expect, test } from 'bun:test'
import { bytesInMemory, readGgmlFile } from '../../../src/engine/ggml-file.ts'
import { relativeError } from '../../../src/engine/whisper/reference/arithmetic.ts'
import { BLOCK_TYPES, dequantize } from '../../../src/engine/whisper/reference/dequantize.ts'
import { readReferenceModel } from '../../../src/engine/whisper/reference/model.ts'
import { createWeights, UnusableWeights } from '../../../src/engine/whisper/weights.ts'
import { openKernels } from '../../../wasm/whisper/kernels.ts'
import { testAtLength } from '../../support/at-length.ts'
import { bundledBytes } from '../../support/ggml.ts'
import { bundledAs } from '../../support/model-files.ts'
import { createRandom } from '../../support/random.ts'

/** f32 rounds the reference's float64. */
const ROUNDING = 1e-6

const model = await bundledBytes()
const read = readGgmlFile(bytesInMemory(model))
if (!read.ok) throw new Error(read.failure.message)
const bundled = read.value

/** More than two chunks of the kernel, and not a multiple. */
const COUNT = 2 * 8192 + 3 * 256

const areNumbers = (numbers: Float64Array) => numbers.every((number) => Number.isFinite(number))

/** Random bytes, without blocks whose scale is not finite. */
const randomBlocks = (type: number) => {
  const random = createRandom(type + 1)
  const { weights, bytes } = BLOCK_TYPES[type]!
  const blocks = new Uint8Array((COUNT / weights) * bytes)
  for (let at = 0; at < blocks.length; at += bytes) {
    const block = blocks.subarray(at, at + bytes)
    do
      block.forEach((_, i) => {
        block[i] = 128 * (random() + 1)
      })
    while (!areNumbers(dequantize(type, block)))
  }
  return blocks
}

const tensorOf = (type: number, bytes: Uint8Array) => ({
  ...bundled,
  tensors: [{ name: 'weights', type, dimensions: [COUNT], atByte: 0, bytes: bytes.length }],
})

/** Compares each block by itself, because a block with a large scale would hide the errors of others. */
const greatestError = (actual: Float32Array, expected: Float64Array, perBlock: number) => {
  let greatest = 0
  for (let at = 0; at < expected.length; at += perBlock) {
    const block = expected.subarray(at, at + perBlock)
    const read = actual.subarray(at, at + perBlock)
    const error = block.every((weight) => weight === 0)
      ? Number(read.some((x) => x !== 0))
      : relativeError(read, block)
    greatest = Math.max(greatest, error)
  }
  return greatest
}

describe.each([1, 2])('on the kernels with %d threads', async (threads) => {
  const kernels = await openKernels({ threads, scratchBytes: 0 })
  const to = kernels.allocate(4 * COUNT)
  afterAll(() => kernels.close())

  const readBack = (type: number, bytes: Uint8Array) => {
    const source = bytesInMemory(bytes)
    const weights = createWeights({ kernels, source, file: tensorOf(type, bytes) })
    expect(weights.read('weights', to)).toBe(COUNT)
    return kernels.floats().slice(to / 4, to / 4 + COUNT)
  }

  for (const [number, { name, weights }] of Object.entries(BLOCK_TYPES)) {
    const type = Number(number)

    test(`reads ${name} of arbitrary bytes`, () => {
      const blocks = randomBlocks(type)
      expect(greatestError(readBack(type, blocks), dequantize(type, blocks), weights)).toBeLessThan(ROUNDING)
    })

    test(`rejects ${name} with a number that is not finite, or reads one`, () => {
      for (const byte of [0xff, 0x7c, 0xfc]) {
        const blocks = randomBlocks(type).fill(byte, -BLOCK_TYPES[type]!.bytes)
        try {
          expect(readBack(type, blocks).every((weight) => Number.isFinite(weight))).toBe(true)
        } catch (error) {
          expect(error).toBeInstanceOf(UnusableWeights)
        }
      }
    })
  }

  test('rejects infinite f32', () => {
    const numbers = new Float32Array(COUNT)
    numbers[COUNT - 1] = Number.POSITIVE_INFINITY
    expect(() => readBack(0, new Uint8Array(numbers.buffer))).toThrow(UnusableWeights)
  })

  test('rejects infinite f16', () => {
    const numbers = new Uint16Array(COUNT)
    numbers[COUNT - 1] = 0x7c00
    expect(() => readBack(1, new Uint8Array(numbers.buffer))).toThrow(UnusableWeights)
    numbers[COUNT - 1] = 0x7bff
    expect(() => readBack(1, new Uint8Array(numbers.buffer))).not.toThrow()
  })
})

describe('of the bundled model', async () => {
  const kernels = await openKernels({ threads: 2, scratchBytes: 0 })
  const to = kernels.allocate(4 * 384 * bundled.shape.vocabulary)
  afterAll(() => kernels.close())

  test('reads every tensor', () => {
    const reference = readReferenceModel(model)
    const weights = createWeights({ kernels, source: bytesInMemory(model), file: bundled })
    for (const { name } of bundled.tensors) {
      const expected = reference.tensor(name)
      expect(weights.read(name, to)).toBe(expected.length)
      const actual = kernels.floats().subarray(to / 4, to / 4 + expected.length)
      expect(relativeError(actual, expected)).toBeLessThan(ROUNDING)
    }
  })

  testAtLength('reads a tensor that is larger than its buffer', async () => {
    const plain = readReferenceModel(await bundledAs('f32'))
    const name = 'decoder.token_embedding.weight'
    const weights = createWeights({
      kernels,
      source: bytesInMemory(await bundledAs('f32')),
      file: plain.file,
    })
    const expected = plain.tensor(name)
    weights.read(name, to)
    expect(relativeError(kernels.floats().subarray(to / 4, to / 4 + expected.length), expected)).toBe(0)
  })

  test('rejects a truncated file and a missing tensor', () => {
    const source = bytesInMemory(model.subarray(0, model.length - 1))
    const weights = createWeights({ kernels, source, file: bundled })
    expect(() => weights.read(bundled.tensors.at(-1)!.name, to)).toThrow(UnusableWeights)
    expect(() => weights.read('encoder.conv3.weight', to)).toThrow(UnusableWeights)
  })
})

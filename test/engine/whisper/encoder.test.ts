// Compares the encoder with the float64 reference: tiny.en itself, and random weights of other shapes.

import { afterAll, describe, expect, test } from 'bun:test'
import { createEncoder } from '../../../src/engine/whisper/encoder.ts'
import { matrix, relativeError } from '../../../src/engine/whisper/reference/arithmetic.ts'
import { readReferenceModel } from '../../../src/engine/whisper/reference/model.ts'
import { referenceEncode } from '../../../src/engine/whisper/reference/whisper.ts'
import { type WhisperShape, whisperTensors } from '../../../src/engine/whisper-tensors.ts'
import { ENCODER_SCRATCH_BYTES } from '../../../wasm/whisper/encoder-kernels.ts'
import { type Kernels, openKernels } from '../../../wasm/whisper/kernels.ts'

const TINY = new URL('../../../src/models/ggml-tiny.en-q5_1.bin', import.meta.url)

const opened: Kernels[] = []

const open = async (threads: number) => {
  const scratchBytes = ENCODER_SCRATCH_BYTES
  const kernels = await openKernels({ threads, scratchBytes })
  opened.push(kernels)
  return kernels
}

afterAll(async () => {
  for (const kernels of opened) await kernels.close()
})

/** Numbers between -1 and 1, the same in every run. */
const createNoise = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 31 - 1
  }
}

/** Varies over time and bands like a log-mel. */
const melOf = (frames: number, bands: number) => {
  const noise = createNoise(7)
  const value = (at: number) => Math.sin(at / bands / 9) * Math.cos((at % bands) / 11) + 0.3 * noise()
  return Float32Array.from({ length: 2 * frames * bands }, (_, at) => value(at))
}

/** Weights with the magnitude of trained ones: products keep the magnitude of their inputs. */
const randomTensors = (shape: WhisperShape) => {
  const noise = createNoise(3)
  return new Map(
    whisperTensors(shape)
      .filter(({ name }) => name.startsWith('encoder.'))
      .map(({ name, dimensions, role }) => {
        const count = dimensions.reduce((product, size) => product * size, 1)
        const inputs = role === 'plain' ? 4 : count / dimensions.at(-1)!
        const around = name.includes('ln') && name.endsWith('weight') ? 1 : 0
        return [name, Float32Array.from({ length: count }, () => around + noise() * Math.sqrt(3 / inputs))]
      }),
  )
}

type Model = { shape: WhisperShape; tensor(name: string): Float32Array; typeOf(name: string): number }

const F32 = 0
const F16 = 1

const encoderOf = (kernels: Kernels, { shape, tensor, typeOf }: Model) => {
  const read = (name: string, to: number) => {
    kernels.floats().set(tensor(name), to / 4)
    return tensor(name).length
  }
  return createEncoder({ kernels, weights: { shape, read, typeOf } })
}

const encode = async (kernels: Kernels, model: Model, mel: Float32Array): Promise<Float32Array> => {
  const { shape } = model
  const before = kernels.mark()
  const encoder = await encoderOf(kernels, model)
  const at = kernels.allocate(mel.byteLength)
  kernels.floats().set(mel, at / 4)
  const frames = mel.length / shape.melBands / 2
  const result = (await encoder.encode(at, frames)) / 4
  const encoded = kernels.floats().slice(result, result + frames * shape.audioWidth)
  kernels.release(before)
  return encoded
}

const referenceOf = ({ shape, tensor }: Model, mel: Float32Array) => {
  const file = { shape, multilingual: false, filters: new Float32Array(0), vocabulary: [], tensors: [] }
  const rows = matrix(mel.length / shape.melBands, shape.melBands, Float64Array.from(mel))
  return referenceEncode({ file, tensor }, rows).output.numbers
}

const shapeOf = (heads: number, layers: number, melBands: number): WhisperShape => ({
  ...{ vocabulary: 51_864, textTokens: 8, textWidth: heads * 64, textHeads: heads, textLayers: 1 },
  ...{
    audioFrames: 200,
    audioWidth: heads * 64,
    audioHeads: heads,
    audioLayers: layers,
    melBands,
    fileType: 0,
  },
})

describe('the encoder agrees with float64', () => {
  const shapes = [
    { heads: 1, layers: 1, melBands: 80, frames: 1 },
    { heads: 2, layers: 3, melBands: 128, frames: 33 },
    { heads: 3, layers: 1, melBands: 80, frames: 200 },
    { heads: 10, layers: 1, melBands: 128, frames: 5 },
  ]
  for (const { heads, layers, melBands, frames } of shapes) {
    test(`with ${heads} heads, ${layers} layers, ${melBands} bands, ${frames} frames`, async () => {
      const shape = shapeOf(heads, layers, melBands)
      const tensors = randomTensors(shape)
      const mel = melOf(frames, melBands)
      for (const [type, bound] of [
        [F32, 1e-5],
        [F16, 2e-4],
      ] as const) {
        const model = { shape, tensor: (name: string) => tensors.get(name)!, typeOf: () => type }
        const encoded = await encode(await open(2), model, mel)
        expect(relativeError(encoded, referenceOf(model, mel))).toBeLessThan(bound)
      }
    })
  }

  test('with the weights of tiny.en', async () => {
    const { file, tensor } = readReferenceModel(await Bun.file(TINY).bytes())
    const model = {
      shape: file.shape,
      tensor: (name: string) => Float32Array.from(tensor(name)),
      typeOf: (name: string) => file.tensors.find((tensor) => tensor.name === name)!.type,
    }
    const mel = melOf(97, 80)
    const encoded = await encode(await open(2), model, mel)
    expect(relativeError(encoded, referenceOf(model, mel))).toBeLessThan(1e-2)
  })
})

describe('the encoder', () => {
  const shape = shapeOf(2, 2, 80)
  const tensors = randomTensors(shape)
  const model = { shape, tensor: (name: string) => tensors.get(name)!, typeOf: () => F32 }

  test('gives the same bits with 1, 2 and 4 threads', async () => {
    const mel = melOf(121, 80)
    const expected = await encode(await open(1), model, mel)
    const [two, four] = [await open(2), await open(4)]
    expect(await encode(two, model, mel)).toEqual(expected)
    expect(await encode(four, model, mel)).toEqual(expected)
  })

  test('gives the same result for a short window before and after a long one', async () => {
    const kernels = await open(1)
    const encoder = await encoderOf(kernels, model)
    const mel = kernels.allocate(400 * 80 * 4)
    kernels.floats().set(melOf(200, 80), mel / 4)
    const encoded = async (frames: number) => {
      const at = (await encoder.encode(mel, frames)) / 4
      return kernels.floats().slice(at, at + frames * shape.audioWidth)
    }
    const short = await encoded(31)
    await encoded(200)
    expect(await encoded(31)).toEqual(short)
  })

  test('yields to messages at each step of a layer, and reports the fraction of layers', async () => {
    const kernels = await open(1)
    const encoder = await encoderOf(kernels, model)
    const mel = kernels.allocate(40 * 80 * 4)
    const done: number[] = []
    let encoding = true
    let messages = 0
    const message = () => {
      messages += 1
      if (encoding) setImmediate(message)
    }
    setImmediate(message)
    await encoder.encode(mel, 20, (fraction) => done.push(fraction))
    encoding = false
    expect(done).toEqual([0.5, 1])
    expect(messages).toBeGreaterThanOrEqual(5 * shape.audioLayers)
  })

  test('rejects a window that is too long for the model', async () => {
    const refusal = encode(await open(1), model, melOf(201, 80))
    await expect(refusal).rejects.toThrow(RangeError)
  })
})

// Every shader in the sizes of every published model, on Dawn's Null backend: it checks shaders, buffers and dispatches like
// any other, and runs nothing. gpu-decoder-numbers.test.ts compares results.

import { describe, expect, test } from 'bun:test'
import { adapterOfDawn, type Gpu, openGpu, type RequestAdapter } from '../../../src/engine/gpu/device.ts'
import { frameAttentionShader } from '../../../src/engine/gpu/encoder-shaders.ts'
import { computeOnGpu, gpuSlots } from '../../../src/engine/gpu/gpu-compute.ts'
import type { WhisperShape } from '../../../src/engine/whisper-tensors.ts'
import { openKernels } from '../../../wasm/whisper/kernels.ts'
import { dawnModule } from '../../support/dawn.ts'
import { SHAPES } from '../../support/model-files.ts'
import { KINDS } from '../../support/quantize.ts'

const nullAdapter = () => adapterOfDawn(dawnModule!, ['backend=null'])

const NOTHING = '@compute @workgroup_size(1) fn main() {}'

/** Its workgroups have half of the memory that the encoder's attention needs, so that shader is only compiled. */
const openNull = async (width: number, requestAdapter = nullAdapter()): Promise<Gpu> => {
  const gpu = await openGpu({ requestAdapter, allowSoftware: true, needed: {} })
  const device = await (await requestAdapter())!.requestDevice()
  const module = device.createShaderModule({ code: frameAttentionShader(width) })
  const { messages } = await module.getCompilationInfo()
  expect(messages.map(({ message }) => message)).toEqual([])
  const bind: Gpu['bind'] = (code, resources) =>
    code === frameAttentionShader(width) ? gpu.bind(NOTHING, []) : gpu.bind(code, resources)
  return { ...gpu, bind }
}

/** As whisper.cpp's quantizer chooses: biases and positions stay f32. */
const typesOf = (type: number) => (name: string) =>
  name.endsWith('.weight') && !/ln(_post)?\.weight$/.test(name) ? type : KINDS.f32.type

describe.skipIf(!dawnModule)('the Null backend accepts a window and its tokens', () => {
  /** One layer of each half has every shader. */
  const kinds = [KINDS.f16, KINDS.q5_0]
  for (const [name, shape, { type }] of Object.entries(SHAPES).flatMap(([name, shape]) =>
    kinds.map((kind) => [name, shape, kind] as const),
  )) {
    test(`${name} with weights of ${type === KINDS.f16.type ? 16 : 8} bits`, async () => {
      const cut = { ...shape, audioLayers: 1, textLayers: 1 }
      const gpu = await openNull(shape.audioWidth)
      const kernels = await openKernels({ threads: 1, scratchBytes: 0 })
      const weights = { shape: cut, typeOf: typesOf(type), read: () => 0 }
      const { encode, decoder } = await computeOnGpu(gpu)({ kernels, weights })
      const mel = kernels.allocate(2 * cut.audioFrames * cut.melBands * 4)
      for (const frames of [cut.audioFrames, 512]) {
        await encode(mel, frames)
        await decoder.setWindow(0, 0, frames)
        const prompt = { sequenceId: 0, tokens: [1, 2, 3, 4, 5, 6, 7, 8, 9], aligned: true }
        expect(await decoder.advance([prompt])).toHaveLength(1)
        decoder.copy(0, 1)
        const beams = [0, 1].map((sequenceId) => ({ sequenceId, tokens: [10] }))
        const logits = await decoder.advance(beams)
        expect(logits.map(({ values }) => values.length)).toEqual([cut.vocabulary, cut.vocabulary])
        decoder.restoreWindow(0, decoder.copyWindow(0))
      }
      await gpu.finished()
      gpu.close()
      await kernels.close()
    }, 120_000)
  }
})

/** Bytes of all buffers on the GPU. */
const countingAdapter = (sizes: Set<{ size: number }>): RequestAdapter => {
  const request = nullAdapter()
  return async () => {
    const adapter = (await request())!
    const requestDevice = adapter.requestDevice.bind(adapter)
    adapter.requestDevice = async (descriptor) => {
      const device = await requestDevice(descriptor)
      const createBuffer = device.createBuffer.bind(device)
      device.createBuffer = (buffer) => {
        const made = createBuffer(buffer)
        const destroy = made.destroy.bind(made)
        sizes.add(made)
        made.destroy = () => {
          sizes.delete(made)
          return destroy()
        }
        return made
      }
      return device
    }
    return adapter
  }
}

/** With two windows, and with eight. */
const bytesWith = async (shape: WhisperShape) => {
  const sizes = new Set<{ size: number }>()
  const gpu = await openNull(shape.audioWidth, countingAdapter(sizes))
  const kernels = await openKernels({ threads: 1, scratchBytes: 0 })
  const weights = { shape, typeOf: typesOf(KINDS.q5_0.type), read: () => 0 }
  const { encode, decoder } = await computeOnGpu(gpu)({ kernels, weights })
  const mel = kernels.allocate(2 * shape.audioFrames * shape.melBands * 4)
  const bytes: number[] = []
  for (let slot = 0; slot < 8; slot += 1) {
    await encode(mel, shape.audioFrames)
    await decoder.setWindow(slot, 0, shape.audioFrames)
    const sequenceId = slot * decoder.sequencesPerSlot
    await decoder.advance([{ sequenceId, tokens: [1, 2, 3], aligned: true }])
    bytes.push([...sizes].reduce((sum, { size }) => sum + size, 0))
  }
  gpu.close()
  await kernels.close()
  return [bytes[1]!, bytes[7]!] as const
}

/** The Null backend has room for few layers; each further one takes the same. */
const bytesOfAll = async ({ audioLayers, textLayers, ...shape }: WhisperShape) => {
  const of = (audio: number, text: number) => bytesWith({ ...shape, audioLayers: audio, textLayers: text })
  const [one, moreAudio, moreText] = [await of(1, 1), await of(2, 1), await of(1, 2)]
  return one.map(
    (bytes, i) =>
      bytes + (audioLayers - 1) * (moreAudio[i]! - bytes) + (textLayers - 1) * (moreText[i]! - bytes),
  )
}

test.skipIf(!dawnModule)(
  'turbo in 8 bits takes at most 1.1 GB of the GPU with two windows, and 1.3 with eight',
  async () => {
    const [two, eight] = await bytesOfAll(SHAPES['large-v3-turbo'])
    expect(two).toBeGreaterThan(9e8)
    expect(two).toBeLessThan(1.1e9)
    expect(eight).toBeLessThan(1.3e9)
  },
  120_000,
)

test('further windows take a gigabyte at most', () => {
  const slotsOf = (maxBindingBytes: number) =>
    Object.fromEntries(
      Object.entries(SHAPES).map(([name, shape]) => [name, gpuSlots(shape, maxBindingBytes)]),
    )
  expect(slotsOf(2 ** 31)).toEqual({
    ...{ toy: 9, base: 9, small: 7, medium: 3, 'large-v3': 2, 'large-v3-turbo': 9 },
  })
  expect(slotsOf(2 ** 27)['large-v3-turbo']).toBe(9)
})

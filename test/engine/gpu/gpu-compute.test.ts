// Every shader in the sizes of every published model, on Dawn's Null backend: it checks shaders, buffers and dispatches like
// any other, and runs nothing. gpu-decoder-numbers.test.ts compares results.

import { describe, expect, test } from 'bun:test'
import { adapterOfDawn, type Gpu, openGpu } from '../../../src/engine/gpu/device.ts'
import { frameAttentionShader } from '../../../src/engine/gpu/encoder-shaders.ts'
import { computeOnGpu, gpuSlots } from '../../../src/engine/gpu/gpu-compute.ts'
import { openKernels } from '../../../wasm/whisper/kernels.ts'
import { dawnModule } from '../../support/dawn.ts'
import { SHAPES } from '../../support/model-files.ts'

const NOTHING = '@compute @workgroup_size(1) fn main() {}'

/** Its workgroups have half of the memory that the encoder's attention needs, so that shader is only compiled. */
const openNull = async (width: number): Promise<Gpu> => {
  const requestAdapter = adapterOfDawn(dawnModule!, ['backend=null'])
  const gpu = await openGpu({ requestAdapter, allowSoftware: true, needed: {} })
  const device = await (await requestAdapter())!.requestDevice()
  const module = device.createShaderModule({ code: frameAttentionShader(width) })
  const { messages } = await module.getCompilationInfo()
  expect(messages.map(({ message }) => message)).toEqual([])
  const bind: Gpu['bind'] = (code, resources) =>
    code === frameAttentionShader(width) ? gpu.bind(NOTHING, []) : gpu.bind(code, resources)
  return { ...gpu, bind }
}

describe.skipIf(!dawnModule)('the Null backend accepts a window and its tokens', () => {
  /** One layer of each half has every shader. */
  for (const [name, shape] of Object.entries(SHAPES)) {
    test(name, async () => {
      const cut = { ...shape, audioLayers: 1, textLayers: 1 }
      const gpu = await openNull(shape.audioWidth)
      const kernels = await openKernels({ threads: 1, scratchBytes: 0 })
      const weights = { shape: cut, typeOf: () => 1, read: () => 0 }
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

test('further windows take half of the memory of the weights, or a gigabyte', () => {
  const slotsOf = (maxBindingBytes: number) =>
    Object.fromEntries(
      Object.entries(SHAPES).map(([name, shape]) => [name, gpuSlots(shape, maxBindingBytes)]),
    )
  expect(slotsOf(2 ** 31)).toEqual({
    ...{ toy: 9, base: 9, small: 7, medium: 3, 'large-v3': 3, 'large-v3-turbo': 9 },
  })
  expect(slotsOf(2 ** 27)['large-v3-turbo']).toBe(9)
})

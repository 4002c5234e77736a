// Which device a model is opened on, with injected adapters: none, software, one that hangs, one that computes nothing.

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adapterOfDawn, type RequestAdapter } from '../../../src/engine/gpu/device.ts'
import type { GpuRequest } from '../../../src/engine/gpu/gpu-request.ts'
import { openOnBestDevice } from '../../../src/engine/gpu/open-on-gpu.ts'
import { readTrials, withdrawTrials } from '../../../src/engine/gpu/trials.ts'
import { createProbeModel } from '../../../src/engine/probe-model.ts'
import { openModel } from '../../../src/engine/whisper/model.ts'
import { dawnModule } from '../../support/dawn.ts'
import { bundledBytes } from '../../support/ggml.ts'
import { until } from '../../support/until.ts'
import { readModel } from '../hearers.ts'

const smallest = createProbeModel()
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dictation-gpu-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

type Options = {
  bytes?: Uint8Array
  use?: GpuRequest['use']
  requestAdapter?: RequestAdapter
  allowSoftware?: boolean
}

/** Opens a model, and closes it again. */
const deviceFor = async ({ bytes = smallest, use = 'gpu', ...adapter }: Options = {}) => {
  const { source, file } = readModel(bytes)
  const { model, device } = await openOnBestDevice({
    ...{ request: { use, folder }, source, file, modelName: 'tiny', ...adapter },
    open: (compute) => openModel({ source, file, threads: 1, compute }),
  })
  await model.close()
  return device
}

const states = async () => Object.values(await readTrials(folder)).map(({ state }) => state)

const adapter = (description: string, more: object = {}) =>
  ({
    info: { description, device: '', architecture: '', vendor: '', isFallbackAdapter: false },
    limits: {
      maxComputeWorkgroupStorageSize: 49_152,
      maxStorageBufferBindingSize: 2 ** 31,
      maxBufferSize: 2 ** 31,
    },
    requestDevice: () => Promise.reject(new Error('the driver has no device')),
    ...more,
  }) as unknown as GPUAdapter

test('the CPU computes if the GPU is off, if a model is small, and without a library', async () => {
  const never: RequestAdapter = () => Promise.reject(new Error('not to be requested'))
  expect(await deviceFor({ use: 'cpu', requestAdapter: never })).toEqual({
    ...{ gpu: null, reason: 'The engine is set to cpu.' },
  })
  expect((await deviceFor({ use: 'auto', requestAdapter: never })).reason).toContain('Small models')
  expect((await deviceFor()).reason).toContain('dictation gpu install')
  expect(await states()).toEqual([])
}, 60_000)

test('the CPU computes if there is no GPU, and nothing is held against it later', async () => {
  const reasonFor = async (requestAdapter: RequestAdapter) => (await deviceFor({ requestAdapter })).reason
  expect(await reasonFor(async () => null)).toContain('no GPU that WebGPU can use')
  for (const name of ['llvmpipe (LLVM 15.0.6)', 'SwiftShader driver 5.0.0', 'Microsoft Basic Render Driver'])
    expect(await reasonFor(async () => adapter(name))).toContain(`${name} is no GPU`)
  const fallback = adapter('Card', { info: { description: 'Card', isFallbackAdapter: true } })
  expect(await reasonFor(async () => fallback)).toContain('Card is no GPU')
  const weak = adapter('Card', { limits: { maxComputeWorkgroupStorageSize: 16_384 } })
  expect(await reasonFor(async () => weak)).toContain('Card has a maxComputeWorkgroupStorageSize below 32768')
  expect(await reasonFor(async () => adapter('Card'))).toBe(
    'The GPU cannot be used: the driver has no device.',
  )
  expect(await states()).toEqual([])
}, 60_000)

test('a driver that ends the process is tried once: the mark is on disk before it is requested', async () => {
  const { promise: never } = Promise.withResolvers<null>()
  let requests = 0
  const hangs: RequestAdapter = () => {
    requests += 1
    return never
  }
  void deviceFor({ requestAdapter: hangs })
  await until(() => requests === 1)
  expect(await states()).toEqual(['trying'])
  // what the next process finds
  const device = await deviceFor({ requestAdapter: hangs })
  expect([device.gpu, requests]).toEqual([null, 1])
  expect(device.reason).toContain('dictation gpu retry')
  // the server itself ended the process, so the GPU is tried again
  await withdrawTrials(folder)
  expect((await deviceFor({ requestAdapter: async () => null })).reason).toContain('no GPU')
}, 60_000)

test.skipIf(!dawnModule)(
  'a GPU that fails its trial is not tried again, but another one is',
  async () => {
    const requestAdapter = adapterOfDawn(dawnModule!, ['backend=null'])
    const limits = { maxComputeWorkgroupStorageSize: 32_768 }
    let name = 'one'
    let devices = 0
    /** Computes nothing, under the name of a card. */
    const nothing: RequestAdapter = async () => {
      const real = (await requestAdapter())!
      const info = { ...adapter(name).info, isFallbackAdapter: false }
      const requestDevice = () => {
        devices += 1
        return real.requestDevice()
      }
      const { maxBufferSize, maxStorageBufferBindingSize } = real.limits
      return adapter(name, {
        info,
        requestDevice,
        limits: { maxBufferSize, maxStorageBufferBindingSize, ...limits },
      })
    }
    const bytes = await bundledBytes()
    const first = await deviceFor({ bytes, requestAdapter: nothing })
    expect([first.gpu, await states()]).toEqual([null, ['failed']])
    expect(first.reason).toContain('The trial on the GPU failed')
    expect(await deviceFor({ bytes, requestAdapter: nothing })).toEqual(first)
    name = 'other'
    expect((await deviceFor({ bytes, requestAdapter: nothing })).reason).toContain(
      'The trial on the GPU failed',
    )
    expect(devices).toBe(3)
  },
  120_000,
)

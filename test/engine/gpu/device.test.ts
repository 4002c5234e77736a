// A GPU that is lost, is given an invalid shader, or reports an error: each ends as a GpuFailure. On Dawn's Null backend.

import { describe, expect, test } from 'bun:test'
import { adapterOfDawn, GpuFailure, openGpu } from '../../../src/engine/gpu/device.ts'
import { PACK_SHADER } from '../../../src/engine/gpu/wgsl.ts'
import { dawnModule } from '../../support/dawn.ts'

/** With the device, to end it from outside. */
const openNull = async () => {
  const opened = Promise.withResolvers<GPUDevice>()
  const gpu = await openGpu({
    async requestAdapter() {
      const adapter = (await adapterOfDawn(dawnModule!, ['backend=null'])())!
      const requestDevice = adapter.requestDevice.bind(adapter)
      adapter.requestDevice = async (descriptor) => {
        const device = await requestDevice(descriptor)
        opened.resolve(device)
        return device
      }
      return adapter
    },
    ...{ allowSoftware: true, needed: {} },
  })
  return { gpu, device: await opened.promise }
}

describe.skipIf(!dawnModule)('a GPU', () => {
  test('whose driver does not answer is given up', async () => {
    const requestAdapter = () => new Promise<null>(() => {})
    await expect(openGpu({ requestAdapter, deadlineMs: 1 })).rejects.toThrow('the driver did not respond')
  })

  test('that is lost fails what waits for it, and everything after', async () => {
    const { gpu, device } = await openNull()
    const buffer = gpu.allocate(64)
    expect((await gpu.read(buffer, 64)).byteLength).toBe(64)
    device.destroy()
    await device.lost
    await expect(gpu.read(buffer, 64)).rejects.toBeInstanceOf(GpuFailure)
    await expect(gpu.finished()).rejects.toThrow('the GPU was lost')
    expect(gpu.check).toThrow(GpuFailure)
  })

  test('rejects an invalid shader with the reason', async () => {
    const { gpu } = await openNull()
    const code = '@compute @workgroup_size(1)\nfn main() { let x: u32 = 1.5; }'
    await expect(gpu.bind(code, [])).rejects.toThrow(/:2:26 error: cannot convert/)
    gpu.close()
  })

  test('that reports an error is not trusted any longer', async () => {
    const { gpu } = await openNull()
    const tooShort = gpu.allocate(16)
    await gpu.bind(PACK_SHADER, [{ buffer: tooShort, offset: 4 }, tooShort])
    await expect(gpu.finished()).rejects.toBeInstanceOf(GpuFailure)
    gpu.close()
  })
})

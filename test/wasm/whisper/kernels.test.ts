// The kernels' memory, and the calls that they reject.

import { afterAll, expect, test } from 'bun:test'
import { KERNEL } from '../../../wasm/whisper/interface.ts'
import { OutOfKernelMemory, openKernels } from '../../../wasm/whisper/kernels.ts'

const kernels = await openKernels({ threads: 2, scratchBytes: 64 })

afterAll(() => kernels.close())

test('zeroes reallocated memory, and does not move memory when it grows', () => {
  const before = kernels.mark()
  const small = kernels.allocate(100)
  kernels.bytes().fill(7, small, small + 100)
  const large = kernels.allocate(5_000_000)
  expect(large % 64).toBe(0)
  expect(kernels.bytes()[small + 99]).toBe(7)
  kernels.release(before)
  const again = kernels.allocate(100)
  expect(again).toBe(small)
  expect(kernels.bytes().subarray(again, again + 100)).toEqual(new Uint8Array(100))
  kernels.release(before)
})

test('rejects more memory than WebAssembly can address, and allocates none of it', () => {
  const before = kernels.mark()
  expect(() => kernels.allocate(5_000_000_000)).toThrow(OutOfKernelMemory)
  expect(kernels.mark()).toBe(before)
})

test('rejects more chunks than its threads can count without a carry', () => {
  const nothing = { at: 0, count: 0, least: 0 }
  expect(() => kernels.run(KERNEL.normalizeMel, 65_500, nothing)).toThrow('65500 chunks')
  expect(kernels.run(KERNEL.normalizeMel, 65_000, nothing)).toBe(0)
})

// The kernels' memory and what they refuse to run.
// What the kernels compute is tested kernel by kernel beside this file.

import { afterAll, expect, test } from 'bun:test'
import { KERNEL } from '../../../wasm/whisper/interface.ts'
import { OutOfKernelMemory, openKernels } from '../../../wasm/whisper/kernels.ts'

const kernels = await openKernels({ threads: 2, scratchBytes: 64 })

afterAll(() => kernels.close())

test('memory that was given back is zero when it is taken again, and never moved by growing', () => {
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

test('refuses more memory than WebAssembly can address, and has all of it left', () => {
  const before = kernels.mark()
  expect(() => kernels.allocate(5_000_000_000)).toThrow(OutOfKernelMemory)
  expect(kernels.mark()).toBe(before)
})

test('refuses more chunks than its threads can count without a carry', () => {
  const nothing = { at: 0, count: 0, least: 0 }
  expect(() => kernels.run(KERNEL.normalizeMel, 65_500, nothing)).toThrow('65500 chunks')
  expect(kernels.run(KERNEL.normalizeMel, 65_000, nothing)).toBe(0)
})

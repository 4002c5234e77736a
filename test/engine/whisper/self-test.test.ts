// The self-test finds kernels that return wrong results.

import { afterAll, expect, test } from 'bun:test'
import { KernelsBroken, testKernels } from '../../../src/engine/whisper/self-test.ts'
import { BLOCK, EXACT_BLOCK, IN_FLOATS } from '../../../wasm/whisper/encoder-kernels.ts'
import { KERNEL } from '../../../wasm/whisper/interface.ts'
import {
  type Kernels,
  MAX_MEMORY_BYTES,
  OutOfKernelMemory,
  openKernels,
} from '../../../wasm/whisper/kernels.ts'

const kernels = await openKernels({ threads: 1, scratchBytes: 65_536 })
afterAll(() => kernels.close())

/** Kernels, one of which writes nothing. */
const without = (broken: number): Kernels => ({
  ...kernels,
  run: (kernel, ...rest) => (kernel === broken ? 0 : kernels.run(kernel, ...rest)),
})

test('accepts correct kernels, and releases its memory', () => {
  const before = kernels.mark()
  for (const finest of [BLOCK, EXACT_BLOCK, IN_FLOATS]) testKernels(kernels, finest)
  expect(kernels.mark()).toBe(before)
})

test('accepts correct kernels at the end of their memory, where the weights of the largest models are', async () => {
  const large = await openKernels({ threads: 2, scratchBytes: 65_536 })
  // memory becomes resident only when it is written
  large.allocate(MAX_MEMORY_BYTES - 1_000_000 - large.mark())
  testKernels(large, IN_FLOATS)
  expect(() => large.allocate(1_000_001)).toThrow(OutOfKernelMemory)
  await large.close()
})

test('rejects kernels with wrong integer products, for every model', () => {
  for (const finest of [BLOCK, EXACT_BLOCK, IN_FLOATS])
    expect(() => testKernels(without(KERNEL.packRows), finest)).toThrow(KernelsBroken)
})

test('rejects kernels with wrong f32 products, for models in f32 only', () => {
  expect(() => testKernels(without(KERNEL.copyRows), IN_FLOATS)).toThrow(KernelsBroken)
  testKernels(without(KERNEL.copyRows), BLOCK)
})

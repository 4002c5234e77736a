// What is tried before speech depends on it: kernels that compute wrongly in one way are found by it.
// The kernels themselves are tested in test/wasm.

import { afterAll, expect, test } from 'bun:test'
import { KernelsBroken, testKernels } from '../../../src/engine/whisper/self-test.ts'
import { BLOCK, EXACT_BLOCK, IN_FLOATS } from '../../../wasm/whisper/encoder-kernels.ts'
import { KERNEL } from '../../../wasm/whisper/interface.ts'
import {
  type Kernels,
  MOST_MEMORY_BYTES,
  OutOfKernelMemory,
  openKernels,
} from '../../../wasm/whisper/kernels.ts'

const kernels = await openKernels({ threads: 1, scratchBytes: 65_536 })
afterAll(() => kernels.close())

/** Kernels of which one writes nothing. */
const without = (broken: number): Kernels => ({
  ...kernels,
  run: (kernel, ...rest) => (kernel === broken ? 0 : kernels.run(kernel, ...rest)),
})

test('kernels that compute rightly pass, and leave no memory taken', () => {
  const before = kernels.mark()
  for (const finest of [BLOCK, EXACT_BLOCK, IN_FLOATS]) testKernels(kernels, finest)
  expect(kernels.mark()).toBe(before)
})

test('kernels compute rightly at the end of their memory, where the weights of the largest models lie', async () => {
  const large = await openKernels({ threads: 2, scratchBytes: 65_536 })
  // nothing of it is resident before it is written
  large.allocate(MOST_MEMORY_BYTES - 1_000_000 - large.mark())
  testKernels(large, IN_FLOATS)
  expect(() => large.allocate(1_000_001)).toThrow(OutOfKernelMemory)
  await large.close()
})

test('refuses kernels that compute wrongly in integers, whatever the model is', () => {
  for (const finest of [BLOCK, EXACT_BLOCK, IN_FLOATS])
    expect(() => testKernels(without(KERNEL.packRows), finest)).toThrow(KernelsBroken)
})

test('refuses kernels that compute wrongly in f32, for a model in f32 alone', () => {
  expect(() => testKernels(without(KERNEL.copyRows), IN_FLOATS)).toThrow(KernelsBroken)
  testKernels(without(KERNEL.copyRows), BLOCK)
})

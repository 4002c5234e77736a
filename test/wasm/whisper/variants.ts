// Runs the kernels on several thread counts and with each tile, which must all give the same bits.

import { expect } from 'bun:test'
import { useTile } from '../../../wasm/whisper/encoder-kernels.ts'
import { TILE } from '../../../wasm/whisper/interface.ts'
import { type Kernels, openKernels } from '../../../wasm/whisper/kernels.ts'

const VARIANTS = [
  { threads: 1, tile: TILE.together },
  { threads: 2, tile: TILE.together },
  { threads: 4, tile: TILE.together },
  { threads: 1, tile: TILE.apart },
  { threads: 2, tile: TILE.apart },
]

/** @returns the result of `run`, after checking that all variants give the same bits; releases its memory */
export type OnAll = (run: (kernels: Kernels) => Float32Array) => Float32Array

export const openVariants = async (scratchBytes: number) => {
  const opened = await Promise.all(
    VARIANTS.map(async ({ threads, tile }) => {
      const kernels = await openKernels({ threads, scratchBytes })
      useTile(kernels, tile)
      return kernels
    }),
  )
  const onAll: OnAll = (run) => {
    const [first, ...others] = opened.map((kernels) => {
      const before = kernels.mark()
      const result = run(kernels)
      kernels.release(before)
      return result
    })
    for (const other of others) expect(new Uint32Array(other.buffer)).toEqual(new Uint32Array(first!.buffer))
    return first!
  }
  const close = async () => {
    for (const kernels of opened) await kernels.close()
  }
  return { opened, onAll, close }
}

/** Roughly normally distributed numbers, the same in every run. */
export const normals = (count: number, seed: number): Float32Array => {
  let state = seed
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state + 0.5) / 2 ** 32
  }
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
  return Float32Array.from({ length: count }, normal)
}

/** @returns byte of the numbers in the kernels' memory */
export const put = (kernels: Kernels, numbers: ArrayLike<number>): number => {
  const at = kernels.allocate(numbers.length * 4)
  kernels.floats().set(numbers, at / 4)
  return at
}

export const take = (kernels: Kernels, at: number, count: number): Float32Array =>
  kernels.floats().slice(at / 4, at / 4 + count)

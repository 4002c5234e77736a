// Wraps the kernels to record when each ran and for how long, without the model's knowledge.

import { KERNEL } from '../../../wasm/whisper/interface.ts'
import { type Kernels, openKernels } from '../../../wasm/whisper/kernels.ts'

export type KernelName = keyof typeof KERNEL

export type KernelRun = { kernel: KernelName; startedAt: number; endedAt: number }

const NAMES = new Map(Object.entries(KERNEL).map(([name, number]) => [number as number, name as KernelName]))

/** @returns the wrapped `openKernels`, and a function that returns the runs since its last call */
export const watchKernels = () => {
  let runs: KernelRun[] = []
  const open: typeof openKernels = async (options): Promise<Kernels> => {
    const kernels = await openKernels(options)
    return {
      ...kernels,
      run(kernel, chunks, values) {
        const startedAt = performance.now()
        const result = kernels.run(kernel, chunks, values)
        runs.push({ kernel: NAMES.get(kernel)!, startedAt, endedAt: performance.now() })
        return result
      },
    }
  }
  const takeRuns = () => {
    const taken = runs
    runs = []
    return taken
  }
  return { open, takeRuns }
}

// Kernels that tell when they ran and for how long, without the model knowing.
// What the times stand for is ours.ts and kernels.ts.

import { KERNEL } from '../../../wasm/whisper/interface.ts'
import { type Kernels, openKernels } from '../../../wasm/whisper/kernels.ts'

export type KernelName = keyof typeof KERNEL

export type KernelRun = { kernel: KernelName; startedAt: number; endedAt: number }

const NAMES = new Map(Object.entries(KERNEL).map(([name, number]) => [number as number, name as KernelName]))

/** @returns what opens the kernels, and the runs since it was asked last */
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

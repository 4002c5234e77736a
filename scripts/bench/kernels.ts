// For each kernel in a window of speech: its time, its rate and its limiting resource.

import { openBytes } from '../../src/engine/bytes-on-disk.ts'
import { readGgmlFile } from '../../src/engine/ggml-file.ts'
import type { WhisperShape } from '../../src/engine/whisper-tensors.ts'
import { ENCODER_PRODUCTS, KERNEL_USES, type KernelUse, type Work } from './engine/kernel-uses.ts'
import { openOurs } from './engine/ours.ts'
import { measurePeak } from './engine/peak.ts'
import type { Case } from './engine/peer.ts'
import type { KernelRun } from './engine/watch-kernels.ts'
import { milliseconds, type Row } from './table.ts'

type Measured = Work & { use: KernelUse; calls: number; ms: number }

export type MeasuredKernels = {
  title: string
  /** operations per second */
  peak: number
  /** all of them together */
  kernelsMs: number
  uses: Measured[]
}

const PASSES = 9

const shapeOf = (path: string): WhisperShape => {
  using source = openBytes(path)
  const file = readGgmlFile(source)
  if (!file.ok) throw new Error(file.failure.message)
  return file.value.shape
}

const msOf = ({ startedAt, endedAt }: KernelRun) => endedAt - startedAt

/** Every run makes the same calls, so each call's minimum time is used: the rest is caused by other programs. */
const minMs = (passes: KernelRun[][]): number => {
  const [first = [], ...others] = passes
  if (others.some(({ length }) => length !== first.length)) throw new Error('passes of one clip differ')
  return first.reduce((sum, _, call) => sum + Math.min(...passes.map((runs) => msOf(runs[call]!))), 0)
}

const measureUse = (use: KernelUse, passes: KernelRun[][], shape: WhisperShape): Measured => {
  const runs = passes.map(use.runs)
  const tokens = passes[0]!.filter(({ kernel }) => kernel === 'embed').length
  return { use, calls: runs[0]!.length, ms: minMs(runs), ...use.work?.(shape, tokens) }
}

/** With the full window. */
export const measureKernels = async (options: Case & { title: string }): Promise<MeasuredKernels> => {
  const shape = shapeOf(options.model.path)
  const ours = await openOurs(options, { trim: false })
  const passes: KernelRun[][] = []
  for (let pass = 0; pass < PASSES; pass += 1) {
    await ours.transcribe()
    passes.push(ours.runs())
  }
  await ours.close()
  return {
    title: options.title,
    peak: await measurePeak(),
    kernelsMs: minMs(passes),
    uses: KERNEL_USES.map((use) => measureUse(use, passes, shape)).filter(({ calls }) => calls > 0),
  }
}

const gops = (perSecond: number) => `${(perSecond / 1e9).toFixed(1)} Gop/s`
const gigabytes = (perSecond: number) => `${(perSecond / 1e9).toFixed(1)} GB/s`
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`

const ratesOf = ({ operations, bytes, ms }: Measured) => {
  const rates = []
  if (operations) rates.push(gops((1000 * operations) / ms))
  if (bytes) rates.push(gigabytes((1000 * bytes) / ms))
  return rates.join(', ')
}

const rowOf = (measured: Measured, { kernelsMs, peak }: MeasuredKernels) => {
  const { use, calls, ms, operations } = measured
  return {
    kernel: use.name,
    calls: `${calls}`,
    time: milliseconds(ms),
    share: percent(ms, kernelsMs),
    rate: ratesOf(measured),
    'of the peak': operations ? percent((1000 * operations) / ms, peak) : '',
    'bound by': use.boundBy,
  }
}

export const kernelFigures = (measured: MeasuredKernels) => {
  const { title, peak, kernelsMs, uses } = measured
  return {
    how: `The time of each kernel on one thread (${title}), ${milliseconds(kernelsMs)} in total: the minimum of each call over ${PASSES} passes, because only other programs can make a kernel wait. A product or a sum is an operation; bytes are those of f32 and packed numbers, read and written. The peak is ${gops(peak)}: the encoder's innermost product with operands in the L1 cache.`,
    rows: uses.map((use) => rowOf(use, measured)),
  }
}

/** For the products with weights, without attention. */
export const shareOfPeak = ({ peak, uses, title }: MeasuredKernels): Row => {
  const { operations, ms } = uses.find(({ use }) => use.name === ENCODER_PRODUCTS)!
  const rate = (1000 * operations!) / ms
  return {
    what: `${title}, 1 thread: encoder products, share of the kernel peak`,
    value: percent(rate, peak),
    goal: '≥ 60 %',
    note: `${gops(rate)} of ${gops(peak)}`,
  }
}

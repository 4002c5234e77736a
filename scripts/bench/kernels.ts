// What each kernel does in a window of speech: how long it takes, how fast it is, and what bounds it.
// What the kernels are used for is engine/kernel-uses.ts; how the engine is watched is engine/ours.ts.

import { openBytes } from '../../src/engine/bytes-on-disk.ts'
import { readGgmlFile } from '../../src/engine/ggml-file.ts'
import type { WhisperShape } from '../../src/engine/whisper-tensors.ts'
import { ENCODER_PRODUCTS, KERNEL_USES, type KernelUse, type Work } from './engine/kernel-uses.ts'
import { openOurs } from './engine/ours.ts'
import { measurePeak } from './engine/peak.ts'
import type { Case } from './engine/peer.ts'
import type { KernelRun } from './engine/watch-kernels.ts'
import { markdownTable } from './report.ts'
import { milliseconds, type Row } from './table.ts'

type Measured = Work & { use: KernelUse; calls: number; ms: number }

export type MeasuredKernels = {
  title: string
  /** operations in a second */
  peak: number
  windowMs: number
  uses: Measured[]
}

const HEARINGS = 9

const shapeOf = (path: string): WhisperShape => {
  using source = openBytes(path)
  const file = readGgmlFile(source)
  if (!file.ok) throw new Error(file.failure.message)
  return file.value.shape
}

const measureUse = (use: KernelUse, all: KernelRun[], shape: WhisperShape): Measured => {
  const runs = use.runs(all)
  const tokens = all.filter(({ kernel }) => kernel === 'embed').length
  const ms = runs.reduce((sum, { startedAt, endedAt }) => sum + endedAt - startedAt, 0)
  return { use, calls: runs.length, ms, ...use.work?.(shape, tokens) }
}

/** Of several hearings through the full window each use's least time: what another program took is not the kernel's. */
export const measureKernels = async (asked: Case & { title: string }): Promise<MeasuredKernels> => {
  const shape = shapeOf(asked.model.path)
  const ours = await openOurs(asked, { trim: false })
  const hearings: { ms: number; uses: Measured[] }[] = []
  for (let hearing = 0; hearing < HEARINGS; hearing += 1) {
    const { ms } = await ours.hear()
    hearings.push({ ms, uses: KERNEL_USES.map((use) => measureUse(use, ours.runs(), shape)) })
  }
  await ours.close()
  const least = (value: (hearing: (typeof hearings)[number]) => number) => Math.min(...hearings.map(value))
  return {
    title: asked.title,
    peak: await measurePeak(),
    windowMs: least(({ ms }) => ms),
    uses: hearings[0]!.uses
      .map((measured, index) => ({ ...measured, ms: least(({ uses }) => uses[index]!.ms) }))
      .filter(({ calls }) => calls > 0),
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

const lineOf = (measured: Measured, { windowMs, peak }: MeasuredKernels): string[] => {
  const { use, calls, ms, operations } = measured
  const share = operations ? percent((1000 * operations) / ms, peak) : ''
  return [
    use.name,
    `${calls}`,
    milliseconds(ms),
    percent(ms, windowMs),
    ratesOf(measured),
    share,
    use.boundBy,
  ]
}

export const kernelTable = (measured: MeasuredKernels) => {
  const { title, peak, windowMs, uses } = measured
  return {
    how: `What each kernel takes on one thread of a window of ${title}, ${milliseconds(windowMs)} in all: the least of ${HEARINGS} hearings, since a kernel waits for nothing but other programs. A product or a sum is an operation, bytes are those of f32 and packed numbers read and written. The peak is ${gops(peak)}: the encoder's innermost product with operands that stay in the first cache.`,
    table: markdownTable(
      ['kernel', 'calls', 'time', 'share', 'rate', 'of the peak', 'bound by'],
      uses.map((use) => lineOf(use, measured)),
    ),
  }
}

/** Of the products with weights, without attention. */
export const shareOfPeak = ({ peak, uses, title }: MeasuredKernels): Row => {
  const { operations, ms } = uses.find(({ use }) => use.name === ENCODER_PRODUCTS)!
  const rate = (1000 * operations!) / ms
  return {
    what: `${title}, 1 thread: encoder products, share of the kernel peak`,
    value: percent(rate, peak),
    note: `goal ≥ 60 %; ${gops(rate)} of ${gops(peak)}`,
  }
}

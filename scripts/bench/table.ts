// Table rows and number formats of the reports.

import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os'

/** `goal`: a limit such as `≤ 0.6 s` or `≥ 1.3`, in the unit of the value */
export type Row = { what: string; value: string; goal?: string; note?: string }
export type Measure = (options: { rounds: number; short: boolean }) => Promise<Row[]>

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The smallest value that at least this share of the values does not exceed; 0 for no values. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? 0
}

export const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
export const milliseconds = (ms: number) => `${ms.toFixed(1)} ms`
export const mebibytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`
/** The row as one line of the terminal. */
export const lineOf = ({ what, value, goal, note }: Row): string => {
  const remarks = [...(goal ? [`goal ${goal}`] : []), ...(note ? [note] : [])].join('; ')
  return `${what}: ${value}${remarks === '' ? '' : ` (${remarks})`}`
}

export const ratio = (one: number, other: number) => (one / other).toFixed(2)

export async function machine(): Promise<string> {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  const memory = Math.round(totalmem() / 1024 ** 3)
  return `${platform()} ${arch()}, ${availableParallelism()} × ${model}, ${memory} GiB, Bun ${Bun.version}`
}

/** The resident memory of a process in bytes, as ps reports it on Linux and macOS. */
export function residentBytes(pid: number): number {
  return Number(Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(pid)]).stdout.toString()) * 1024
}

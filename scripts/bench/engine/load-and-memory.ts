// The time to load a model into a new process, and the memory of the process beyond the packed weights. Each
// measurement has its own process (memory-fixture.ts).

import { openBytes } from '../../../src/engine/bytes-on-disk.ts'
import type { ModelFile } from '../../../src/engine/engine.ts'
import { readGgmlFile } from '../../../src/engine/ggml-file.ts'
import { weightBytes } from '../../../src/engine/whisper/memory.ts'
import { mebibytes, median, milliseconds, type Row, seconds } from '../table.ts'
import type { Grown } from './memory-fixture.ts'

const FIXTURE = Bun.fileURLToPath(new URL('./memory-fixture.ts', import.meta.url))

const growthOf = async (model: ModelFile): Promise<Grown> => {
  const child = Bun.spawn([process.execPath, FIXTURE, model.path, 'human-1', '2'], { stderr: 'inherit' })
  const printed = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('the process that loads a model failed')
  return JSON.parse(printed)
}

/** The size of the weights in the kernels' memory. */
const packedBytes = (model: ModelFile): number => {
  using source = openBytes(model.path)
  const file = readGgmlFile(source)
  if (!file.ok) throw new Error(file.failure.message)
  return weightBytes(file.value)
}

export type Limits = { what: string; model: ModelFile; rounds: number; maxMs?: number; maxMib?: number }

/** The first process does not count: the file may not be in the page cache. */
export const measureLoadAndMemory = async (limits: Limits): Promise<Row[]> => {
  const { what, model, rounds, maxMs, maxMib } = limits
  const packed = packedBytes(model)
  const grown: Grown[] = []
  for (let round = 0; round <= rounds; round += 1) grown.push(await growthOf(model))
  const warm = grown.slice(1)
  const rows: Row[] = []
  if (maxMs !== undefined) {
    rows.push({
      what: `${what}: loading`,
      value: milliseconds(median(warm.map((one) => one.loadMs))),
      goal: `≤ ${maxMs} ms`,
      note: "reading and packing in a new process, 2 threads, the file in the system's cache",
    })
  }
  if (maxMib !== undefined) {
    const [loaded, results] = [warm.map((one) => one.loadedBytes), warm.map((one) => one.usedBytes)].map(
      median,
    )
    rows.push({
      what: `${what}: memory beyond the weights`,
      value: mebibytes(results! - packed),
      goal: `≤ ${maxMib} MiB`,
      note: `resident memory after a full window less that before loading (${mebibytes(results!)}; ${mebibytes(loaded!)} when loaded) less ${mebibytes(packed)} of packed weights`,
    })
  }
  return rows
}

/** For a model so large that its figures only serve users who consider it: there are no goals. */
export const measureLarge = async (what: string, model: ModelFile, rounds: number): Promise<Row[]> => {
  const packed = packedBytes(model)
  const grown: Grown[] = []
  for (let round = 0; round < rounds; round += 1) grown.push(await growthOf(model))
  const middle = (of: (one: Grown) => number) => median(grown.map(of))
  const usedBytes = middle((one) => one.usedBytes)
  const beyond = `of ${mebibytes(usedBytes)}, less ${mebibytes(packed)} of packed weights`
  return [
    { what: `${what}: loading`, value: seconds(middle(({ loadMs }) => loadMs)), note: 'into a new process' },
    { what: `${what}: 11 s clip`, value: seconds(middle(({ ms }) => ms)), note: 'full window, 30 words' },
    { what: `${what}: its encoder`, value: seconds(middle(({ encodeMs = 0 }) => encodeMs)) },
    { what: `${what}: a token`, value: milliseconds(middle(({ tokenMs = 0 }) => tokenMs)) },
    { what: `${what}: memory beyond the weights`, value: mebibytes(usedBytes - packed), note: beyond },
  ]
}

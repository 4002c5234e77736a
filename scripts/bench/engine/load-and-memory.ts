// How long a model takes to load into a new process, and what the process holds beyond the packed weights.
// Each is measured in processes of their own, which is what memory-fixture.ts is for.

import { openBytes } from '../../../src/engine/bytes-on-disk.ts'
import type { ModelFile } from '../../../src/engine/engine.ts'
import { readGgmlFile } from '../../../src/engine/ggml-file.ts'
import { packDecoder } from '../../../src/engine/whisper/decoder-weights.ts'
import { packEncoder } from '../../../src/engine/whisper/encoder-weights.ts'
import { createWeights } from '../../../src/engine/whisper/weights.ts'
import { openKernels } from '../../../wasm/whisper/kernels.ts'
import { TOKEN_SCRATCH_BYTES } from '../../../wasm/whisper/token-kernels.ts'
import { mebibytes, median, milliseconds, type Row } from '../table.ts'

type Grown = { loadedBytes: number; heardBytes: number; loadMs: number }

const FIXTURE = Bun.fileURLToPath(new URL('./memory-fixture.ts', import.meta.url))

const growthOf = async (model: ModelFile): Promise<Grown> => {
  const child = Bun.spawn([process.execPath, FIXTURE, model.path, 'human-1', '2'], { stderr: 'inherit' })
  const printed = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('the process that loads a model failed')
  return JSON.parse(printed)
}

/** What the weights alone take in the kernels' memory. */
const packedBytes = async (model: ModelFile): Promise<number> => {
  using source = openBytes(model.path)
  const file = readGgmlFile(source)
  if (!file.ok) throw new Error(file.failure.message)
  const kernels = await openKernels({ threads: 1, scratchBytes: TOKEN_SCRATCH_BYTES })
  const weights = createWeights({ kernels, source, file: file.value })
  const before = kernels.mark()
  packEncoder({ kernels, weights })
  packDecoder(kernels, weights)
  const packed = kernels.mark() - before
  await kernels.close()
  return packed
}

export type Limits = { what: string; model: ModelFile; rounds: number; mostMs?: number; mostMib?: number }

/** The first process finds the file in no cache, perhaps, so it does not count. */
export const measureLoadAndMemory = async (limits: Limits): Promise<Row[]> => {
  const { what, model, rounds, mostMs, mostMib } = limits
  const packed = await packedBytes(model)
  const grown: Grown[] = []
  for (let round = 0; round <= rounds; round += 1) grown.push(await growthOf(model))
  const warm = grown.slice(1)
  const rows: Row[] = []
  if (mostMs !== undefined) {
    const note = `goal ≤ ${mostMs} ms; reading and packing in a new process, 2 threads, the file in the system's cache`
    rows.push({ what: `${what}: loading`, value: milliseconds(median(warm.map((one) => one.loadMs))), note })
  }
  if (mostMib !== undefined) {
    const [loaded, heard] = [warm.map((one) => one.loadedBytes), warm.map((one) => one.heardBytes)].map(
      median,
    )
    rows.push({
      what: `${what}: memory beyond the weights`,
      value: mebibytes(heard! - packed),
      note: `goal ≤ ${mostMib} MB; resident memory after a full window less that before loading (${mebibytes(heard!)}; ${mebibytes(loaded!)} when loaded) less ${mebibytes(packed)} of packed weights`,
    })
  }
  return rows
}

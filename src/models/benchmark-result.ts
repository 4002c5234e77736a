// The measured speed of the bundled default model on this computer, stored in the data folder.

import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { EngineInfo } from '../engine/engine.ts'
import { writeFileDurably } from '../lib/durable.ts'
import { BUNDLED_MODELS, CATALOGUE } from './catalogue.ts'

export const BENCHMARK_FILE = 'model-speed.json'

/** The only model worth measuring: the other bundled one is faster. */
export const MEASURED_MODEL = CATALOGUE.find(({ name }) => name === BUNDLED_MODELS[0])!

/**
 * Seconds of work per second of speech. Above 1 the user waits longer than they spoke. At 150 spoken and 45 typed words a
 * minute, dictation is slower than typing from 2.3 on, on an otherwise idle computer.
 */
export const MAX_REAL_TIME_FACTOR = 1

/** A slow result is measured again up to this often: the computer may have been busy. */
export const MAX_MEASUREMENTS = 5

/** A measurement is valid only for these. */
const Circumstances = {
  /** SHA-256 */
  model: Type.String(),
  engine: Type.String(),
  threads: Type.Integer(),
  processor: Type.String(),
}

const Stored = Type.Object({
  ...Circumstances,
  /** the lowest that was measured */
  realTimeFactor: Type.Number({ minimum: 0 }),
  measurements: Type.Integer({ minimum: 1 }),
})

type Measured = Pick<Static<typeof Stored>, 'realTimeFactor' | 'measurements'>

export type BenchmarkResult = {
  /** null if not measured under these circumstances */
  current(): Measured | null
  isTooSlow(model: string): boolean
  needsMeasurement(): boolean
  /** takes effect at once and is durable once resolved. @throws file system errors */
  record(realTimeFactor: number): Promise<void>
}

export async function openBenchmarkResult({
  dataFolder,
  engine,
  threads,
  processor = processorHere(),
}: {
  dataFolder: string
  engine: Pick<EngineInfo, 'name' | 'version'>
  threads: number
  processor?: string
}): Promise<BenchmarkResult> {
  const path = join(dataFolder, BENCHMARK_FILE)
  const circumstances = {
    model: MEASURED_MODEL.sha256,
    engine: `${engine.name} ${engine.version}`,
    threads,
    processor,
  }
  let measured = await read(path, circumstances)
  const isSlow = () => measured !== null && measured.realTimeFactor > MAX_REAL_TIME_FACTOR

  return {
    current: () => measured,
    isTooSlow: (model) => model === MEASURED_MODEL.name && isSlow(),
    needsMeasurement: () => measured === null || (isSlow() && measured.measurements < MAX_MEASUREMENTS),
    async record(realTimeFactor) {
      measured = {
        realTimeFactor: Math.min(realTimeFactor, measured?.realTimeFactor ?? realTimeFactor),
        measurements: (measured?.measurements ?? 0) + 1,
      }
      await writeFileDurably(path, `${JSON.stringify({ ...circumstances, ...measured }, null, 2)}\n`)
    },
  }
}

/** Detects that the data folder was moved to another computer. */
function processorHere(): string {
  const all = cpus()
  return `${all.length} × ${all[0]?.model ?? 'unknown'}`
}

/** Null without a readable result for the same circumstances; the caller then measures again. */
async function read(path: string, circumstances: Record<string, unknown>): Promise<Measured | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (!Value.Check(Stored, value)) return null
    const { realTimeFactor, measurements, ...under } = Value.Clean(Stored, value) as Static<typeof Stored>
    return Bun.deepEquals(under, circumstances) ? { realTimeFactor, measurements } : null
  } catch {
    return null
  }
}

// How fast the first of the bundled models hears on this computer, as it was measured here, and whether that is too slow.
// Kept in a file of the data folder; measuring is self-test.ts, and what follows for the choice preference-order.ts.

import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { EngineInfo } from '../engine/engine.ts'
import { writeFileDurably } from '../lib/durable.ts'
import { BUNDLED_MODELS, CATALOGUE } from './catalogue.ts'

export const SPEED_FILE = 'model-speed.json'

/** The one that is worth measuring: there is another one in the box that takes less. */
export const MEASURED_MODEL = CATALOGUE.find(({ name }) => name === BUNDLED_MODELS[0])!

/**
 * Seconds of work for a second of speech. Whoever waits for a text longer than they spoke for it begins to be slower than
 * by typing: 150 words are spoken, but 45 typed in a minute, so that all is lost at 2.3, on a computer that does nothing else.
 */
export const MOST_REAL_TIME_FACTOR = 1

/** So many times a computer that was too slow is given the benefit of the doubt: it may have been busy. */
export const MOST_MEASUREMENTS = 5

/** Whatever else is true of a measurement, of another of these it says nothing. */
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

export type SpeedRecord = {
  /** null where it was not measured under these circumstances */
  current(): Measured | null
  isTooSlow(model: string): boolean
  wantsMeasuring(): boolean
  /** counts at once, and is durable when it resolves. @throws what the file system throws */
  note(realTimeFactor: number): Promise<void>
}

export async function openSpeedRecord({
  dataFolder,
  engine,
  threads,
  processor = processorHere(),
}: {
  dataFolder: string
  engine: Pick<EngineInfo, 'name' | 'version'>
  threads: number
  processor?: string
}): Promise<SpeedRecord> {
  const path = join(dataFolder, SPEED_FILE)
  const circumstances = {
    model: MEASURED_MODEL.sha256,
    engine: `${engine.name} ${engine.version}`,
    threads,
    processor,
  }
  let measured = await read(path, circumstances)
  const isSlow = () => measured !== null && measured.realTimeFactor > MOST_REAL_TIME_FACTOR

  return {
    current: () => measured,
    isTooSlow: (model) => model === MEASURED_MODEL.name && isSlow(),
    wantsMeasuring: () => measured === null || (isSlow() && measured.measurements < MOST_MEASUREMENTS),
    async note(realTimeFactor) {
      measured = {
        realTimeFactor: Math.min(realTimeFactor, measured?.realTimeFactor ?? realTimeFactor),
        measurements: (measured?.measurements ?? 0) + 1,
      }
      await writeFileDurably(path, `${JSON.stringify({ ...circumstances, ...measured }, null, 2)}\n`)
    },
  }
}

/** What tells a computer from the one that the data folder was moved from. */
function processorHere(): string {
  const all = cpus()
  return `${all.length} × ${all[0]?.model ?? 'unknown'}`
}

/** Null where nothing can be read that was measured under the same circumstances: then it is measured again. */
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

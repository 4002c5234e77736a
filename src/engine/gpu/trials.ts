// The results of GPU trials on this computer, in a file. Before a model is loaded there, `trying` is written and
// synced: a driver that ends the process, or the computer, is then found in that state and not tried again.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { makeFolder, removeDurably, writeFileDurably } from '../../lib/durable.ts'

const Outcome = Type.Object({
  state: Type.Union([Type.Literal('passed'), Type.Literal('failed')]),
  model: Type.String(),
  /** what the GPU reported about itself; another one is tried again */
  adapter: Type.Array(Type.String()),
  /** for people */
  reason: Type.String(),
})

const Stored = Type.Record(
  Type.String(),
  Type.Union([
    Outcome,
    Type.Object({
      state: Type.Literal('trying'),
      model: Type.String(),
      previous: Type.Union([Outcome, Type.Null()]),
    }),
  ]),
)

export type TrialOutcome = Static<typeof Outcome>
export type Trial = Static<typeof Stored>[string]

const TRIALS_FILE = 'trials.json'

const pathIn = (gpuFolder: string) => join(gpuFolder, TRIALS_FILE)

/** By model and system. An unreadable file counts as empty. */
export async function readTrials(gpuFolder: string): Promise<Record<string, Trial>> {
  try {
    const value: unknown = JSON.parse(await readFile(pathIn(gpuFolder), 'utf8'))
    return Value.Check(Stored, value) ? value : {}
  } catch {
    return {}
  }
}

const writeTrials = async (gpuFolder: string, trials: Record<string, Trial>) => {
  await makeFolder(gpuFolder)
  await writeFileDurably(pathIn(gpuFolder), `${JSON.stringify(trials, null, 2)}\n`)
}

/** Durable once resolved. @param trial null forgets it */
export async function noteTrial(gpuFolder: string, key: string, trial: Trial | null): Promise<void> {
  const { [key]: _, ...others } = await readTrials(gpuFolder)
  await writeTrials(gpuFolder, trial ? { ...others, [key]: trial } : others)
}

/** After the server itself has ended a process that was loading a model: the GPU is not to blame. */
export async function withdrawTrials(gpuFolder: string): Promise<void> {
  const trials = Object.entries(await readTrials(gpuFolder))
  if (trials.every(([, { state }]) => state !== 'trying')) return
  const kept = trials.flatMap(([key, trial]): [string, Trial][] => {
    if (trial.state !== 'trying') return [[key, trial]]
    return trial.previous ? [[key, trial.previous]] : []
  })
  await writeTrials(gpuFolder, Object.fromEntries(kept))
}

/** Every model is tried again. */
export async function forgetTrials(gpuFolder: string): Promise<void> {
  const path = pathIn(gpuFolder)
  if (existsSync(path)) await removeDurably(path)
}

// Runs the scenario on a server under strace, and returns the recording.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestFolder } from '../support/database.ts'
import { startServer } from '../support/server.ts'
import { callsOfFirstProcess, readCalls, recordingTo } from '../support/system-calls.ts'
import { until } from '../support/until.ts'
import { createModelDisk, type Snapshot } from './model-disk.ts'
import { type Replay, replayOf } from './replay.ts'
import { type Acknowledgement, playScenario } from './scenario.ts'

export type RecordedRun = Replay & { acknowledged: Acknowledgement[]; before: Snapshot }

/** Large, and recreated by every start. */
const LEFT_OUT = ['ballast']

export async function recordRun(folder: string): Promise<RecordedRun> {
  const recording = join(folder, 'system-calls')
  await using test = await createTestFolder()
  const { dataFolder } = test
  await using once = await startServer({ dataFolder })
  await once.stop()
  const before = await snapshotOf(dataFolder)
  const server = await startServer({ dataFolder, within: recordingTo(recording) })
  const { acknowledged, answers } = await playScenario(server.url)
  // Stop, not kill: a kill would leave calls without a recorded result.
  await server.stop()
  const text = await until(() => wholeRecording(recording, server.pid), {
    timeoutMs: 60_000,
    what: 'strace to end',
  })
  const replay = replayOf(callsOfFirstProcess(readCalls(text)), dataFolder)
  if (replay.answers.length !== answers)
    throw new Error(`the client read ${answers} responses, but the recording has ${replay.answers.length}`)
  await compareWithDisk(replay, before, dataFolder)
  return { ...replay, acknowledged, before }
}

/** strace reports the exit of the process last; its children may end later. */
async function wholeRecording(path: string, pid: number): Promise<string | null> {
  const text = await readFile(path, 'latin1')
  return new RegExp(`^${pid} +\\+\\+\\+ exited`, 'm').test(text) ? text : null
}

/** The model is valid only if it ends in the state of the real disk. */
async function compareWithDisk({ steps }: Replay, before: Snapshot, dataFolder: string): Promise<void> {
  const disk = createModelDisk(before)
  for (const step of steps) step.apply(disk)
  const [modelled, real] = [disk.live(), await snapshotOf(dataFolder)]
  const names = [...new Set([...modelled.keys(), ...real.keys()])].filter((name) => !LEFT_OUT.includes(name))
  const wrong = names.filter((name) => !Bun.deepEquals(modelled.get(name), real.get(name)))
  if (wrong.length > 0) throw new Error(`the model disk differs from the real one in ${wrong.join(', ')}`)
}

async function snapshotOf(folder: string): Promise<Snapshot> {
  const snapshot: Snapshot = new Map()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(folder.length + 1)
    if (LEFT_OUT.includes(name)) continue
    if (entry.isDirectory()) snapshot.set(`${name}/`, new Uint8Array())
    else snapshot.set(name, await readFile(path))
  }
  return snapshot
}

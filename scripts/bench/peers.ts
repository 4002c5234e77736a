// The same eleven seconds of a human voice by the server, by the raw engine and by native whisper.cpp,
// in turn within each round, so that a drifting machine hits all of them alike.

import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { createEngine } from '../../src/engine/create-engine.ts'
import { samplesOf } from '../../test/support/flac.ts'
import { startServer } from '../../test/support/server.ts'
import { formOf, recordingFile } from '../../test/support/speech.ts'
import { type Measure, median, ratio, seconds } from './table.ts'

const CLIP = 'human-1.flac'
const MODEL = resolve(import.meta.dir, '../../src/models/ggml-tiny.en-q5_1.bin')
const threads = Math.min(8, availableParallelism())

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Whole process, model load included: that is how a person runs it. */
async function native(cli: string): Promise<void> {
  const clip = recordingFile(CLIP).name!
  const child = Bun.spawn(
    [cli, '-m', MODEL, '-f', clip, '-t', String(threads), '-bo', '1', '-bs', '1', '-nt', '-np'],
    {
      stdout: 'ignore',
      stderr: 'ignore',
    },
  )
  if ((await child.exited) !== 0) throw new Error(`${cli} ended with ${child.exitCode}`)
}

export const measurePeers: Measure = async ({ rounds }) => {
  const cli = process.env.WHISPER_CLI ?? Bun.which('whisper-cli')
  await using server = await startServer()
  const engine = createEngine({ choice: 'auto', threads, idleUnloadMs: () => 600_000 })
  const samples = await samplesOf(CLIP)
  const model = { name: 'tiny.en-q5_1', path: MODEL, bytes: Bun.file(MODEL).size, multilingual: false }

  const byServer = async () => {
    const response = await fetch(`${server.url}/transcribe`, { method: 'POST', body: await formOf(CLIP) })
    if (response.status !== 200) throw new Error(`server: ${response.status}`)
    await response.json()
  }
  const byEngine = async () => {
    const signal = new AbortController().signal
    const answer = await engine.transcribe({
      model,
      samples,
      language: 'en',
      task: 'transcribe',
      prompt: null,
      signal,
    })
    if (!answer.ok) throw new Error(`engine: ${answer.failure.message}`)
  }
  await byServer()
  await byEngine()
  const times = { server: [] as number[], engine: [] as number[], native: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.server.push(await timed(byServer))
    times.engine.push(await timed(byEngine))
    if (cli) times.native.push(await timed(() => native(cli)))
  }
  await engine.close()

  const [ours, raw] = [median(times.server), median(times.engine)]
  const rows = [
    { what: `${CLIP} (11 s), server`, value: seconds(ours), note: `${threads} threads, tiny.en q5_1` },
    { what: `${CLIP}, raw engine (${engine.info().name} ${engine.info().version})`, value: seconds(raw) },
    { what: 'server ÷ raw engine', value: ratio(ours, raw) },
    { what: 'server, real-time factor', value: ratio(ours, 11_000) },
  ]
  if (!cli)
    return [...rows, { what: 'native whisper.cpp', value: 'not measured', note: 'give WHISPER_CLI=path' }]
  const theirs = median(times.native)
  return [
    ...rows,
    {
      what: `${CLIP}, native whisper.cpp, whole process`,
      value: seconds(theirs),
      note: `${threads} threads, greedy`,
    },
    { what: 'server ÷ native whisper.cpp', value: ratio(ours, theirs) },
  ]
}

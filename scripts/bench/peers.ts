// The same eleven seconds of a human voice by the server, by the raw engine and by native whisper.cpp,
// in turn within each round, so that a drifting machine hits all of them alike.

import { createEngine } from '../../src/engine/create-engine.ts'
import { samplesOf } from '../../test/support/flac.ts'
import { bundledModel } from '../../test/support/ggml.ts'
import { startServer } from '../../test/support/server.ts'
import { byNative, byServer, nativeCli, THREADS, timed } from './hearers.ts'
import { type Measure, median, ratio, seconds } from './table.ts'

const CLIP = 'human-1.flac'
const GREEDY = ['-bo', '1', '-bs', '1', '-nt']

export const measurePeers: Measure = async ({ rounds }) => {
  const cli = nativeCli()
  await using server = await startServer()
  const engine = createEngine({ choice: 'auto', threads: THREADS, idleUnloadMs: () => 600_000 })
  const samples = await samplesOf(CLIP)

  const byEngine = async () => {
    const signal = new AbortController().signal
    const answer = await engine.transcribe({
      model: bundledModel,
      samples,
      language: 'en',
      task: 'transcribe',
      prompt: null,
      signal,
    })
    if (!answer.ok) throw new Error(`engine: ${answer.failure.message}`)
  }
  await byServer(server, CLIP)
  await byEngine()
  const times = { server: [] as number[], engine: [] as number[], native: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.server.push(await timed(() => byServer(server, CLIP)))
    times.engine.push(await timed(byEngine))
    if (cli) times.native.push(await timed(() => byNative(cli, CLIP, GREEDY)))
  }
  await engine.close()

  const [ours, raw] = [median(times.server), median(times.engine)]
  const rows = [
    { what: `${CLIP} (11 s), server`, value: seconds(ours), note: `${THREADS} threads, tiny.en q5_1` },
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
      note: `${THREADS} threads, greedy`,
    },
    { what: 'server ÷ native whisper.cpp', value: ratio(ours, theirs) },
  ]
}

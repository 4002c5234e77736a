// A few seconds of a human voice by the server, the raw engine and native whisper.cpp, in turn within each round, so
// that a drifting machine affects all of them alike.

import { createEngine } from '../../src/engine/create-engine.ts'
import type { ModelFile } from '../../src/engine/engine.ts'
import { samplesOf } from '../../test/support/flac.ts'
import { baseModel, bundledModel } from '../../test/support/ggml.ts'
import { startServer } from '../../test/support/server.ts'
import { type Measure, median, type Row, ratio, seconds } from './table.ts'
import { byNative, byServer, nativeCli, THREADS, timed } from './transcribers.ts'

/** A typical dictation is five seconds long. */
const CLIPS = [
  { clip: 'human-1.flac', lasts: 11_000 },
  { clip: 'human-4.flac', lasts: 5300, maxMs: 350 },
]
const GREEDY = ['-bo', '1', '-bs', '1', '-nt']

type PeerCase = (typeof CLIPS)[number] & { model: ModelFile; rounds: number }

export const measurePeers: Measure = async ({ rounds, short }) => {
  const rows: Row[] = []
  for (const model of [bundledModel, baseModel])
    for (const clip of short ? CLIPS.slice(-1) : CLIPS)
      rows.push(...(await measure({ ...clip, model, rounds })))
  return rows
}

async function measure({ clip, lasts, maxMs, model, rounds }: PeerCase): Promise<Row[]> {
  const cli = nativeCli()
  await using server = await startServer({ env: { DICTATION_MODEL: model.name } })
  const engine = createEngine({ choice: 'auto', threads: THREADS, idleUnloadMs: () => 600_000 })
  const samples = await samplesOf(clip)

  const byEngine = async () => {
    const signal = new AbortController().signal
    const options = { model, samples, task: 'transcribe', prompt: null, signal } as const
    const answer = await engine.transcribe({ ...options, language: null })
    if (!answer.ok) throw new Error(`engine: ${answer.failure.message}`)
  }
  await byServer(server, clip)
  await byEngine()
  const times = { server: [] as number[], engine: [] as number[], native: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.server.push(await timed(() => byServer(server, clip)))
    times.engine.push(await timed(byEngine))
    const options = model.multilingual ? [...GREEDY, '-l', 'auto'] : GREEDY
    if (cli) times.native.push(await timed(() => byNative(cli, { clip, model, options })))
  }
  await engine.close()

  const what = `${clip} (${lasts / 1000} s), ${model.name}`
  const [ours, raw] = [median(times.server), median(times.engine)]
  const goal = maxMs === undefined ? {} : { goal: `≤ ${maxMs / 1000} s` }
  const rows = [
    { what: `${what}, server`, value: seconds(ours), ...goal, note: `${THREADS} threads, no language named` },
    { what: `${what}, raw engine (${engine.info().name} ${engine.info().version})`, value: seconds(raw) },
    { what: `${what}, server ÷ raw engine`, value: ratio(ours, raw) },
    { what: `${what}, server, real-time factor`, value: ratio(ours, lasts) },
  ]
  if (!cli)
    return [...rows, { what: 'native whisper.cpp', value: 'not measured', note: 'give WHISPER_CLI=path' }]
  const theirs = median(times.native)
  return [
    ...rows,
    {
      what: `${what}, native whisper.cpp, whole process`,
      value: seconds(theirs),
      note: `${THREADS} threads, greedy`,
    },
    { what: `${what}, server ÷ native whisper.cpp`, value: ratio(ours, theirs), goal: '≤ 1' },
  ]
}

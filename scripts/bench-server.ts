// Compares the server with its peers. Reports only; no limits.

import { writeFigures } from './bench/figures.ts'
import { measureLongRecording } from './bench/long-recording.ts'
import { measureOverhead } from './bench/overhead.ts'
import { measurePeers } from './bench/peers.ts'
import { measureStart } from './bench/start.ts'
import { lineOf, type Row } from './bench/table.ts'
import { measureUpload } from './bench/upload.ts'
import { optionsOrExit } from './options.ts'

const usage = `usage: npm run bench -- server [--short] [--rounds N]
Measures and rewrites its section of BENCHMARKS.md; --short measures once and only prints.
WHISPER_CLI=/path/to/whisper-cli adds native whisper.cpp (one on the PATH is found automatically).`

const values = optionsOrExit({ short: { type: 'boolean' }, rounds: { type: 'string' } }, usage)
const rounds = values.short ? 1 : Number(values.rounds ?? 5)
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`--rounds must be a whole number above 0\n${usage}`)
  process.exit(2)
}

const rows: Row[] = []
for (const [name, measure] of Object.entries({
  measureStart,
  measureOverhead,
  measurePeers,
  measureLongRecording,
  measureUpload,
})) {
  console.error(`${name} …`)
  const found = await measure({ rounds, short: values.short === true })
  for (const row of found) console.log(lineOf(row))
  rows.push(...found)
}

if (!values.short) {
  await writeFigures('Server', {
    command: `npm run bench -- server --rounds ${rounds}`,
    how: `Medians of ${rounds} rounds, peers in turn within each round.`,
    rows,
  })
}

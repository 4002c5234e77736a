// Writes into speech/index.json how long each recording is and what native whisper.cpp makes of it.
// All else in the index is written by hand.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { optionsOrExit } from '../../scripts/client/options.ts'
import { createTestDecoder } from '../audio/decoded.ts'
import { nativeVersion } from '../engine/native-whisper.ts'
import { baseModel } from '../support/ggml.ts'
import { wavOf } from '../support/wav.ts'
import { indexFile, pathOf, type Spoken, spoken } from './material.ts'

const USAGE = `usage: node scripts/bun.mjs test/languages/make-index.ts [--missing] [--only FILES]
Has native whisper.cpp hear every recording of test/languages/speech by the bundled base model, as its command line
does by default but for the language, which it is told, and writes the texts and lengths into index.json.
--missing leaves what has a text as it is; --only takes the beginnings of the names of files, with commas between them.
WHISPER_CLI=/path/to/whisper-cli names the command.`

const { missing = false, only = '' } = optionsOrExit(
  { missing: { type: 'boolean' }, only: { type: 'string' } },
  USAGE,
)

const cli = process.env.WHISPER_CLI ?? Bun.which('whisper-cli')
if (!cli) {
  console.error('No native whisper.cpp: give WHISPER_CLI=/path/to/whisper-cli.')
  process.exit(2)
}

const RATE = 16_000
const folder = await mkdtemp(join(tmpdir(), 'languages-index-'))
const wavFile = join(folder, 'spoken.wav')
await using decoder = await createTestDecoder()

/** Opus is none of the formats that it reads. */
async function saveAsWav(one: Spoken): Promise<number> {
  const samples = await decoder.samplesOf(pathOf(one))
  await Bun.write(wavFile, wavOf(samples))
  return samples.length / RATE
}

async function hear(language: string): Promise<string> {
  const command = [cli!, '-m', baseModel.path, '-f', wavFile, '-l', language, '-t', '1', '-nt', '-np']
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`${cli} ended with ${child.exitCode}`)
  return text.replace(/\s+/g, ' ').trim()
}

console.log(`whisper.cpp ${nativeVersion(cli)}`)
const isMeant = ({ file, native }: Spoken) =>
  !(missing && native !== '') && only.split(',').some((beginning) => file.startsWith(beginning))
for (const one of spoken.filter(isMeant)) {
  one.seconds = Math.round((await saveAsWav(one)) * 100) / 100
  one.native = await hear(one.language)
  console.log(`${one.file}\t${one.seconds}\t${one.native}`)
  await Bun.write(indexFile, `${JSON.stringify(spoken, null, 2)}\n`)
}
await rm(folder, { recursive: true })

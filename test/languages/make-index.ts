// Writes the length of each recording and native whisper.cpp's text into speech/index.json. The rest of it is manual.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { optionsOrExit } from '../../scripts/options.ts'
import { createTestDecoder } from '../audio/decoded.ts'
import { nativeVersion } from '../engine/native-whisper.ts'
import { baseModel } from '../support/ggml.ts'
import { wavOf } from '../support/wav.ts'
import { indexFile, pathOf, type Spoken, spoken } from './material.ts'

const USAGE = `usage: node scripts/bun.mjs test/languages/make-index.ts [--missing] [--only FILES]
Transcribes every recording of test/languages/speech with native whisper.cpp, the bundled base model, the recording's
language and otherwise default options, and writes the texts and lengths into index.json.
--missing skips recordings that have a text; --only takes comma-separated prefixes of file names.
WHISPER_CLI=/path/to/whisper-cli names the command.`

const { missing = false, only = '' } = optionsOrExit(
  { missing: { type: 'boolean' }, only: { type: 'string' } },
  USAGE,
)

const cli = process.env.WHISPER_CLI ?? Bun.which('whisper-cli')
if (!cli) {
  console.error('Native whisper.cpp was not found. Set WHISPER_CLI=/path/to/whisper-cli.')
  process.exit(2)
}

const RATE = 16_000
const folder = await mkdtemp(join(tmpdir(), 'languages-index-'))
const wavFile = join(folder, 'spoken.wav')
await using decoder = await createTestDecoder()

/** whisper-cli does not read Opus. */
async function saveAsWav(one: Spoken): Promise<number> {
  const samples = await decoder.samplesOf(pathOf(one))
  await Bun.write(wavFile, wavOf(samples))
  return samples.length / RATE
}

async function transcribe(language: string): Promise<string> {
  const command = [cli!, '-m', baseModel.path, '-f', wavFile, '-l', language, '-t', '1', '-nt', '-np']
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' })
  const text = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error(`${cli} exited with ${child.exitCode}`)
  return text.replace(/\s+/g, ' ').trim()
}

console.log(`whisper.cpp ${nativeVersion(cli)}`)
const isSelected = ({ file, native }: Spoken) =>
  !(missing && native !== '') && only.split(',').some((beginning) => file.startsWith(beginning))
for (const one of spoken.filter(isSelected)) {
  one.seconds = Math.round((await saveAsWav(one)) * 100) / 100
  one.native = await transcribe(one.language)
  console.log(`${one.file}\t${one.seconds}\t${one.native}`)
  await Bun.write(indexFile, `${JSON.stringify(spoken, null, 2)}\n`)
}
await rm(folder, { recursive: true })

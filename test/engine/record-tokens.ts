// Transcribes missing utterances with whisper.cpp and writes each result to its file, so that a kill loses one. Run by hand:
// node scripts/bun.mjs test/engine/record-tokens.ts --help

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { SHOUT_VERSION, type ShoutResult } from '../../wasm/shout/shout.ts'
import { compare, transcribe } from './comparison.ts'
import { readVocabulary, throughFullWindow } from './hearers.ts'
import { nativeVersion, openNativeWhisper } from './native-whisper.ts'
import {
  digestOf,
  fileOf,
  type RecordedTokens,
  type RecordedUtterance,
  type Recording,
  readTokens,
  textTokens,
} from './recorded-tokens.ts'
import { openShoutInBrowser } from './shout-in-browser.ts'
import { type Utterance, utterances } from './utterances.ts'
import { type ComparedType, modelIn } from './weights.ts'

type Peer = {
  engine: string
  type: ComparedType
  open(model: Uint8Array): Promise<{
    transcribe(samples: Float32Array): Promise<Pick<ShoutResult, 'transcription'>>
    close(): Promise<void>
  }>
}

const CLI = process.env.WHISPER_CLI ?? 'whisper-cli'

const native = (type: ComparedType): Peer => ({
  engine: `whisper.cpp ${nativeVersion(CLI)}`,
  type,
  open: (model) => openNativeWhisper(CLI, model),
})

const shout = (type: ComparedType, rounds = false): Peer => ({
  engine: `shout ${SHOUT_VERSION}${rounds ? ' that rounds' : ''}`,
  type,
  open: (model) => openShoutInBrowser(model, rounds),
})

const PEERS: Record<Recording, () => Peer> = {
  'shout q5_1': () => shout('q5_1'),
  'shout f16': () => shout('f16'),
  'rounding shout q5_1': () => shout('q5_1', true),
  'native f16': () => native('f16'),
  'shout base f16': () => shout('base f16'),
  'native base f16': () => native('base f16'),
}

const NAMES = Object.keys(PEERS) as Recording[]

const HELP = `Transcribes the utterances that have no record with whisper.cpp. --of name is one of
  ${NAMES.join(', ')}
Shout runs in Chromium and takes 20 s of CPU time per utterance with q5_1, 33 s with f16, twice that with base. Rounding shout
transcribes only the utterances that differ between ours and shout. WHISPER_CLI is the path of native whisper.cpp.
  --limit n     only the first n, which are a sample of all kinds`

const BIOME = resolve(import.meta.dir, '../../scripts/tools/node_modules/.bin/biome')

const readOptions = (): { recording: Recording; limit: number } => {
  const { values } = parseArgs({
    options: {
      of: { type: 'string' },
      limit: { type: 'string', default: String(utterances.length) },
      help: { type: 'boolean', default: false },
    },
  })
  const recording = NAMES.find((name) => name === values.of)
  const limit = Number(values.limit)
  if (!values.help && recording && Number.isInteger(limit)) return { recording, limit }
  console.log(HELP)
  process.exit(values.help ? 0 : 2)
}

/** Discards records of another engine or model. */
const readKnown = async (recording: Recording, head: Omit<RecordedTokens, 'utterances'>) => {
  if (!(await Bun.file(fileOf(recording)).exists())) return {}
  const { utterances: known, ...headThere } = await readTokens(recording)
  return Bun.deepEquals(head, headThere) ? known : {}
}

const write = async (recording: Recording, tokens: RecordedTokens) => {
  const file = fileOf(recording)
  await Bun.write(file, JSON.stringify(tokens))
  await Bun.spawn([BIOME, 'format', '--write', file], { stdio: ['ignore', 'ignore', 'ignore'] }).exited
}

/** Whether the utterance needs a transcription. */
const createFilter = async (recording: Recording, model: Uint8Array) => {
  if (recording !== 'rounding shout q5_1') return async () => true
  const [transcriber, tokens] = [await throughFullWindow(model, 1), await readTokens('shout q5_1')]
  return async (utterance: Utterance) =>
    utterance.name in tokens.utterances && !compare(await transcribe(transcriber, utterance), tokens).sameText
}

const textOf = (vocabulary: Uint8Array[], tokens: number[]) => {
  const bytes = textTokens(tokens).flatMap((id) => [...vocabulary[id]!])
  return new TextDecoder().decode(Uint8Array.from(bytes)).trim()
}

const { recording, limit } = readOptions()
const { engine, type, open } = PEERS[recording]()
const model = await modelIn(type)
const sha256 = new Bun.CryptoHasher('sha256').update(model).digest('hex')
const head = {
  engine,
  model: { name: type.startsWith('base') ? type.replace(' ', '-') : `tiny.en-${type}`, sha256 },
}
const known = await readKnown(recording, head)
const isWanted = await createFilter(recording, model)
const vocabulary = readVocabulary(model)
const peer = await open(model)
const recorded: RecordedTokens['utterances'] = {}

const recordUtterance = async ({ name }: Utterance, samples: Float32Array) => {
  const all = (await peer.transcribe(samples)).transcription.flatMap((segment) => segment.tokens)
  const tokens = all.map(({ id }) => id)
  const one: RecordedUtterance = {
    text: textOf(vocabulary, tokens),
    tokens,
    probabilities: all.map(({ p }) => Number(p.toFixed(3))),
    samples: digestOf(samples),
  }
  recorded[name] = one
  await write(recording, { ...head, utterances: { ...recorded, ...known, [name]: one } })
  return one
}

for (const [i, utterance] of utterances.entries()) {
  const samples = await utterance.samples()
  const before = known[utterance.name]
  if (before && Bun.deepEquals(before.samples, digestOf(samples))) recorded[utterance.name] = before
  else if (i < limit && (await isWanted(utterance))) {
    const { text } = await recordUtterance(utterance, samples)
    console.log(`${i + 1} of ${utterances.length}, ${utterance.name}: ${text}`)
  }
}
await write(recording, { ...head, utterances: recorded })
await peer.close()
// our own model's threads would keep the process alive
process.exit(0)

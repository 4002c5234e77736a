// Writes shout-tokens.json: has shout hear each of the 200 utterances with the bundled model, which takes an hour.
// Run by hand, `node scripts/bun.mjs test/engine/write-shout-tokens.ts [partial file]`; goes on where it was ended.

import { appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { bytesInMemory, readGgmlFile } from '../../src/engine/ggml-file.ts'
import { firstSpecialToken } from '../../src/engine/words.ts'
import { loadShout, SHOUT_VERSION, type Shout } from '../../wasm/shout/shout.ts'
import { bundledBytes, bundledModel } from '../support/ggml.ts'
import { digestOf, type HeardByShout, SHOUT_TOKENS_FILE, type ShoutTokens } from './shout-tokens.ts'
import { type Utterance, utterances } from './utterances.ts'

/** A window takes ten seconds, several temperatures on a busy machine minutes; a trap never answers. */
const DEADLINE_MS = 900_000

type Line = HeardByShout & { name: string }

const partialFile = process.argv[2] ?? join(tmpdir(), 'shout-tokens.jsonl')

/** What a kill cut short is heard again. */
const readLines = async (): Promise<Line[]> => {
  const file = Bun.file(partialFile)
  if (!(await file.exists())) return []
  const lines = (await file.text()).split('\n').filter((line) => line.endsWith('}}'))
  return lines.map((line) => JSON.parse(line) as Line)
}

const readVocabulary = (model: Uint8Array) => {
  const file = readGgmlFile(bytesInMemory(model))
  if (!file.ok) throw new Error(file.failure.message)
  return file.value.vocabulary
}

const hear = async (shout: Shout, samples: Float32Array) => {
  const deadline = setTimeout(() => {
    console.error('No answer. Run this again to go on.')
    process.exit(1)
  }, DEADLINE_MS)
  const { transcription } = await shout.transcribe({
    samples,
    language: 'en',
    translate: false,
    threads: 1,
    onProgress() {},
    onSegment() {},
  })
  clearTimeout(deadline)
  return transcription
}

const textOf = (vocabulary: Uint8Array[], tokens: number[]) => {
  const ofText = tokens.filter((id) => id < firstSpecialToken(false))
  return new TextDecoder().decode(Uint8Array.from(ofText.flatMap((id) => [...vocabulary[id]!]))).trim()
}

const hearRest = async (known: Map<string, Line>, model: Uint8Array) => {
  const vocabulary = readVocabulary(model)
  const shout = await loadShout()
  shout.openModel(model)
  const lineOf = async ({ name, samples }: Utterance): Promise<Line> => {
    const heard = await samples()
    const transcription = await hear(shout, heard)
    const tokens = transcription.flatMap((segment) => segment.tokens.map(({ id }) => id))
    const segments = transcription.map(({ offsets }) => ({ startMs: offsets.from, endMs: offsets.to }))
    return { name, text: textOf(vocabulary, tokens), tokens, segments, samples: digestOf(heard) }
  }
  for (const [i, utterance] of utterances.entries()) {
    if (known.has(utterance.name)) continue
    const line = await lineOf(utterance)
    known.set(line.name, line)
    await appendFile(partialFile, `${JSON.stringify(line)}\n`)
    console.log(`${i + 1}/${utterances.length} ${line.name}: ${line.text}`)
  }
}

const known = new Map((await readLines()).map((line) => [line.name, line]))
const model = await bundledBytes()
const sha256 = new Bun.CryptoHasher('sha256').update(model).digest('hex')
await hearRest(known, model)
const result: ShoutTokens = {
  shoutVersion: SHOUT_VERSION,
  model: { name: bundledModel.name, sha256 },
  utterances: Object.fromEntries(
    utterances.map(({ name: wanted }) => {
      const { name, ...heard } = known.get(wanted)!
      return [name, heard]
    }),
  ),
}
await Bun.write(SHOUT_TOKENS_FILE, JSON.stringify(result))
const biome = resolve(import.meta.dir, '../../node_modules/.bin/biome')
await Bun.spawn([biome, 'format', '--write', SHOUT_TOKENS_FILE]).exited
// shout's threads would go on waiting for work
process.exit(0)

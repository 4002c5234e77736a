// Has shout hear those of the 200 utterances that shout-tokens.json does not have, and writes each one there.
// Run by hand: node scripts/bun.mjs test/engine/write-shout-tokens.ts. All of them take an hour; a kill loses one.

import { resolve } from 'node:path'
import { loadShout, SHOUT_VERSION, type Shout } from '../../wasm/shout/shout.ts'
import { bundledBytes, bundledModel } from '../support/ggml.ts'
import { readVocabulary, textTokens } from './hearers.ts'
import {
  digestOf,
  type HeardByShout,
  readShoutTokens,
  SHOUT_TOKENS_FILE,
  type ShoutTokens,
} from './shout-tokens.ts'
import { utterances } from './utterances.ts'

/** A window takes ten seconds, several temperatures on a busy machine minutes; a trap never answers. */
const DEADLINE_MS = 900_000

const BIOME = resolve(import.meta.dir, '../../node_modules/.bin/biome')

const transcribe = async (shout: Shout, samples: Float32Array) => {
  const deadline = setTimeout(() => {
    console.error('No answer. Run this again to go on.')
    process.exit(1)
  }, DEADLINE_MS)
  const request = { samples, language: 'en', translate: false, threads: 1, onProgress() {}, onSegment() {} }
  const { transcription } = await shout.transcribe(request)
  clearTimeout(deadline)
  return transcription
}

const textOf = (vocabulary: Uint8Array[], tokens: number[]) => {
  const bytes = textTokens(tokens).flatMap((id) => [...vocabulary[id]!])
  return new TextDecoder().decode(Uint8Array.from(bytes)).trim()
}

const createHearing = async (model: Uint8Array) => {
  const vocabulary = await readVocabulary()
  const shout = await loadShout()
  shout.openModel(model)
  return async (samples: Float32Array): Promise<HeardByShout> => {
    const transcription = await transcribe(shout, samples)
    const all = transcription.flatMap((segment) => segment.tokens)
    const tokens = all.map(({ id }) => id)
    return {
      text: textOf(vocabulary, tokens),
      tokens,
      probabilities: all.map(({ p }) => Number(p.toFixed(3))),
      samples: digestOf(samples),
    }
  }
}

/** Those that another shout or another model heard are not there. */
const readKnown = async (head: Omit<ShoutTokens, 'utterances'>) => {
  if (!(await Bun.file(SHOUT_TOKENS_FILE).exists())) return {}
  const { utterances: known, ...headThere } = await readShoutTokens()
  return Bun.deepEquals(head, headThere) ? known : {}
}

const write = async (tokens: ShoutTokens) => {
  await Bun.write(SHOUT_TOKENS_FILE, JSON.stringify(tokens))
  await Bun.spawn([BIOME, 'format', '--write', SHOUT_TOKENS_FILE], { stdio: ['ignore', 'ignore', 'ignore'] })
    .exited
}

const model = await bundledBytes()
const sha256 = new Bun.CryptoHasher('sha256').update(model).digest('hex')
const head = { shoutVersion: SHOUT_VERSION, model: { name: bundledModel.name, sha256 } }
const known = await readKnown(head)
const hear = await createHearing(model)
const heard: ShoutTokens['utterances'] = {}
for (const [i, { name, samples: samplesOf }] of utterances.entries()) {
  const samples = await samplesOf()
  const before = known[name]
  if (before && Bun.deepEquals(before.samples, digestOf(samples))) {
    heard[name] = before
    continue
  }
  heard[name] = await hear(samples)
  await write({ ...head, utterances: { ...heard, ...known, [name]: heard[name] } })
  console.log(`${i + 1} of ${utterances.length}, ${name}: ${heard[name].text}`)
}
await write({ ...head, utterances: heard })
// shout's threads would go on waiting for work
process.exit(0)

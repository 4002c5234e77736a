// Has an engine hear utterances and puts what it wrote beside what shout wrote.
// Passes no verdict: that is agreement.ts's and agreement.test.ts's.

import type { Engine } from '../../src/engine/engine.ts'
import { bundledModel } from '../support/ggml.ts'
import { wordsApart, wordsOf } from '../support/speech.ts'
import { digestOf, type HeardByShout, type ShoutTokens } from './shout-tokens.ts'
import type { Utterance } from './utterances.ts'

/** The engine of this project, where there are several. */
export const OUR_ENGINE = 'whisper-simd'

export type Comparison = {
  name: string
  said: string
  reference: string | null
  ours: string
  shout: string
  /** letter for letter, which tokens of another text cannot be */
  sameText: boolean
  /** and every segment begins and ends at the same token of time */
  sameTimes: boolean
}

/** A token of time is 20 ms. */
const SAME_TIME_MS = 10

type Times = { startMs: number; endMs: number }

const areSameTimes = (some: Times[], others: Times[]) =>
  some.length === others.length &&
  some.every(({ startMs, endMs }, i) => {
    const other = others[i]!
    return Math.max(Math.abs(startMs - other.startMs), Math.abs(endMs - other.endMs)) <= SAME_TIME_MS
  })

const withoutExtraSpace = (text: string) => text.replace(/\s+/g, ' ').trim()

const samplesThatShoutHeard = async ({ name, samples }: Utterance, heard: HeardByShout | undefined) => {
  if (!heard) throw new Error(`shout-tokens.json has no ${name}; run write-shout-tokens.ts`)
  const found = await samples()
  if (!Bun.deepEquals(digestOf(found), heard.samples))
    throw new Error(`${name} is not what shout heard; run write-shout-tokens.ts`)
  return found
}

/** @throws where the engine fails, or shout heard other samples */
export const compare = async (
  engine: Engine,
  utterance: Utterance,
  shoutTokens: ShoutTokens,
): Promise<Comparison> => {
  const { name, text, reference } = utterance
  const heard = shoutTokens.utterances[name]!
  const result = await engine.transcribe({
    model: bundledModel,
    samples: await samplesThatShoutHeard(utterance, heard),
    language: 'en',
    task: 'transcribe',
    prompt: null,
    signal: new AbortController().signal,
  })
  if (!result.ok) throw new Error(`${name}: ${result.failure.code}: ${result.failure.message}`)
  const { segments } = result.value
  const ours = withoutExtraSpace(segments.map((segment) => segment.text).join(' '))
  const shout = withoutExtraSpace(heard.text)
  return {
    name,
    said: text,
    reference,
    ours,
    shout,
    sameText: ours === shout,
    sameTimes: ours === shout && areSameTimes(segments, heard.segments),
  }
}

/** Words to change, add or leave out, per hundred of the right ones. */
export const wordErrorPercent = (pairs: { written: string; right: string }[]): number => {
  const wrong = pairs.reduce((sum, { written, right }) => sum + wordsApart(written, right), 0)
  const words = pairs.reduce((sum, { right }) => sum + wordsOf(right).length, 0)
  return (100 * wrong) / Math.max(1, words)
}

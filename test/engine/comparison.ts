// Has utterances heard and puts what comes of it beside what shout wrote.
// Passes no verdict: that is agreement-report.ts's and agreement.test.ts's.

import { wordsApart, wordsOf } from '../support/speech.ts'
import { asShoutReports, type Hearer, textTokens } from './hearers.ts'
import { digestOf, type HeardByShout, type ShoutTokens } from './shout-tokens.ts'
import type { Utterance } from './utterances.ts'

export type Comparison = {
  name: string
  said: string
  reference: string | null
  ours: string
  shout: string
  /** token for token where tokens are known, else letter for letter */
  sameText: boolean
  /** and the tokens of time too; null where tokens are not known */
  sameTimes: boolean | null
}

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
  hearer: Hearer,
  utterance: Utterance,
  { utterances }: ShoutTokens,
): Promise<Comparison> => {
  const { name, text: said, reference } = utterance
  const samples = await samplesThatShoutHeard(utterance, utterances[name])
  const { text, tokens } = await hearer.hear(samples)
  const heard = utterances[name]!
  const ours = withoutExtraSpace(text)
  const shout = withoutExtraSpace(heard.text)
  return {
    ...{ name, said, reference, ours, shout },
    sameText: tokens ? Bun.deepEquals(textTokens(tokens), textTokens(heard.tokens)) : ours === shout,
    sameTimes: tokens && Bun.deepEquals(asShoutReports(tokens), asShoutReports(heard.tokens)),
  }
}

/** Words to change, add or leave out, per hundred of the right ones. */
export const wordErrorPercent = (pairs: { written: string; right: string }[]): number => {
  const wrong = pairs.reduce((sum, { written, right }) => sum + wordsApart(written, right), 0)
  const words = pairs.reduce((sum, { right }) => sum + wordsOf(right).length, 0)
  return (100 * wrong) / Math.max(1, words)
}

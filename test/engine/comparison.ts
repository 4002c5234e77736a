// Transcribes utterances and compares the results with whisper.cpp's.

import { wordsApart, wordsOf } from '../support/speech.ts'
import type { Transcriber, Transcription } from './hearers.ts'
import {
  asShoutReports,
  digestOf,
  type RecordedTokens,
  type RecordedUtterance,
  textTokens,
} from './recorded-tokens.ts'
import type { Utterance } from './utterances.ts'

export type TranscribedUtterance = Transcription & {
  utterance: Utterance
  samples: RecordedUtterance['samples']
}

export type Comparison = {
  name: string
  said: string
  reference: string | null
  ours: string
  /** as whisper.cpp would report them; null if unknown */
  tokens: number[] | null
  sampled: boolean | null
  /** whisper.cpp's text */
  theirs: string
  /** token for token if tokens are known, else character for character */
  sameText: boolean
  /** including timestamps; null if tokens are unknown */
  sameTimes: boolean | null
}

const withoutExtraSpace = (text: string) => text.replace(/\s+/g, ' ').trim()

/** @throws if the engine fails */
export const transcribe = async (
  transcriber: Transcriber,
  utterance: Utterance,
): Promise<TranscribedUtterance> => {
  const samples = await utterance.samples()
  return { ...(await transcriber.transcribe(samples)), utterance, samples: digestOf(samples) }
}

/** @throws if there is no record of the utterance, or one of other samples */
export const compare = (
  { utterance, samples, text, tokens, sampled }: TranscribedUtterance,
  { engine, utterances }: RecordedTokens,
): Comparison => {
  const { name, text: said, reference } = utterance
  const recorded = utterances[name]
  if (!recorded || !Bun.deepEquals(samples, recorded.samples))
    throw new Error(`${engine} has no record of ${name} with these samples; run record-tokens.ts`)
  const ours = withoutExtraSpace(text)
  const theirs = withoutExtraSpace(recorded.text)
  const reported = tokens && asShoutReports(tokens)
  return {
    ...{ name, said, reference, ours, theirs, tokens: reported, sampled },
    sameText: tokens ? Bun.deepEquals(textTokens(tokens), textTokens(recorded.tokens)) : ours === theirs,
    sameTimes: reported && Bun.deepEquals(reported, asShoutReports(recorded.tokens)),
  }
}

/** Word error rate in percent: substitutions, insertions and deletions. */
export const wordErrorPercent = (pairs: { written: string; right: string }[]): number => {
  const wrong = pairs.reduce((sum, { written, right }) => sum + wordsApart(written, right), 0)
  const words = pairs.reduce((sum, { right }) => sum + wordsOf(right).length, 0)
  return (100 * wrong) / Math.max(1, words)
}

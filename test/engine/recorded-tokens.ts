// whisper.cpp's results for the 200 utterances, from the JSON files in this folder: shout's and native whisper.cpp's.

import { join } from 'node:path'
import { firstSpecialToken } from '../../src/engine/words.ts'

export type RecordedUtterance = {
  text: string
  /** as whisper.cpp reports them: text tokens, and the timestamps that start and end a segment */
  tokens: number[]
  /** per token, to three digits: near 0.5 another engine may choose another token */
  probabilities: number[]
  /** hash of the samples: tokens of other samples are not comparable */
  samples: { count: number; crc32: number }
}

export type RecordedTokens = {
  engine: string
  model: { name: string; sha256: string }
  utterances: Record<string, RecordedUtterance>
}

const FILES = {
  'shout q5_1': 'shout-tokens.json',
  'shout f16': 'shout-tokens-f16.json',
  /** rounding-shout.ts with q5_1, for the utterances that differ between ours and shout */
  'rounding shout q5_1': 'shout-tokens-rounding.json',
  'native f16': 'native-tokens-f16.json',
  'shout base f16': 'shout-tokens-base-f16.json',
  'native base f16': 'native-tokens-base-f16.json',
}

export type Recording = keyof typeof FILES

export const fileOf = (recording: Recording) => join(import.meta.dir, FILES[recording])

export const readTokens = (recording: Recording): Promise<RecordedTokens> =>
  Bun.file(fileOf(recording)).json()

/** The end tokens: the second is that of multilingual models, which other models never write. */
const [ENGLISH_END, MULTILINGUAL_END] = [firstSpecialToken(false), firstSpecialToken(true)]

export const isText = (id: number): boolean => id < ENGLISH_END

/** The tokens without timestamps, to compare texts with different times. */
export const textTokens = (tokens: number[]): number[] => tokens.filter(isText)

const isTime = (id: number | undefined) => id !== undefined && id > MULTILINGUAL_END

/** Shout reports one of two adjacent timestamps, which end a segment and start the next, and no end token. */
export const asShoutReports = (tokens: number[]): number[] =>
  tokens.filter((id, i) => isText(id) || (isTime(id) && !isTime(tokens[i - 1])))

/** At 16 bits, so that the last digit of a sine on another machine does not matter. */
export const digestOf = (samples: Float32Array): RecordedUtterance['samples'] => ({
  count: samples.length,
  crc32: Bun.hash.crc32(Int16Array.from(samples, (sample) => Math.round(sample * 32_767))),
})

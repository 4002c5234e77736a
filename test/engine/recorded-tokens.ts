// What whisper.cpp made of the 200 utterances, as files beside this one keep it: shout, and native whisper.cpp.
// Written by record-tokens.ts, compared with by agreement.ts; says nothing about right or wrong.

import { join } from 'node:path'
import { firstSpecialToken } from '../../src/engine/words.ts'

export type RecordedUtterance = {
  text: string
  /** as whisper.cpp reports them: those of the text, and the times that open and close a segment */
  tokens: number[]
  /** of each token, to three digits: where it is about a half, another engine may as well write the other half */
  probabilities: number[]
  /** of what was heard: tokens of other samples prove nothing */
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
  /** rounding-shout.ts's with q5_1, which heard only what ours and shout had written differently */
  'rounding shout q5_1': 'shout-tokens-rounding.json',
  'native f16': 'native-tokens-f16.json',
  'shout base f16': 'shout-tokens-base-f16.json',
  'native base f16': 'native-tokens-base-f16.json',
}

export type Recording = keyof typeof FILES

export const fileOf = (recording: Recording) => join(import.meta.dir, FILES[recording])

export const readTokens = (recording: Recording): Promise<RecordedTokens> =>
  Bun.file(fileOf(recording)).json()

/** The first special token is the end: of multilingual models the second of these, which the others write nowhere. */
const [ENGLISH_END, MULTILINGUAL_END] = [firstSpecialToken(false), firstSpecialToken(true)]

export const isText = (id: number): boolean => id < ENGLISH_END

/** Text of no time is what remains to compare of two texts of different times. */
export const textTokens = (tokens: number[]): number[] => tokens.filter(isText)

const isTime = (id: number | undefined) => id !== undefined && id > MULTILINGUAL_END

/** Of two times side by side, which close a segment and open the next one, shout reports one; of the end, nothing. */
export const asShoutReports = (tokens: number[]): number[] =>
  tokens.filter((id, i) => isText(id) || (isTime(id) && !isTime(tokens[i - 1])))

/** At 16 bits, so that the last digit of a sine on another machine changes nothing. */
export const digestOf = (samples: Float32Array): RecordedUtterance['samples'] => ({
  count: samples.length,
  crc32: Bun.hash.crc32(Int16Array.from(samples, (sample) => Math.round(sample * 32_767))),
})

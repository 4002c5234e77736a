// What whisper.cpp made of the 200 utterances, as files beside this one keep it: shout, and native whisper.cpp.
// Written by record-tokens.ts, compared with by agreement.ts; says nothing about right or wrong.

import { join } from 'node:path'

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
}

export type Recording = keyof typeof FILES

export const fileOf = (recording: Recording) => join(import.meta.dir, FILES[recording])

export const readTokens = (recording: Recording): Promise<RecordedTokens> =>
  Bun.file(fileOf(recording)).json()

/** At 16 bits, so that the last digit of a sine on another machine changes nothing. */
export const digestOf = (samples: Float32Array): RecordedUtterance['samples'] => ({
  count: samples.length,
  crc32: Bun.hash.crc32(Int16Array.from(samples, (sample) => Math.round(sample * 32_767))),
})

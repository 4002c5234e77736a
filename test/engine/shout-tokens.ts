// What shout made of the 200 utterances, as shout-tokens.json keeps it.
// Written by write-shout-tokens.ts, compared with by agreement.ts; says nothing about right or wrong.

import { join } from 'node:path'

export type HeardByShout = {
  text: string
  /** as shout reports them: those of the text, and the times that open and close a segment */
  tokens: number[]
  /** of each token, to three digits: where it is about a half, another engine may as well write the other half */
  probabilities: number[]
  /** of what it heard: tokens of other samples prove nothing */
  samples: { count: number; crc32: number }
}

export type ShoutTokens = {
  shoutVersion: string
  model: { name: string; sha256: string }
  utterances: Record<string, HeardByShout>
}

export const SHOUT_TOKENS_FILE = join(import.meta.dir, 'shout-tokens.json')

export const readShoutTokens = (): Promise<ShoutTokens> => Bun.file(SHOUT_TOKENS_FILE).json()

/** At 16 bits, so that the last digit of a sine on another machine changes nothing. */
export const digestOf = (samples: Float32Array): HeardByShout['samples'] => ({
  count: samples.length,
  crc32: Bun.hash.crc32(Int16Array.from(samples, (sample) => Math.round(sample * 32_767))),
})

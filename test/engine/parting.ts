// Where a text parts from shout's, and how sure shout was there: the explanation of a difference.
// Compares with what shout-tokens.json holds; hears nothing itself.

import { firstSpecialToken } from '../../src/engine/words.ts'
import type { HeardByShout } from './shout-tokens.ts'

export type Parting = {
  /** what shout wrote there; null where it wrote nothing more */
  token: string | null
  /** how sure shout was of it: about a half, something else was as likely; null where there is no token */
  probability: number | null
}

const commonBytes = (one: Buffer, other: Buffer) => {
  const at = one.findIndex((byte, i) => byte !== other[i])
  return at === -1 ? one.length : at
}

/** @param vocabulary the bytes of each token that is text */
export const partingOf = (vocabulary: Uint8Array[], ours: string, heard: HeardByShout): Parting => {
  const ofText = heard.tokens
    .map((id, i) => ({ id, probability: heard.probabilities[i]! }))
    .filter(({ id }) => id < firstSpecialToken(false))
    .map(({ id, probability }) => ({ bytes: vocabulary[id]!, probability }))
  const shout = Buffer.concat(ofText.map(({ bytes }) => bytes))
  // the first token of a text begins with a space, which a text does not
  const common = commonBytes(Buffer.from(shout[0] === 0x20 ? ` ${ours}` : ours), shout)
  let end = 0
  const token = ofText.find(({ bytes }) => {
    end += bytes.length
    return end > common
  })
  if (!token) return { token: null, probability: null }
  return { token: Buffer.from(token.bytes).toString(), probability: token.probability }
}

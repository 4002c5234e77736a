// Finds where a text first differs from whisper.cpp's, and how confident whisper.cpp was there.

import { asShoutReports, isText, type RecordedUtterance } from './recorded-tokens.ts'

export type Divergence = {
  /** whisper.cpp's token there; null if its text ends */
  token: string | null
  /** the token's probability: near 0.5 another token was as likely; null if there is no token */
  probability: number | null
}

const commonBytes = (one: Buffer, other: Buffer) => {
  const at = one.findIndex((byte, i) => byte !== other[i])
  return at === -1 ? one.length : at
}

/** @param vocabulary the bytes of each text token */
export const divergenceOf = (
  vocabulary: Uint8Array[],
  ours: string,
  recorded: RecordedUtterance,
): Divergence => {
  const ofText = recorded.tokens
    .map((id, i) => ({ id, probability: recorded.probabilities[i]! }))
    .filter(({ id }) => isText(id))
    .map(({ id, probability }) => ({ bytes: vocabulary[id]!, probability }))
  const theirs = Buffer.concat(ofText.map(({ bytes }) => bytes))
  // the first token of a text begins with a space, the text does not
  const common = commonBytes(Buffer.from(theirs[0] === 0x20 ? ` ${ours}` : ours), theirs)
  let end = 0
  const token = ofText.find(({ bytes }) => {
    end += bytes.length
    return end > common
  })
  if (!token) return { token: null, probability: null }
  return { token: Buffer.from(token.bytes).toString(), probability: token.probability }
}

/** Whether the first difference is a timestamp, after which the text may differ as well. */
export const divergesAtTime = (ours: number[], recorded: RecordedUtterance): boolean => {
  const theirs = asShoutReports(recorded.tokens)
  const at = ours.findIndex((id, i) => id !== theirs[i])
  return at >= 0 && !isText(Math.max(ours[at]!, theirs[at] ?? 0))
}

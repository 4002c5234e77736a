// Where a text parts from whisper.cpp's, and how sure whisper.cpp was there: the explanation of a difference.
// Compares with a record of recorded-tokens.ts; hears nothing itself.

import { asShoutReports, isText, type RecordedUtterance } from './recorded-tokens.ts'

export type Parting = {
  /** what whisper.cpp wrote there; null where it wrote nothing more */
  token: string | null
  /** how sure it was of that: about a half, something else was as likely; null where there is no token */
  probability: number | null
}

const commonBytes = (one: Buffer, other: Buffer) => {
  const at = one.findIndex((byte, i) => byte !== other[i])
  return at === -1 ? one.length : at
}

/** @param vocabulary the bytes of each token that is text */
export const partingOf = (vocabulary: Uint8Array[], ours: string, recorded: RecordedUtterance): Parting => {
  const ofText = recorded.tokens
    .map((id, i) => ({ id, probability: recorded.probabilities[i]! }))
    .filter(({ id }) => isText(id))
    .map(({ id, probability }) => ({ bytes: vocabulary[id]!, probability }))
  const theirs = Buffer.concat(ofText.map(({ bytes }) => bytes))
  // the first token of a text begins with a space, which a text does not
  const common = commonBytes(Buffer.from(theirs[0] === 0x20 ? ` ${ours}` : ours), theirs)
  let end = 0
  const token = ofText.find(({ bytes }) => {
    end += bytes.length
    return end > common
  })
  if (!token) return { token: null, probability: null }
  return { token: Buffer.from(token.bytes).toString(), probability: token.probability }
}

/** Whether a token of time is what parts first: what is written after another time may be another text. */
export const partsAtTime = (ours: number[], recorded: RecordedUtterance): boolean => {
  const theirs = asShoutReports(recorded.tokens)
  const at = ours.findIndex((id, i) => id !== theirs[i])
  return at >= 0 && !isText(Math.max(ours[at]!, theirs[at] ?? 0))
}

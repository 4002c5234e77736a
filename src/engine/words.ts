// Whisper's tokens put together as words and as the text of a segment.
// Knows tokens by their bytes; where they come from is the recogniser's.

import type { Segment, Word } from './engine.ts'

export type Token = {
  /** as the model's vocabulary has them: a character may be spread over several tokens */
  bytes: Uint8Array
  startMs: number
  endMs: number
  probability: number
}

/** Ids from here on are marks (end, languages, times), which are no text. */
export const firstSpecialToken = (multilingual: boolean) => (multilingual ? 50_257 : 50_256)

const SPACE = 0x20

/** A Latin or Cyrillic word begins with a space; these scripts have none, and each of their letters is a word. */
const STARTS_WITHOUT_SPACE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

const ONLY_PUNCTUATION = /^[\p{P}\p{S}]+$/u

const decode = (tokens: Token[]) =>
  new TextDecoder().decode(Uint8Array.from(tokens.flatMap(({ bytes }) => [...bytes])))

const isContinuationByte = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Tokens that share a character belong together, whatever else they are. */
const wholeCharacters = (tokens: Token[]): Token[][] => {
  const groups: Token[][] = []
  for (const token of tokens) {
    const last = groups.at(-1)
    if (last && isContinuationByte(token.bytes[0])) last.push(token)
    else groups.push([token])
  }
  return groups
}

const startsWord = (group: Token[], before: Token[] | undefined) => {
  if (!before) return true
  const text = decode(group)
  const bare = text.trim()
  if (ONLY_PUNCTUATION.test(bare)) return group[0]?.bytes[0] === SPACE && !/^\p{Pe}|^\p{Po}/u.test(bare)
  return (
    group[0]?.bytes[0] === SPACE ||
    STARTS_WITHOUT_SPACE.test(bare) ||
    STARTS_WITHOUT_SPACE.test(decode(before).trim())
  )
}

const wordOf = (tokens: Token[]): Word | null => {
  const word = decode(tokens).trim()
  if (word === '') return null
  const logarithms = tokens.map(({ probability }) => Math.log(Math.max(probability, 1e-9)))
  const mean = logarithms.reduce((sum, value) => sum + value, 0) / tokens.length
  return {
    word,
    startMs: tokens[0]!.startMs,
    endMs: Math.max(...tokens.map(({ startMs, endMs }) => Math.max(startMs, endMs))),
    probability: Math.exp(mean),
  }
}

/** A word's probability is the geometric mean of its tokens'. Punctuation belongs to the word before it. */
export const wordsOf = (tokens: Token[]): Word[] => {
  const words: Token[][] = []
  let before: Token[] | undefined
  for (const group of wholeCharacters(tokens)) {
    if (startsWord(group, before)) words.push([...group])
    else words.at(-1)!.push(...group)
    before = group
  }
  return words.map(wordOf).filter((word) => word !== null)
}

/** `avgLogprob` is the mean over the tokens of the text; null where there is no text. */
export const segmentOf = (tokens: Token[], startMs: number, endMs: number): Segment => {
  const sum = tokens.reduce((total, { probability }) => total + Math.log(Math.max(probability, 1e-9)), 0)
  return {
    startMs,
    endMs,
    text: decode(tokens).trim(),
    avgLogprob: tokens.length === 0 ? null : sum / tokens.length,
    noSpeechProb: null,
    words: wordsOf(tokens),
  }
}

// Groups Whisper's tokens into words, and into the text of a segment.

import type { Segment, Word } from './engine.ts'

export type TimedToken = {
  /** from the model's vocabulary; a character may span several tokens */
  bytes: Uint8Array
  startMs: number
  endMs: number
  probability: number
  /** only if the word is to carry its tokens */
  logprob?: number
}

/** Ids from here on are special tokens (end, languages, timestamps), which are not text. */
export const firstSpecialToken = (multilingual: boolean) => (multilingual ? 50_257 : 50_256)

const SPACE = 0x20

/** A Latin or Cyrillic word begins with a space. These scripts have none, and each of their characters is a word. */
const STARTS_WITHOUT_SPACE = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Never spoken, unlike & or %. */
const ONLY_PUNCTUATION = /^[\p{Pd}\p{Pi}\p{Pf}\p{Ps}\p{Pe}.,;:!?…。、，！？；："'¿¡]+$/u

const decode = (tokens: TimedToken[]) =>
  new TextDecoder().decode(Uint8Array.from(tokens.flatMap(({ bytes }) => [...bytes])))

const isContinuationByte = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** Groups tokens that share a character. */
const wholeCharacters = (tokens: TimedToken[]): TimedToken[][] => {
  const groups: TimedToken[][] = []
  for (const token of tokens) {
    const last = groups.at(-1)
    if (last && isContinuationByte(token.bytes[0])) last.push(token)
    else groups.push([token])
  }
  return groups
}

const startsWithSpace = (group: TimedToken[] | undefined) => group?.[0]?.bytes[0] === SPACE

const isPunctuation = (group: TimedToken[] | undefined) =>
  group !== undefined && ONLY_PUNCTUATION.test(decode(group).trim())

const isWordByItself = (group: TimedToken[]) => STARTS_WITHOUT_SPACE.test(decode(group).trim())

/** Punctuation after a space opens the word that directly follows; all other punctuation belongs to the word before. */
const startsWord = (groups: TimedToken[][], i: number) => {
  const [before, group, after] = [groups[i - 1], groups[i]!, groups[i + 1]]
  if (!before) return true
  if (isPunctuation(group)) {
    return startsWithSpace(group) && after !== undefined && !startsWithSpace(after) && !isPunctuation(after)
  }
  return startsWithSpace(group) || isWordByItself(group) || isWordByItself(before)
}

const wordOf = (tokens: TimedToken[]): Word | null => {
  const word = decode(tokens).trim()
  if (word === '') return null
  const logarithms = tokens.map(({ probability }) => Math.log(Math.max(probability, 1e-9)))
  const mean = logarithms.reduce((sum, value) => sum + value, 0) / tokens.length
  const wordTokens = tokens.flatMap(({ bytes, logprob }) =>
    logprob === undefined ? [] : [{ bytes: [...bytes], logprob }],
  )
  return {
    word,
    startMs: tokens[0]!.startMs,
    endMs: Math.max(...tokens.map(({ startMs, endMs }) => Math.max(startMs, endMs))),
    probability: Math.exp(mean),
    ...(wordTokens.length > 0 && { tokens: wordTokens }),
  }
}

/** A word's probability is the geometric mean of its tokens'. */
export const wordsOf = (tokens: TimedToken[]): Word[] => {
  const groups = wholeCharacters(tokens)
  const words: TimedToken[][] = []
  for (const [i, group] of groups.entries()) {
    if (startsWord(groups, i)) words.push([...group])
    else words.at(-1)!.push(...group)
  }
  return words.map(wordOf).filter((word) => word !== null)
}

/** `avgLogprob` is the mean over the tokens of the text; null if there is no text. */
export const segmentOf = (tokens: TimedToken[], startMs: number, endMs: number): Segment => {
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

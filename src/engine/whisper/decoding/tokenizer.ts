// A model's special tokens, and text to a model file's tokens and back: GPT-2's byte pair encoding, whose merge order is the order of the vocabulary.

import { WHISPER_LANGUAGES } from '../../languages.ts'
import { firstSpecialToken } from '../../words.ts'

export type Tokenizer = {
  encode(text: string): number[]
  /** incomplete characters become replacement characters */
  decode(ids: readonly number[]): string
  /** empty for ids that are not text */
  bytesOf(id: number): Uint8Array
}

/** No merge crosses the boundaries of these: a word with its space, a number, punctuation, spaces. */
const WORDS = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu

const NOTHING = new Uint8Array(0)

/** One character per byte, for use as a map key. Avoids `bytes.buffer`, which would allocate a buffer for each array. */
const keyOf = (bytes: Uint8Array) => String.fromCharCode(...bytes)

type Ranks = Map<string, number>

const ranksOf = (vocabulary: readonly Uint8Array[]): Ranks => {
  const ranks: Ranks = new Map()
  for (const [id, bytes] of vocabulary.entries()) {
    const key = keyOf(bytes)
    if (!ranks.has(key)) ranks.set(key, id)
  }
  return ranks
}

/** Merges the pair whose token has the lowest id first, as in the vocabulary's construction. */
const mergeWord = (word: string, ranks: Ranks): number[] => {
  const parts = [...word]
  const rankAt = (i: number) => ranks.get(`${parts[i]}${parts[i + 1]}`) ?? Number.POSITIVE_INFINITY
  const pairs = parts.slice(1).map((_, i) => rankAt(i))
  for (;;) {
    let best = 0
    for (let i = 1; i < pairs.length; i += 1) if (pairs[i]! < pairs[best]!) best = i
    if (!Number.isFinite(pairs[best] ?? Number.POSITIVE_INFINITY)) break
    parts.splice(best, 2, `${parts[best]}${parts[best + 1]}`)
    pairs.splice(best, 1)
    if (best > 0) pairs[best - 1] = rankAt(best - 1)
    if (best < pairs.length) pairs[best] = rankAt(best)
  }
  // drop bytes that the vocabulary lacks
  return parts.map((part) => ranks.get(part)).filter((id) => id !== undefined)
}

/** @param vocabulary the bytes of each text token, by id */
export const createTokenizer = (vocabulary: readonly Uint8Array[]): Tokenizer => {
  let known: Ranks | null = null
  const bytesOf = (id: number) => vocabulary[id] ?? NOTHING

  return {
    encode: (text) => {
      known ??= ranksOf(vocabulary)
      const ranks = known
      const words = text.toWellFormed().match(WORDS) ?? []
      return words.flatMap((word) => mergeWord(Buffer.from(word).toString('latin1'), ranks))
    },
    decode: (ids) => new TextDecoder().decode(Buffer.concat(ids.map(bytesOf))),
    bytesOf,
  }
}

/** Ids below `end` are text; ids between `end` and `firstTimestamp` are control tokens. */
export type SpecialTokens = {
  multilingual: boolean
  end: number
  start: number
  firstLanguage: number
  languages: number
  translate: number
  transcribe: number
  speakerTurn: number
  previous: number
  noSpeech: number
  noTimestamps: number
  /** 0.00 s; each further one is 20 ms later, to the end of the vocabulary */
  firstTimestamp: number
  vocabulary: number
}

/** A timestamp is 20 ms, which is one frame of the encoder and two of the mel spectrogram. */
export const TIMESTAMP_MS = 20

const ENGLISH_VOCABULARY = 51_864
/** English-only vocabularies reserve ids for 99 languages. */
const ENGLISH_LANGUAGES = 99
/** 0 to 30 s */
const TIMESTAMPS = 1501

/** @param vocabulary the number of tokens: 51864 for English-only models, 51865, or 51866 with Cantonese */
export const specialTokensOf = (vocabulary: number): SpecialTokens => {
  const multilingual = vocabulary > ENGLISH_VOCABULARY
  const end = firstSpecialToken(multilingual)
  const firstLanguage = end + 2
  const languages = multilingual ? vocabulary - ENGLISH_VOCABULARY + ENGLISH_LANGUAGES - 1 : ENGLISH_LANGUAGES
  const translate = firstLanguage + languages
  return {
    multilingual,
    end,
    start: end + 1,
    firstLanguage,
    languages,
    translate,
    transcribe: translate + 1,
    speakerTurn: translate + 2,
    previous: translate + 3,
    noSpeech: translate + 4,
    noTimestamps: translate + 5,
    firstTimestamp: translate + 6,
    vocabulary: Math.min(vocabulary, translate + 6 + TIMESTAMPS),
  }
}

/** @returns null if the model has no token for the language */
export const languageToken = (tokens: SpecialTokens, language: string): number | null => {
  const index = WHISPER_LANGUAGES.indexOf(language)
  return index < 0 || index >= tokens.languages ? null : tokens.firstLanguage + index
}

export const isTimestamp = (tokens: SpecialTokens, id: number) => id >= tokens.firstTimestamp

export const isText = (tokens: SpecialTokens, id: number) => id < tokens.end
